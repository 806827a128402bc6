"""What all tests share."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

# No test depends on how fast a machine is; in CI every run tries the same cases.
settings.register_profile(
    "penstock", deadline=None, derandomize="CI" in os.environ, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("penstock")


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--accept` writes golden files anew; a person then reads the difference before it is committed."""
    parser.addoption("--accept", action="store_true", help="write golden files anew, for a person to review")
