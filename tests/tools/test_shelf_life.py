"""Every table has a shelf life; what is past it is reported, and fails nothing."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from tools import shelf_life

from penstock.catalog import tables


def test_every_table_has_one_shelf_life() -> None:
    for name in shelf_life.dated_tables():
        assert len(shelf_life.shelf_lives(name)) == 1


def test_every_shelf_life_is_that_of_a_table() -> None:
    used = {life.tables for name in shelf_life.dated_tables() for life in shelf_life.shelf_lives(name)}

    assert {row["tables"] for row in tables.rows("shelf_life")} == used


def test_what_is_past_its_time_is_reported(record_property: Callable[[str, object], None]) -> None:
    today = date.today()  # noqa: DTZ011 - the day is enough

    for stale in shelf_life.stale_tables(today):
        record_property(f"stale {stale.name}", f"{stale.rows} of {stale.of} rows, the oldest of {stale.oldest}")


def test_rows_grow_old_with_the_day() -> None:
    assert {each.name for each in shelf_life.stale_tables(date(2026, 8, 10))} < {
        each.name for each in shelf_life.stale_tables(date(2027, 8, 10))
    }
    prices = next(each for each in shelf_life.stale_tables(date(2027, 8, 10)) if each.name == "aws/prices")
    assert (prices.rows, prices.oldest) == (prices.of, date(2026, 1, 21))
    assert "aws/prices" in shelf_life.report(date(2027, 8, 10))
    assert shelf_life.report(date(2010, 1, 1)) == ""
