"""The variables that make NCCL fast on each fabric, and those that keep it off a fabric."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Annotated

from penstock.catalog.records import Column, record, records
from penstock.catalog.tables import rows


@dataclass(frozen=True, slots=True, kw_only=True)
class NcclVariable:
    """One variable of a profile.

    Attributes:
        also: other values that the source names, such as those of a variant without LL128.
    """

    name: Annotated[str, Column("variable")]
    value: str
    also: tuple[str, ...]
    unverified: tuple[str, ...]
    source: str
    as_of: str

    def allows(self, value: str) -> bool:
        """True if a value is one that the source names; a path may be any, for it follows what a container mounts."""
        return self.value.startswith("/") or value in (self.value, *self.also)


@dataclass(frozen=True, slots=True, kw_only=True)
class NcclSettings:
    """The variables for a fabric, and for one accelerator where the fabric has several."""

    name: str
    fabric: str
    variables: tuple[NcclVariable, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NcclFamily:
    """A variable that is right on some fabrics only; on none where `fabrics` is empty.

    Attributes:
        variable: a name, or the start of one and an asterisk.
        value: the value that is meant; empty for any.
        fabrics: where it is right, or without effect.
        why: what it does.
    """

    variable: str
    value: str
    fabrics: tuple[str, ...]
    why: str
    unverified: tuple[str, ...]
    source: str
    as_of: str

    def names(self, variable: str) -> bool:
        """Return whether a variable is of this family, with some value."""
        start, asterisk, _ = self.variable.partition("*")
        return variable.startswith(start) if asterisk else variable == start

    def means(self, variable: str, value: str) -> bool:
        """Return whether a container's setting is of this family."""
        return self.names(variable) and self.value.lower() in ("", value.lower())


@cache
def profiles(fabric: str, provider: str, cluster: str | None = None) -> tuple[NcclSettings, ...]:
    """The profiles of a fabric, one for each accelerator that it comes with; none for a fabric without NCCL.

    Where a kind of cluster has variables of its own for the fabric, these are all that it gets.
    """
    table = f"{provider}/nccl_profiles"
    there = [row for row in rows(table) if row["fabric"] == fabric]
    own = [row for row in there if cluster is not None and cluster in row.get("clusters", "").split()]
    found: dict[str, list[NcclVariable]] = {}
    for row in own or (row for row in there if not row.get("clusters")):
        found.setdefault(row["profile"], []).append(record(NcclVariable, table, row))
    return tuple(NcclSettings(name=name, fabric=fabric, variables=tuple(each)) for name, each in found.items())


def find_profile(
    fabric: str, accelerator: str | None, provider: str, cluster: str | None = None
) -> NcclSettings | None:
    """The profile of a fabric for an accelerator, or its only one; None for a fabric without NCCL.

    Fabrics that come with several accelerators have a profile for each, called as both.
    """
    found = {profile.name: profile for profile in profiles(fabric, provider, cluster)}
    return found.get(f"{fabric}-{accelerator}") or next(iter(found.values()), None)


def families() -> tuple[NcclFamily, ...]:
    """Every setting that is right on some fabrics only."""
    return records(NcclFamily, "kubernetes/nccl_families")
