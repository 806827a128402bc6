"""The day by which dates are judged."""

from __future__ import annotations

from datetime import UTC, date, datetime


def utc_today() -> date:
    """Return the date in UTC: a verdict does not depend on the time zone of the machine."""
    return datetime.now(UTC).date()
