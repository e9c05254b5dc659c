"""Health and metrics for monitoring, on a port of the loopback interface: no game state, no names.

:mod:`~server.metrics.collector` says what there is to know, :mod:`~server.metrics.lag` measures how
late the loop is, :mod:`~server.metrics.web` answers over HTTP.
"""

from __future__ import annotations

from server.metrics.monitor import Monitor

__all__ = ["Monitor"]
