"""What may run beside the workloads: which part of the description enables it, and what must be there first."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from graphlib import TopologicalSorter
from pathlib import Path

from penstock.catalog.records import keyed
from penstock.providers import built_clouds

_FOLDER = Path(__file__).parent / "data"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlatformAddon:
    """One add-on.

    Attributes:
        key: the field of `addons` that enables it; None for one that only others need.
        component: what installs it, as `module:Class`; None for one that the cloud's own composer builds.
        needs: the add-ons that must be there before.
        providers: the providers that it runs on; empty for all.
        when: the condition on the description that enables it without a field; a name of `addon_conditions`.
        after: the add-ons that it waits for where these are installed, too.
    """

    addon: str
    key: str | None
    component: str | None
    needs: tuple[str, ...]
    providers: tuple[str, ...]
    when: str | None
    after: tuple[str, ...]

    def runs_on(self, provider: str) -> bool:
        """Return whether the add-on exists on a provider."""
        return not self.providers or provider in self.providers


def find_addon(name: str) -> PlatformAddon:
    """The add-on of that name.

    Raises:
        KeyError: there is none.
    """
    return _table()[name]


def keys(provider: str | None = None) -> tuple[str, ...]:
    """Return the fields of `addons` that something is built from, on any provider or on one."""
    runs = (each for each in _table().values() if provider is None or each.runs_on(provider))
    return tuple(dict.fromkeys(each.key for each in runs if each.key is not None))


def keys_in_cluster(provider: str) -> tuple[str, ...]:
    """Return the fields of `addons` from which nothing is built but objects of the cluster."""
    clouds = built_clouds()
    of_cloud = {each.key for each in _table().values() if each.component is None and provider in clouds}
    return tuple(key for key in keys(provider) if key not in of_cloud)


def in_order(enabled: Collection[str], provider: str, conditions: Collection[str] = ()) -> tuple[PlatformAddon, ...]:
    """Return the add-ons that fields of `addons` or conditions enable, and those that these need, in their order."""
    table = _table()
    open_ = [
        each.addon
        for each in table.values()
        if (each.key in enabled or each.when in conditions) and each.runs_on(provider)
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


def conditions() -> frozenset[str]:
    """Return the names of all conditions that enable an add-on."""
    return frozenset(each.when for each in _table().values() if each.when is not None)


def _table() -> dict[str, PlatformAddon]:
    return dict(keyed(PlatformAddon, "addons", folder=_FOLDER))
