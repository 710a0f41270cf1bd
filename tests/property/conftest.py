"""How hard the laws are tried: the same examples every run here, many new ones at night.

``SUREFOOT_LAWS=nightly`` (``make nightly``) draws 2,000 fresh examples a law.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "quick",
    max_examples=60,
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "nightly",
    max_examples=2_000,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile(os.environ.get("SUREFOOT_LAWS", "quick"))
