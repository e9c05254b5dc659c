"""The limit on files and sockets: raised as far as the system lets us."""

from __future__ import annotations

from typing import Any

import pytest

from server import descriptors
from server.settings import Settings

resource = pytest.importorskip("resource", reason="limits of processes are POSIX")
UNLIMITED = resource.RLIM_INFINITY


class Limits:
    def __init__(self, soft: int, hard: int, most: int | None) -> None:
        self.soft, self.hard, self.most = soft, hard, most

    def get(self, _kind: int) -> tuple[int, int]:
        return self.soft, self.hard

    def set(self, _kind: int, limits: tuple[int, int]) -> None:
        if self.most is not None and limits[0] > self.most:
            raise ValueError("current limit exceeds maximum limit")
        self.soft, self.hard = limits


@pytest.mark.parametrize(
    ("soft", "hard", "most", "allowed"),
    [
        (256, 10_000, None, 4_250),
        (256, 1_024, None, 1_024),
        (256, UNLIMITED, None, 4_250),
        (9_000, 10_000, None, 9_000),
        (256, UNLIMITED, 1_000, 256),
        (UNLIMITED, UNLIMITED, None, None),
    ],
)
def test_as_many_are_allowed_as_the_system_lets_us_have(
    monkeypatch: pytest.MonkeyPatch, soft: int, hard: int, most: int | None, allowed: int | None
) -> None:
    limits: Any = Limits(soft, hard, most)
    monkeypatch.setattr(resource, "getrlimit", limits.get)
    monkeypatch.setattr(resource, "setrlimit", limits.set)
    wanted = descriptors.needed(Settings(connections=4_000, tables=200))
    assert descriptors.allow(wanted) == allowed
    assert limits.hard == hard
