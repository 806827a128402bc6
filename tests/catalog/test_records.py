"""Records are filled by their annotations; a wrong cell is named with its file, line and column."""

from __future__ import annotations

import pickle
import re
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal

import pytest

from penstock.catalog.records import Column, keyed, record_of, records
from penstock.catalog.tables import unknown
from penstock.core.errors import MalformedTable, UnknownFact


class Size(StrEnum):
    SMALL = "small"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    cloud: str
    name: Annotated[str, Column("thing")]
    count: int
    share: float | None
    sold: bool
    known: bool | None
    parts: tuple[int, ...]
    words: Annotated[frozenset[str], Column(separator="|")]
    color: Literal["red", "blue"] | None
    size: Size
    form: re.Pattern[str]
    twice: Annotated[int, Column("count", read=lambda cell: 2 * int(cell))]
    note: str = "no column"


HEADER = "thing,count,share,sold,known,parts,words,color,size,form\n"
GOOD = "a,3,,yes,,1 2,x|y z,red,small,a+\n"


def table(folder: Path, text: str) -> Path:
    (folder / "rows.csv").write_text(text, encoding="utf-8")
    return folder


def test_every_annotation_reads_its_cell(tmp_path: Path) -> None:
    (found,) = records(Row, "rows", folder=table(tmp_path, HEADER + GOOD), cloud="aws")

    assert (found.cloud, found.name, found.count, found.twice, found.note) == ("aws", "a", 3, 6, "no column")
    assert (found.share, found.sold, found.known, found.parts) == (None, True, None, (1, 2))
    assert found.words == {"x", "y z"}
    assert (found.color, found.size) == ("red", Size.SMALL)
    assert found.form.fullmatch("aaa")


def test_records_are_made_once_and_found_by_the_first_column(tmp_path: Path) -> None:
    folder = table(tmp_path, HEADER + GOOD)

    assert records(Row, "rows", folder=folder, cloud="aws") is records(Row, "rows", folder=folder, cloud="aws")
    assert list(keyed(Row, "rows", folder=folder, cloud="aws")) == ["a"]


@pytest.mark.parametrize(
    ("good", "bad", "column"),
    [
        (",3,", ",three,", "count"),
        (",yes,", ",maybe,", "sold"),
        (",red,", ",green,", "color"),
        (",small,", ",huge,", "size"),
        (",1 2,", ",1 b,", "parts"),
        (",a+", ",(", "form"),
    ],
)
def test_a_wrong_cell_is_named_with_file_line_and_column(tmp_path: Path, good: str, bad: str, column: str) -> None:
    folder = table(tmp_path, HEADER + GOOD + GOOD.replace("a,", "b,", 1).replace(good, bad))

    with pytest.raises(MalformedTable, match=rf"rows\.csv:3: column {column} cannot hold"):
        records(Row, "rows", folder=folder, cloud="aws")


def test_a_missing_column_is_named(tmp_path: Path) -> None:
    folder = table(tmp_path, HEADER.replace("thing,", "name,") + GOOD)

    with pytest.raises(MalformedTable, match=r"rows\.csv:2: column thing is missing"):
        records(Row, "rows", folder=folder, cloud="aws")


def test_a_row_of_another_length_is_named_with_file_and_line(tmp_path: Path) -> None:
    folder = table(tmp_path, HEADER + GOOD + "\n" + GOOD.rstrip() + ",more\n")

    with pytest.raises(MalformedTable, match=rf"rows\.csv:4: {HEADER.count(',') + 2} cells"):
        records(Row, "rows", folder=folder, cloud="aws")


def test_an_unknown_fact_says_the_same_in_another_process() -> None:
    error = unknown("animal", "cad", ("cat", "dog"))

    assert str(pickle.loads(pickle.dumps(error))) == str(error)
    assert error.findings[0].message == "'cad' is not a known animal. Known: cat, dog."


def test_an_unknown_key_names_its_neighbours() -> None:
    @dataclass(frozen=True)
    class Volume:
        volume_type: str

    with pytest.raises(UnknownFact, match="Did you mean gp3"):
        record_of(Volume, "aws/ebs", "gp33", "EBS volume type")
