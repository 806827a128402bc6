"""Variables by which communication libraries are told the network interfaces to use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from penstock.catalog.records import records


@dataclass(frozen=True, slots=True, kw_only=True)
class InterfaceVariable:
    """One variable.

    Attributes:
        form: `prefixes` is NCCL's list, which `^` turns round and `=` makes exact; `names` is a list of names;
            `networks` is a list of names and address ranges.
    """

    variable: str
    form: Literal["prefixes", "names", "networks"]
    unverified: tuple[str, ...]
    source: str
    as_of: str

    def selected(self, value: str, interfaces: frozenset[str]) -> frozenset[str] | None:
        """The interfaces among these that a value selects; None where it depends on their addresses.

        A list of names of which one is missing selects none: libraries fail for it.
        """
        if self.form == "prefixes":
            return _by_prefix(value, interfaces)
        items = frozenset(_items(value))
        if self.form == "networks":
            return None if any("/" in item for item in items) else items & interfaces
        return items if items <= interfaces else frozenset()


def _by_prefix(value: str, interfaces: frozenset[str]) -> frozenset[str]:
    listed = value.removeprefix("^")
    exact = listed.startswith("=")
    items = [item.partition(":")[0] for item in _items(listed.removeprefix("="))]
    matched = {name for name in interfaces for item in items if (name == item if exact else name.startswith(item))}
    return interfaces - matched if value.startswith("^") else frozenset(matched)


def _items(value: str) -> list[str]:
    return [item.strip() for item in value.split(",") if item.strip()]


def interface_variables() -> dict[str, InterfaceVariable]:
    """Every variable, by its name."""
    return {each.variable: each for each in records(InterfaceVariable, "kubernetes/interface_variables")}
