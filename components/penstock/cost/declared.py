"""The declared usage of what is billed, found by the names that people know it by."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from typing import TYPE_CHECKING, Final

from penstock.cost.amounts import Amount
from penstock.graph.graph import STACK_TYPE, Graph
from penstock.graph.view import Site, View

if TYPE_CHECKING:
    from penstock.description.usage import Usage, UsageAmount

_PLATFORM: Final = "penstock:index:Platform"
NAMED: Final = ("storage", "logs", "requests", "services")
"""The blocks of usage that belong to resources by their names."""


class BilledSite(Site):
    """All that a program builds, with what its stack declares of a month."""

    def __init__(self, graph: Graph, usage: Usage | None = None, today: date | None = None) -> None:
        super().__init__(graph, today=today)
        self.usage = usage
        self.found: set[tuple[str, str]] = set()

    def called(self, name: str) -> list[View]:
        """The resources that a declaration means by a name: theirs, their component's, or how either ends."""
        views = (View(resource, self) for resource in self.graph if resource.custom and not resource.external)
        return [view for view in views if any(_is_called(each, name) for each in _names(view))]

    def unmatched(self) -> Iterator[str]:
        """Yield the paths of declared usage that belongs to nothing in the program."""
        if self.usage is None:
            return
        for block in (*NAMED, "pools"):
            for name in getattr(self.usage, block):
                if (block, name) not in self.found and (block == "pools" or not self.called(name)):
                    yield f"{block}.{name}"
        for path, given in _amounts(self.usage):
            if given is not None and ("", path) not in self.found:
                yield path


def usage_of(view: View) -> Usage | None:
    """Return the usage that the stack of a resource declares; None where it declares nothing."""
    return view.site.usage if isinstance(view.site, BilledSite) else None


def declared(view: View, block: str, *names: str) -> tuple[str, object] | None:
    """Return the name and the usage that a block declares for a resource, None where it declares nothing.

    It may be called as the resource, as a component that it belongs to, or as either ends: `datasets` is
    `platform-prod-datasets`. The nearest counts. `names` are further ones, such as that of a pool in a cluster.
    """
    usage = usage_of(view)
    among: Mapping[str, object] = getattr(usage, block) if usage is not None else {}
    if not among:
        return None
    for name in (*names, *_names(view)):
        keys = [key for key in among if _is_called(name, key)]
        if keys:
            key = max(keys, key=len)
            if isinstance(view.site, BilledSite):
                view.site.found.add((block, key))
            return key, among[key]
    return None


def path_of(view: View, block: str, field: str) -> str:
    """Return the path below `penstock:usage` at which the usage of a resource is to be declared."""
    return f"{block}.{view.name}.{field}"


def amount(given: UsageAmount | None) -> Amount | None:
    """Return a declared amount with its bounds; None where it is not declared."""
    return None if given is None else Amount(given.low, given.expected, given.high)


def _is_called(name: str, wanted: str) -> bool:
    return name == wanted or name.endswith(f"-{wanted}")


def _names(view: View) -> Iterator[str]:
    """The name of a resource, and those of the components that it belongs to, the nearest first."""
    yield view.name
    resources = view.site.graph.resources
    parent = resources.get(view.resource.parent)
    while parent is not None and parent.type not in (STACK_TYPE, _PLATFORM):
        yield parent.name
        parent = resources.get(parent.parent)


def _amounts(usage: Usage) -> Iterator[tuple[str, object]]:
    """The amounts that belong to no name, by their paths."""
    for name in type(usage.network).model_fields:
        yield f"network.{name}", getattr(usage.network, name)
    for name in ("volumes_gb", "snapshots_gb"):
        yield name, getattr(usage, name)
