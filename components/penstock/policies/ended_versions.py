"""Versions of runtimes and engines that get no more fixes; the table `ended_versions` of each cloud has them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import TYPE_CHECKING

from typing_extensions import override

from penstock.catalog.records import records
from penstock.catalog.tables import folders_with
from penstock.graph.verdict import NOT_APPLICABLE, Verdict, allow, each
from penstock.graph.view import Block
from penstock.providers import provider_of
from penstock.rules.checks import Check

if TYPE_CHECKING:
    from penstock.rules.settings import Settings


@dataclass(frozen=True, slots=True)
class _Ended:
    """Versions of one property that ended.

    Attributes:
        versions: A pattern of the whole text, in any case.
        when: Where the row applies: another property and its values, such as `engine=redis|` for redis or none.
        ended_on: The first day without fixes; empty for versions that ended before `as_of`.
    """

    type: str
    path: str
    versions: str
    when: str
    ended_on: str
    unverified: tuple[str, ...]
    source: str
    as_of: str

    def verdict(self, it: Block) -> Verdict:
        """Return the verdict on the version of a resource."""
        path, _, values = self.when.partition("=")
        version = it.text(self.path) if not path or (it.text(path) or "") in values.split("|") else None
        if version is None:
            return NOT_APPLICABLE
        has_ended = not self.ended_on or it.owner.site.today >= date.fromisoformat(self.ended_on)
        since = f", deprecated since {self.ended_on}" if self.ended_on else ""
        matches = re.fullmatch(self.versions, version, re.IGNORECASE)
        return allow(not (matches and has_ended), f"{it.at(self.path)} is {version}{since}", path=it.at(self.path))


@dataclass(frozen=True, slots=True)
class Maintained(Check):
    """The versions of a resource still get fixes."""

    @override
    def reads(self, type_: str) -> tuple[str, ...]:
        paths = (path for row in _ended(type_) for path in (row.path, row.when.partition("=")[0]) if path)
        return tuple(dict.fromkeys(paths))

    @override
    def judge(self, it: Block, settings: Settings) -> Verdict:
        return each(_ended(it.owner.type), lambda row: row.verdict(it))


@cache
def _ended(type_: str) -> tuple[_Ended, ...]:
    provider = provider_of(type_)
    folder = folders_with("ended_versions", "policies/data").get(provider.name) if provider is not None else None
    found = records(_Ended, "ended_versions", folder=folder) if folder is not None else ()
    return tuple(row for row in found if row.type == type_)
