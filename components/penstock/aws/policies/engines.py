"""Database engines of Amazon RDS, and what they do not take."""

from __future__ import annotations

from typing import Final

from penstock.rules.checks import Check, Unlike, Where

_CUSTOM: Final = "(?i)custom-.*"


def unless_custom(check: Check) -> Check:
    """Return a check of an instance, unless it is one of RDS Custom, whose system its owner manages.

    RDS Custom takes no monitoring interval, no exports of logs and no automatic minor versions (RDS API reference,
    CreateDBInstance).
    """
    return Where(Unlike("engine", _CUSTOM), check)
