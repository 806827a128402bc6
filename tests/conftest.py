"""What all tests share."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--accept` writes golden files anew; a person then reads the difference before it is committed."""
    parser.addoption("--accept", action="store_true", help="write golden files anew, for a person to review")
