"""Counts what a server has done, as plain numbers that cost next to nothing; who reads them, and
how, is not its affair.  It counts no names, and nothing of what lies hidden in a game."""

from __future__ import annotations

from collections import Counter


class Tally:
    """What has happened since the server began.

    ``connections`` were served; ``frames_in`` came from clients and ``frames_out`` went to those
    whose connections have ended; ``answers`` were taken, by whom they came from (player, clock,
    bot, ...); ``refused`` are requests, connections and answers, by the code they got.
    """

    __slots__ = ("answers", "connections", "frames_in", "frames_out", "refused")

    def __init__(self) -> None:
        self.connections = 0
        self.frames_in = 0
        self.frames_out = 0
        self.answers: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
