"""Facts that are older than their table's shelf life: `python -m tools.shelf_life`; `penstock.catalog.shelf_life`."""

from __future__ import annotations

from datetime import date

from penstock.catalog.shelf_life import dated_tables, dates, shelf_lives, stale_tables

__all__ = ["dated_tables", "dates", "report", "shelf_lives", "stale_tables"]


def report(today: date) -> str:
    """The stale tables as a table of text."""
    lines = [
        f"{each.name:32}{each.rows:>6} of {each.of:<6}{each.oldest.isoformat():12}{each.days:>6}"
        for each in stale_tables(today)
    ]
    return "\n".join([f"{'table':32}{'rows past their time':16}{'oldest':>9}{'days':>9}", *lines]) if lines else ""


if __name__ == "__main__":
    print(report(date.today()) or "Nothing is past its time.")  # noqa: DTZ011 - the day is enough
