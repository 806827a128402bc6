"""Every fact has a source and a date, and loading facts costs next to nothing."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from penstock.catalog import api_limits, tables
from penstock.core.errors import UnknownFact

TABLES = tables.table_names()
ABOUT_TABLES = {"shelf_life", "missing_addons", *(name for name in TABLES if name.rpartition("/")[2] == "sources")}
OF_ONE_SOURCE = [name for name in TABLES if "/api_limits/" in name]
"""Generated from one publication of their cloud, which `api_limits.source` names."""

OF_THEIR_SDK = [name for name in TABLES if name.endswith("/replacements")]
"""replacement_sources has where they come from, by package."""

MADE_OF_THE_SDK = {"gcp/ids"}
"""Which tests/tools holds against the installed SDK."""

OF_ONE_CHART = [name for name in TABLES if "/chart_values/" in name]
"""Called as the chart and its version, whose row has the source."""

DATED = sorted(set(TABLES) - {*ABOUT_TABLES, *OF_ONE_SOURCE, *OF_THEIR_SDK, *MADE_OF_THE_SDK, *OF_ONE_CHART})
DATE = r"20\d\d(-[01]\d(-[0-3]\d)?)?"


def test_every_row_names_its_source_and_its_date() -> None:
    for name in DATED:
        for row in tables.rows(name):
            assert row["source"], row
            assert re.fullmatch(DATE, row["as_of"]), row


def test_limits_of_apis_have_the_source_and_date_of_their_cloud() -> None:
    for name in OF_ONE_SOURCE:
        assert re.search(rf"\({DATE}\)$", api_limits.source(name.partition("/")[0]))


@pytest.mark.parametrize("name", OF_THEIR_SDK)
def test_replacements_have_the_source_and_date_of_their_package(name: str) -> None:
    room = name.partition("/")[0]

    assert {"azure": "azure-native"}.get(room, room) in {row["package"] for row in tables.rows("replacement_sources")}


def test_what_is_marked_unverified_is_a_column_of_the_row() -> None:
    for name in TABLES:
        for row in tables.rows(name):
            assert set(row.get("unverified", "").split()) <= set(row), row


def test_no_row_is_longer_or_shorter_than_its_header() -> None:
    for name in TABLES:
        for row in tables.rows(name):
            assert None not in (*row, *row.values()), row


def test_an_unknown_table_names_its_neighbours() -> None:
    with pytest.raises(UnknownFact, match="Did you mean aws/machines"):
        tables.rows("aws_machine")


def test_looking_a_machine_up_imports_no_sdk_and_no_model_library() -> None:
    program = (
        "import sys; from penstock.catalog import machines; machines.find_machine('p5.48xlarge', 'aws');"
        "print(sorted({'pulumi', 'pydantic', 'botocore', 'difflib'} & set(sys.modules)))"
    )

    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert loaded.stdout.strip() == "[]"
