"""Every size of Azure's virtual machines, in what quotas need of it; `catalog.machines` knows more of those for AI."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated

from penstock.catalog.records import Column, records


@dataclass(frozen=True, slots=True)
class VmSize:
    """One size: the family whose quota it draws on, as the API spells it, and its vCPU."""

    name: str
    family: str
    vcpu: int


def _vcpu_by_size(cell: str) -> dict[str, int]:
    return {size: int(vcpu) for size, _, vcpu in (pair.partition(":") for pair in cell.split())}


@dataclass(frozen=True, slots=True)
class _Family:
    family: str
    vcpus: Annotated[Mapping[str, int], Column(read=_vcpu_by_size)]


def find_size(name: str) -> VmSize | None:
    """The size of a name, which Azure reads in any case; None for one that the catalogue does not have.

    The number in a name is not always that of its vCPU: Standard_DS2_v2 has 2, Standard_DS3_v2 has 4.
    """
    return _sizes().get(name.casefold())


def known_sizes() -> tuple[str, ...]:
    """The names of all sizes, as Azure writes them."""
    return tuple(size.name for size in _sizes().values())


@cache
def _sizes() -> Mapping[str, VmSize]:
    families = records(_Family, "azure/size_families")
    return {name.casefold(): VmSize(name, each.family, vcpu) for each in families for name, vcpu in each.vcpus.items()}


@dataclass(frozen=True, slots=True)
class _Unaccelerated:
    sizes: re.Pattern[str]


def has_accelerated_networking(size: str) -> bool:
    """Return whether a size, in any case, is not known to lack accelerated networking."""
    return not any(each.sizes.fullmatch(size.lower()) for each in records(_Unaccelerated, "azure/unaccelerated_sizes"))
