"""Records from tables: a frozen dataclass says by its annotations how each cell of a row is read.

The columns are called as the fields are, or as a `Column` in `Annotated` calls them:

    str, int, float, a StrEnum     the cell
    bool                           yes; no or nothing for False
    X | None                       None where the cell is empty
    tuple[X, ...], frozenset[X]    parts of the cell between spaces, or between `Column.separator`
    Literal["a", "b"]              one of these words
    re.Pattern[str]                a compiled expression

A field with a default may lack its column.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, fields
from functools import cache
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from penstock.catalog.tables import clouds_with, has_table, location, rows, unknown
from penstock.core.errors import MalformedTable
from penstock.providers import provider_of

Record = TypeVar("Record")
_YES = {"yes": True, "no": False, "": False}


class Column(NamedTuple):
    """Where a field comes from, unless that is the cell of the same name.

    Attributes:
        name: The column; empty for the one called as the field is.
        separator: The text between the parts of a tuple; None for spaces.
        read: The reading of a cell that no annotation describes.
    """

    name: str = ""
    separator: str | None = None
    read: Callable[[str], Any] | None = None


class _Cell(NamedTuple):
    field: str
    column: str
    read: Callable[[str], Any]
    optional: bool


def records(cls: type[Record], table: str, *, folder: Path | None = None, **given: str) -> tuple[Record, ...]:
    """The records of a table in the order of its rows, made once.

    Args:
        cls: The dataclass to fill.
        table: The name of the table, as for `rows`.
        folder: The folder of a table that is not the catalogue's.
        **given: Fields that have the same value in every record, such as the cloud.

    Raises:
        UnknownFact: there is no such table.
        MalformedTable: a cell or a column is not what the dataclass says; the text has file, line and column.
    """
    found: tuple[Record, ...] = _records(cast("Any", cls), table, folder, tuple(given.items()))
    return found


def keyed(cls: type[Record], table: str, *, folder: Path | None = None, **given: str) -> Mapping[str, Record]:
    """The records of a table by its first column; of rows with the same key, the last."""
    found: Mapping[str, Record] = _keyed(cast("Any", cls), table, folder, tuple(given.items()))
    return found


def records_of_clouds(cls: type[Record], table: str) -> tuple[Record, ...]:
    """The records of a table of this name in the rooms of all providers, in the order of their registration."""
    return tuple(each for cloud in clouds_with(table) for each in records(cls, f"{cloud}/{table}"))


def records_of_type(cls: type[Record], table: str, type_: str) -> tuple[Record, ...]:
    """The records of the table that the provider of a type of resource has; none where it has none."""
    provider = provider_of(type_)
    if provider is None or not has_table(f"{provider.name}/{table}"):
        return ()
    return records(cls, f"{provider.name}/{table}")


def record_of_type(cls: type[Record], table: str, type_: str) -> Record | None:
    """The record of a type of resource, from the table of its provider by the first column; None without one."""
    provider = provider_of(type_)
    if provider is None or not has_table(f"{provider.name}/{table}"):
        return None
    return keyed(cls, f"{provider.name}/{table}").get(type_)


def record_of(cls: type[Record], table: str, key: str, kind: str, **given: str) -> Record:
    """The record that has the key in the first column of its table.

    Raises:
        UnknownFact: no row has it; the text says what `kind` of thing was looked for, and names the nearest keys.
    """
    by_key: Mapping[str, Record] = _keyed(cast("Any", cls), table, None, tuple(given.items()))
    if key not in by_key:
        raise unknown(kind, key, by_key)
    return by_key[key]


def record(cls: type[Record], table: str, row: Mapping[str, str], **given: object) -> Record:
    """One record of a row of a table; where few rows of a long table are needed, cheaper than `records`.

    Raises:
        MalformedTable: as for `records`.
    """
    return _filled(cls, _cells(cast("Any", cls), tuple(given), tuple(row)), row, given, _Place(table, None))


class _Place(NamedTuple):
    table: str
    folder: Path | None


@cache
def _records(cls: type[Any], table: str, folder: Path | None, given: tuple[tuple[str, str], ...]) -> tuple[Any, ...]:
    found, values, place = rows(table, folder), dict(given), _Place(table, folder)
    cells = _cells(cast("Any", cls), tuple(values), tuple(found[0])) if found else ()
    return tuple(_filled(cls, cells, row, values, place) for row in found)


@cache
def _keyed(cls: type[Any], table: str, folder: Path | None, given: tuple[tuple[str, str], ...]) -> Mapping[str, Any]:
    found = _records(cast("Any", cls), table, folder, given)
    return {next(iter(row.values())): each for row, each in zip(rows(table, folder), found, strict=True)}


def _filled(
    cls: type[Record], cells: Sequence[_Cell], row: Mapping[str, str], given: Mapping[str, object], place: _Place
) -> Record:
    try:
        return cls(**{field: read(row[column]) for field, column, read, _ in cells}, **given)
    except (AttributeError, KeyError, TypeError, ValueError, re.error):
        raise _malformed(cells, row, place) from None


def _malformed(cells: Sequence[_Cell], row: Mapping[str, str], place: _Place) -> MalformedTable:
    where = location(place.table, row, place.folder)
    for cell in cells:
        if row.get(cell.column) is None:
            return MalformedTable(f"{where}: column {cell.column} is missing")
        try:
            cell.read(row[cell.column])
        except (KeyError, ValueError, re.error) as error:
            return MalformedTable(f"{where}: column {cell.column} cannot hold {row[cell.column]!r} ({error})")
    return MalformedTable(f"{where}: a field without a column has no value")


@cache
def _cells(cls: type[Any], given: tuple[str, ...], columns: tuple[str, ...]) -> tuple[_Cell, ...]:
    """The cells that make a record, of a row with these columns."""
    hints = get_type_hints(cls, include_extras=True)
    cells = (
        _cell(field.name, hints[field.name], optional=not (field.default is field.default_factory is MISSING))
        for field in fields(cls)
        if field.name not in given
    )
    return tuple(cell for cell in cells if cell.column in columns or not cell.optional)


def _cell(field: str, hint: Any, *, optional: bool) -> _Cell:
    column = Column()
    if get_origin(hint) is Annotated:
        hint, *marks = get_args(hint)
        column = next((mark for mark in marks if isinstance(mark, Column)), column)
    return _Cell(field, column.name or field, column.read or _reader(hint, column.separator), optional)


def _reader(hint: Any, separator: str | None = None) -> Callable[[str], Any]:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        (inner,) = (_reader(each, separator) for each in arguments if each is not NoneType)
        return lambda cell: inner(cell) if cell else None
    if origin in (tuple, frozenset):
        item = _reader(arguments[0])
        return lambda cell: origin(map(item, cell.split(separator))) if cell else origin()
    if origin is Literal:
        return {word: word for word in arguments}.__getitem__
    if origin is re.Pattern:
        return re.compile
    if hint is bool:
        return _YES.__getitem__
    reader: Callable[[str], Any] = hint
    return reader
