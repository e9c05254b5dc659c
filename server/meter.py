"""Token buckets: how long somebody has to wait before the next message is due.

It knows nothing of tasks and clocks; the time is handed in.
"""

from __future__ import annotations


class Meter:
    """Allows ``rate`` takings a second and ``burst`` of them at once."""

    __slots__ = ("_burst", "_level", "_rate", "_then")

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self._rate = rate
        self._burst = float(burst)
        self._level = float(burst)
        self._then = now

    def take(self, now: float) -> float:
        """Take one, whatever the level; returns the seconds until it was really due (0.0: now)."""
        level = min(self._burst, self._level + (now - self._then) * self._rate) - 1.0
        self._then = now
        self._level = level
        return 0.0 if level >= 0.0 else -level / self._rate

    def full(self, now: float) -> bool:
        """Whether it is as if nothing had been taken."""
        return self._level + (now - self._then) * self._rate >= self._burst

    def try_take(self, now: float) -> bool:
        """Take one if there is one."""
        level = min(self._burst, self._level + (now - self._then) * self._rate)
        self._then = now
        if level < 1.0:
            self._level = level
            return False
        self._level = level - 1.0
        return True

    def give_back(self) -> None:
        """One was taken that need not have been."""
        self._level = min(self._burst, self._level + 1.0)


class Meters:
    """A meter for each of many keys; one that is as good as new is forgotten."""

    def __init__(self, burst: int, every: float) -> None:
        self._rate = burst / every
        self._burst = burst
        self._meters: dict[str, Meter] = {}

    def try_take(self, key: str, now: float) -> bool:
        """Take one for this key if there is one."""
        meter = self._meters.get(key)
        if meter is None:
            for known in [k for k, m in self._meters.items() if m.full(now)]:
                del self._meters[known]
            meter = self._meters[key] = Meter(self._rate, self._burst, now)
        return meter.try_take(now)

    def give_back(self, key: str) -> None:
        """One was taken for this key that need not have been."""
        if key in self._meters:
            self._meters[key].give_back()
