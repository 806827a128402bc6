"""The data files: one CSV a subject, in the room of its provider, every row with its source and date."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import TypedDict

from penstock.core.addon_folders import addon_folders
from penstock.core.errors import MalformedTable, UnknownFact
from penstock.core.spelling import near_matches, suggestion
from penstock.providers import all_providers, provider_named

CATALOGUE = Path(__file__).parent

_WITH_ADDONS = "kubernetes"
"""The room whose tables have rows of add-ons, too: those of the tables of the same name in their folders `data`."""


@cache
def rows(name: str, folder: Path | None = None) -> list[dict[str, str]]:
    """The rows of a table in the order of its file; shared by all callers, so read only.

    `aws/machines` is aws/data/machines.csv; a table of all providers has no room: `latencies` is data/latencies.csv.
    A table outside the catalogue is called by its file's name, and its `folder` is given.
    The rows that add-ons have of a table for Kubernetes follow its own.

    An empty cell is "not known". The column `unverified` names the columns of its row that no primary source confirms.

    Raises:
        UnknownFact: there is no such table.
        MalformedTable: a row has more or fewer cells than the table has columns.
    """
    files = _files(name, folder)
    if not files:
        raise unknown("table of the catalogue", name, table_names)
    return [row for file in files for row in _read(file)]


@cache
def _read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.reader(file)  # which takes half the time of a DictReader
        lines = [(reader.line_num, cells) for cells in reader if cells]
    columns = lines[0][1] if lines else []
    for line, cells in lines:
        if len(cells) != len(columns):
            raise MalformedTable(f"{path}:{line}: {len(cells)} cells, and the table has {len(columns)} columns")
    return [dict(zip(columns, cells, strict=True)) for _, cells in lines[1:]]


def table_names() -> list[str]:
    """Every table by its name, those in folders of a room too, sorted."""
    rooms = [(CATALOGUE, ""), *((each.folder, each.name) for each in all_providers() if each.folder is not None)]
    rooms += [(folder, _WITH_ADDONS) for folder in addon_folders()]
    return sorted({name for folder, room in rooms for name in _tables_in(folder, room)})


def _tables_in(folder: Path, room: str) -> Iterator[str]:
    """The tables of a room: those in its folder `data`, or for the shared catalogue those in every such folder."""
    data = folder / "data" if room else folder
    for file in data.rglob("*.csv"):
        parts = file.relative_to(folder).with_suffix("").parts
        yield "/".join([room, *(part for part in parts if part != "data")]).removeprefix("/")


def clouds_with(name: str) -> tuple[str, ...]:
    """The providers whose room has a table of this name, such as prices, in the order of their registration."""
    return tuple(each.name for each in all_providers() if has_table(f"{each.name}/{name}"))


def has_table(name: str) -> bool:
    """Return whether there is a table of this name."""
    return bool(_files(name, None))


def folders_with(name: str, inside: str) -> dict[str, Path]:
    """The folders of this name inside the rooms of providers that have a table, by provider: `policies/data`."""
    folders = {each.name: each.folder / inside for each in all_providers() if each.folder is not None}
    return {provider: folder for provider, folder in folders.items() if _files(name, folder)}


def rows_of_clouds(name: str) -> Iterator[dict[str, str]]:
    """The rows of a table of this name in the rooms of all providers, in the order of their registration."""
    for cloud in clouds_with(name):
        yield from rows(f"{cloud}/{name}")


def path_of(name: str, folder: Path | None = None) -> Path:
    """The file of a table, the first if it has several."""
    return next(iter(_files(name, folder)), _own_file(name, folder))


def _files(name: str, folder: Path | None) -> tuple[Path, ...]:
    """The files of a table that exist: its own, then those of add-ons."""
    room, _, rest = name.partition("/")
    return _existing(_own_file(name, folder), rest if folder is None and room == _WITH_ADDONS else "")


@cache
def _existing(own: Path, of_addons: str) -> tuple[Path, ...]:
    others = addon_folders() if of_addons else ()
    files = (own, *(each / "data" / f"{of_addons}.csv" for each in others))
    return tuple(file for file in files if file.is_file())


def _own_file(name: str, folder: Path | None) -> Path:
    if folder is not None:
        return _file(folder, name)
    room, _, rest = name.partition("/")
    return _file(_room(room) / "data", rest) if rest else _file(CATALOGUE / "data", name)


@cache
def _file(folder: Path, name: str) -> Path:
    return folder / f"{name}.csv"


def _room(name: str) -> Path:
    """The folder of a provider, in whose folder `data` are its tables; a package without a record has it here."""
    provider = provider_named(name)
    return (provider.folder if provider is not None else None) or CATALOGUE / name


def location(name: str, row: Mapping[str, str], folder: Path | None = None) -> str:
    """The file and line of a row, for errors; no cell of a table spans lines."""
    file = file_of(name, row, folder)
    return f"{file}:{_read(file).index(dict(row)) + 2}"


def file_of(name: str, row: Mapping[str, str], folder: Path | None = None) -> Path:
    """The file of a table that has a row."""
    return next(file for file in _files(name, folder) if row in _read(file))


def unknown(kind: str, key: object, known: Iterable[str] | Callable[[], Iterable[str]]) -> UnknownFact:
    """The error for a key that no row has; it names the nearest keys, or all of them where none is near."""
    keys = known if callable(known) else tuple(known)
    return UnknownFact(partial(_unknown, kind, str(key), keys))


def _unknown(kind: str, key: str, known: Iterable[str] | Callable[[], Iterable[str]]) -> str:
    keys = sorted(known() if callable(known) else known)
    near = near_matches(key, keys, likeness=0.7, most=3)
    advice = suggestion(near) or f"Known: {', '.join(keys)}."
    return f"{key!r} is not a known {kind}. {advice}"


class Provenance(TypedDict):
    """Where a fact comes from: what every row ends with, and what every record carries."""

    unverified: tuple[str, ...]
    source: str
    as_of: str


def joint_provenance(several: Sequence[Mapping[str, str]]) -> Provenance:
    """The provenance of a fact that several rows share: every source, and the oldest date."""
    return {
        "unverified": tuple(dict.fromkeys(column for row in several for column in row["unverified"].split())),
        "source": "; ".join(dict.fromkeys(row["source"] for row in several)),
        "as_of": min(row["as_of"] for row in several),
    }
