"""Data that is made of the vendors' packages is what they say today; a newer SDK or model sounds the alarm."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest
from tools import aws_api_limits, azure_api_limits, gcp_api_limits, gcp_ids
from tools.generated import DataSet


@pytest.mark.exhaustive
@pytest.mark.nightly
@pytest.mark.parametrize(
    "generator", [aws_api_limits, azure_api_limits, gcp_api_limits, gcp_ids], ids=lambda each: each.__name__
)
def test_the_shipped_data_is_what_its_generator_makes(generator: ModuleType) -> None:
    assert generator.data_set().differences() == []


def test_what_differs_is_named_and_written_anew(tmp_path: Path) -> None:
    same, other, new, old = (tmp_path / f"{name}.csv" for name in ("same", "other", "new", "old"))
    for file in (same, other, old):
        file.write_text("a\n", encoding="utf-8")
    wanted = {same: "a\n", other: "b\n", new: "c\n"}

    assert DataSet(wanted, {same, other, old}).differences() == [
        "differs: other.csv",
        "left over: old.csv",
        "missing: new.csv",
    ]
    DataSet(wanted, {same, other, old}).write()
    assert DataSet(wanted, set(tmp_path.glob("*.csv"))).differences() == []
