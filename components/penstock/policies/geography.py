"""Where data lies: regions, zones and multi-regions of clouds, and whether the settings allow them.

A location is allowed if the settings list it, or if all of it lies under the law that they name (`residency`). The EU
is its member states: London, Zurich and Oslo are not in it, whatever the name of the region begins with.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from typing_extensions import override

from penstock.catalog import regions
from penstock.catalog.records import keyed
from penstock.catalog.tables import clouds_with
from penstock.core.errors import UnknownFact
from penstock.graph.property_path import Location
from penstock.graph.values import Secret, Unknown
from penstock.graph.verdict import NOT_APPLICABLE, PASS, UNKNOWN, NotKnown, Verdict, each, fail
from penstock.graph.view import Block, View
from penstock.providers import provider_named
from penstock.rules import defaults
from penstock.rules.checks import Check
from penstock.rules.settings import Settings

_REGION_OF_ARN = 3


@dataclass(frozen=True, slots=True)
class Geography:
    """A location in a cloud's table `residences`, such as one that spans regions.

    Attributes:
        residence: eu, or the ISO 3166 codes of the countries where data may lie.
        members: the regions that it spans, where they are known.
        pair: the region that geo-redundant storage copies to; `none` where there is no such region.
    """

    residence: tuple[str, ...]
    members: tuple[str, ...]
    pair: str


@dataclass(frozen=True, slots=True)
class Within(Check):
    """The place that a property names (a region, a zone, an ARN) is where the settings allow it.

    It does not apply where they allow every place. `otherwise` returns the place where the property is not given, and
    raises `NotKnown` where it cannot; without it nothing is said of a property that is not given.
    """

    cloud: str
    path: str
    otherwise: Callable[[View], str] | None = field(default=None, repr=False)

    @property
    @override
    def joins(self) -> bool:
        return self.otherwise is not None

    @override
    def reads(self, type_: str) -> tuple[str, ...]:
        return (self.path,)

    @override
    def judge(self, it: Block, settings: Settings) -> Verdict:
        if not limits_places(settings):
            return NOT_APPLICABLE
        return each(it.locations(self.path), lambda location: self._one(it, location, settings))

    def _one(self, it: Block, location: Location, settings: Settings) -> Verdict:
        if isinstance(location.value, Unknown | Secret):
            return UNKNOWN
        if location.value:
            return judge_place(self.cloud, str(location.value), location.path, settings)
        default = defaults.of(it.owner.type, location.path)
        if default is None and self.otherwise is None:
            return NOT_APPLICABLE
        place = default.value if default is not None else self.otherwise(it.owner) if self.otherwise else ""
        return judge_place(self.cloud, place, location.path, settings, given=False)


def limits_places(settings: Settings) -> bool:
    """Return whether the settings limit where data may be."""
    return bool(settings.residency or settings.parameters.allowed_regions)


def judge_place(cloud: str, location: str, path: str, settings: Settings, *, given: bool = True) -> Verdict:
    """Return the verdict on a location, or on the region of an ARN, where the settings limit the places of data.

    Raises:
        NotKnown: no table has the location.
    """
    name = _plain(location.split(":")[_REGION_OF_ARN] if location.startswith("arn:") else location)
    listed = {_plain(each) for each in settings.parameters.allowed_regions}
    if not name:
        raise NotKnown
    if _is_listed(cloud, name, listed):
        return PASS
    residency = settings.residency
    if residency is not None and set(_residences(cloud, name)) == {residency}:
        return PASS
    where = " or ".join([*([residency] if residency else []), *settings.parameters.allowed_regions])
    place = f"{path} is {name}" if given else f"{path} is not set, so it is {name}"
    return fail(f"{place}, which does not lie in {where}", path=path)


def geography_of(cloud: str, location: str) -> Geography | None:
    """Return a location that is not a region of the catalogue; None for any other."""
    name = _plain(location)
    return keyed(Geography, f"{cloud}/residences").get(name) if cloud in clouds_with("residences") else None


def _is_listed(cloud: str, name: str, listed: set[str]) -> bool:
    if name in listed or _region(cloud, name) in listed:
        return True
    found = geography_of(cloud, name)
    return found is not None and bool(found.members) and set(found.members) <= listed


def _residences(cloud: str, name: str) -> Iterator[str]:
    found = geography_of(cloud, name)
    if found is not None and found.residence:
        yield from found.residence
    elif found is not None:
        for member in found.members:
            yield from _residences(cloud, member)
    else:
        try:
            yield regions.find_region(_region(cloud, name), cloud).residency
        except UnknownFact:
            raise NotKnown from None


def _region(cloud: str, name: str) -> str:
    """Return the region of a zone; another location is returned as it is."""
    provider = provider_named(cloud)
    zone = re.fullmatch(provider.zone, name) if provider is not None and provider.zone else None
    return zone.group(1) if zone else name


def _plain(location: str) -> str:
    """One spelling of a location: Azure takes "West Europe" for westeurope, Google EU for eu."""
    return location.replace(" ", "").lower()
