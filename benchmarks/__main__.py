"""Runs the benchmarks one after the other in one run, so that their figures can be compared."""

from __future__ import annotations

import argparse
import platform
import sys

from benchmarks import bots, engine, growth, soak, wire


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parts = ["engine", "wire", "growth", "bots", "soak"]
    parser.add_argument("only", nargs="*", choices=parts, help="what to run; the soak if named")
    parser.add_argument("--seconds", type=float, default=4.0, help="length of each measurement")
    parser.add_argument("--games", type=int, default=10, help="games of each pairing of bots")
    parser.add_argument("--tables", type=int, default=200, help="tables of the soak")
    options = parser.parse_args()
    print(f"Python {platform.python_version()} on {platform.machine()}")
    if not options.only or "engine" in options.only:
        engine.report(options.seconds)
    if not options.only or "wire" in options.only:
        wire.report(options.seconds)
    if not options.only or "growth" in options.only:
        growth.report(options.seconds)
    if not options.only or "bots" in options.only:
        bots.report(options.games)
    if "soak" in options.only:
        soak.report(options.tables)
    return 0


if __name__ == "__main__":
    sys.exit(main())
