"""The record of an add-on, the parts of its folder, and the order in which add-ons are installed."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from graphlib import TopologicalSorter
from importlib import import_module
from importlib.util import find_spec
from operator import attrgetter
from types import ModuleType
from typing import Any

from penstock.core.addon_folders import PACKAGE, addon_folders
from penstock.providers import built_clouds


@dataclass(frozen=True, slots=True, kw_only=True)
class PlatformAddon:
    """One add-on.

    Attributes:
        name: The name of its folder, with hyphens. It names what is installed, and the field of `addons`.
        place: Its place in lists of add-ons and among those that could be installed at once, the smallest first.
        block: The class in `block.py` that describes it; None for an add-on that others or pools need.
        component: The component in `component.py` that installs it; None for one that each cloud builds itself.
        needs: The add-ons that are installed before it.
        after: The add-ons that it waits for if they are installed, too.
        providers: The providers that it runs on; empty for all.
    """

    name: str
    place: int
    block: str | None = None
    component: str | None = None
    needs: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    providers: tuple[str, ...] = ()

    @property
    def key(self) -> str | None:
        """The field of `addons` that enables it; None for one without a block."""
        return self.name if self.block is not None else None

    def runs_on(self, provider: str) -> bool:
        """Return whether the add-on exists on a provider."""
        return not self.providers or provider in self.providers

    def module(self, part: str) -> ModuleType | None:
        """Import and return a module of its folder; None if there is none."""
        path = f"{PACKAGE}.{self.name.replace('-', '_')}.{part}"
        return import_module(path) if find_spec(path) is not None else None

    def load(self, part: str, name: str) -> Any:
        """Import and return an object of a module of its folder; None if there is no such module."""
        module = self.module(part)
        return getattr(module, name) if module is not None else None


@cache
def all_addons() -> tuple[PlatformAddon, ...]:
    """Return each add-on in the order of their places."""
    records = (import_module(f"{PACKAGE}.{folder.name}.record").ADDON for folder in addon_folders())
    return tuple(sorted(records, key=attrgetter("place", "name")))


def find_addon(name: str) -> PlatformAddon:
    """The add-on of that name.

    Raises:
        KeyError: there is none.
    """
    return _by_name()[name]


def keys(provider: str | None = None) -> tuple[str, ...]:
    """Return the fields of `addons` that something is built from, on any provider or on one."""
    runs = (each for each in all_addons() if provider is None or each.runs_on(provider))
    return tuple(each.key for each in runs if each.key is not None)


def keys_of_cloud(provider: str) -> tuple[str, ...]:
    """Return the fields of `addons` from which a cloud builds resources of its own."""
    own = provider in built_clouds()
    return tuple(key for key in keys(provider) if own and find_addon(key).component is None)


def keys_in_cluster(provider: str) -> tuple[str, ...]:
    """Return the fields of `addons` from which nothing is built but objects of the cluster."""
    of_cloud = keys_of_cloud(provider)
    return tuple(key for key in keys(provider) if key not in of_cloud)


def in_order(enabled: Collection[str], provider: str, needed: Collection[str] = ()) -> tuple[PlatformAddon, ...]:
    """Return the add-ons that are enabled by a field or needed, and those that these need, in their order."""
    table = _by_name()
    open_ = [
        each.name for each in table.values() if (each.key in enabled or each.name in needed) and each.runs_on(provider)
    ]
    needs: dict[str, tuple[str, ...]] = {}
    while open_:
        name = open_.pop()
        if name not in needs:
            needs[name] = table[name].needs
            open_ += needs[name]
    before = {
        name: (*needs[name], *(each for each in table[name].after if each in needs)) for name in table if name in needs
    }
    found = TopologicalSorter(before).static_order()
    return tuple(table[name] for name in found)


@cache
def _by_name() -> dict[str, PlatformAddon]:
    return {each.name: each for each in all_addons()}
