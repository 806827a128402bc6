"""Typed facts of a precondition: what a preflight asks a cloud by, where people read sentences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class NamedNeed:
    """A thing that has a name: `kind` says what it is, `words` have its name and where it is."""

    kind: str
    words: tuple[tuple[str, str], ...]

    def word(self, key: str) -> str:
        """Return one of the words; empty where there is none."""
        return dict(self.words).get(key, "")


@dataclass(frozen=True, slots=True)
class NamesNeed:
    """Things that are turned on by their names, such as APIs of a project; `scope` is empty for the whole account."""

    names: tuple[str, ...]
    scope: str = ""


@dataclass(frozen=True, slots=True)
class QuotaNeed:
    """An amount of a quota, in the unit that the cloud counts; `region` is empty for one of all regions together."""

    service: str
    code: str
    name: str
    unit: str
    amount: int
    region: str
    account: str = ""


@dataclass(frozen=True, slots=True)
class MachinesNeed:
    """A quota of machines whose code is not known, or that a service counts by type."""

    service: str
    machine_type: str
    count: int
    way: str
    region: str


@dataclass(frozen=True, slots=True)
class FeatureNeed:
    """A feature of a resource provider of Azure that is to be registered, or not to be."""

    namespace: str
    name: str
    registered: bool


@dataclass(frozen=True, slots=True)
class FreeNameNeed:
    """A name that no resource of a type may have, deleted ones included."""

    type: str
    name: str
    scope: str


@dataclass(frozen=True, slots=True)
class SearchNeed:
    """Something that a look-up finds by filters and tags, each a key and a value that EC2 takes as a filter."""

    function: str
    filters: tuple[tuple[str, str], ...]
    scope: str


Need: TypeAlias = NamedNeed | NamesNeed | QuotaNeed | MachinesNeed | FeatureNeed | FreeNameNeed | SearchNeed


def named(kind: str, words: Mapping[str, str]) -> NamedNeed:
    """Return a need of a thing by its words."""
    return NamedNeed(kind, tuple(words.items()))
