"""What all tests share: how Hypothesis behaves here."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# Deadlines would be assertions about time; a slow machine is no failure.
settings.register_profile(
    "senro", deadline=None, max_examples=100, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("senro")
