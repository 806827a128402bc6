"""Every fact has a source and a date, and loading facts costs next to nothing."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import penstock.catalog
from penstock.catalog import tables
from penstock.errors import UnknownFact

TABLES = sorted(path.stem for path in (Path(penstock.catalog.__file__).parent / "data").glob("*.csv"))


@pytest.mark.parametrize("name", TABLES)
def test_every_row_names_its_source_and_its_date(name: str) -> None:
    for row in tables.rows(name):
        assert row["source"], row
        assert re.fullmatch(r"20\d\d(-[01]\d(-[0-3]\d)?)?", row["as_of"]), row


@pytest.mark.parametrize("name", TABLES)
def test_what_is_marked_unverified_is_a_column_of_the_row(name: str) -> None:
    for row in tables.rows(name):
        assert set(row.get("unverified", "").split()) <= set(row), row


@pytest.mark.parametrize("name", TABLES)
def test_no_row_is_longer_or_shorter_than_its_header(name: str) -> None:
    for row in tables.rows(name):
        assert None not in (*row, *row.values()), row


def test_an_unknown_table_names_its_neighbours() -> None:
    with pytest.raises(UnknownFact, match="Did you mean aws/machines"):
        tables.rows("aws_machine")


def test_looking_a_machine_up_imports_no_sdk_and_no_model_library() -> None:
    program = (
        "import sys; from penstock.catalog import machines; machines.find('p5.48xlarge', 'aws');"
        "print(sorted({'pulumi', 'pydantic', 'botocore', 'difflib'} & set(sys.modules)))"
    )

    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert loaded.stdout.strip() == "[]"
