"""Rules on the cloud, its region and its account."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.catalog import regions
from penstock.core.wording import listed, one_of, quoted
from penstock.description.platform import Spec
from penstock.description.problems import Problem
from penstock.description.rules import known
from penstock.description.rules.rule import CLOUDS, rule


@rule("SPEC-030", reads=("cloud",), provider=CLOUDS)
def region_is_known(spec: Spec) -> Iterator[Problem]:
    """The region is given, and is one of the cloud's."""
    path = ("cloud", "region")
    names = [region.name for region in regions.all_regions(spec.cloud.provider)]
    if spec.cloud.region is None:
        yield Problem(path, "region is missing.", f"Regions: {listed(names)}.")
    elif spec.cloud.region not in names:
        message = f"{quoted(spec.cloud.region)} is not a region of {known.cloud_name(spec)}."
        yield Problem(path, message, one_of(spec.cloud.region, names, "Regions"))


@rule("SPEC-031", reads=("cloud",), provider=CLOUDS)
def zones_are_of_the_region(spec: Spec) -> Iterator[Problem]:
    """Zones are listed once each, by their full names, and belong to the region."""
    region = known.region(spec)
    if region is None:
        return
    for index, zone in enumerate(spec.cloud.zones):
        path = ("cloud", "zones", index)
        if zone not in region.zones:
            full = known.full_zone(zone, region)
            hint = one_of(full, region.zones, "Zones") if region.zones else "It has none: leave zones out."
            yield Problem(path, f"{quoted(zone)} is not a zone of {region.name}.", hint)
        elif zone in spec.cloud.zones[:index]:
            yield Problem(path, f"{quoted(zone)} is listed twice.", "List each zone once.")


@rule("SPEC-034", reads=("cloud", "compliance"), provider=CLOUDS)
def region_keeps_residency(spec: Spec) -> Iterator[Problem]:
    """The region lies in the part of the world that data may not leave."""
    wanted, region = spec.compliance.residency, known.region(spec)
    if wanted is None or region is None or region.residency == wanted:
        return
    path = ("compliance", "residency")
    places = sorted({each.residency for each in regions.all_regions(spec.cloud.provider)})
    if wanted not in places:
        message = f"{quoted(wanted)} is not a place where {known.cloud_name(spec)} has regions."
        yield Problem(path, message, one_of(wanted, places, "Places"))
        return
    inside = [each.name for each in regions.all_regions(spec.cloud.provider) if each.residency == wanted]
    message = f"Data must stay in {wanted}, but {region.name} is in {region.residency}."
    yield Problem(("cloud", "region"), message, f"Regions in {wanted}: {listed(inside)}.")
