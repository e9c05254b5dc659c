"""What all tests share: how Hypothesis behaves here.

``SENRO_HYPOTHESIS=long`` looks at many more examples; the default is ``ci``.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

# Deadlines would be assertions about time; a slow machine is no failure.
settings.register_profile(
    "ci", deadline=None, max_examples=100, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("long", settings.get_profile("ci"), max_examples=2000)
settings.load_profile(os.environ.get("SENRO_HYPOTHESIS", "ci"))
