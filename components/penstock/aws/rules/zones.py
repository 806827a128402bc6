"""Rules on regions and zones: regions exist, and zones belong to their region."""

from __future__ import annotations

import re
from functools import partial

from penstock.aws.facts.zones import is_zone_id, region_of_zone_id, zone_id_exists, zone_name_exists
from penstock.aws.model.ec2 import aws_region, names_region
from penstock.aws.types import EC2_SUBNET
from penstock.catalog.regions import Region, all_regions, find_region
from penstock.core.errors import UnknownFact
from penstock.core.wording import did_you_mean, listed
from penstock.graph.property_path import Location
from penstock.graph.values import Secret, Unknown
from penstock.graph.verdict import NOT_APPLICABLE, PASS, NotKnown, Verdict, allow, each, fail
from penstock.graph.view import View
from penstock.rules.levels import HIGH, Category
from penstock.rules.repeated import first_holders
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_NAMES = ("availabilityZone", "availabilityZoneName", "availabilityZones[]")
_IDS = ("availabilityZoneId", "availabilityZoneIds[]")
_EVERY_ZONE = "all"
_TARGETS = ("aws:alb/targetGroupAttachment:TargetGroupAttachment", "aws:lb/targetGroupAttachment:TargetGroupAttachment")
_KEYS = tuple(path.removesuffix("[]") for path in (*_NAMES, *_IDS))
_IDS_AS_NAMES = {"aws:finspace/kxVolume:KxVolume": ("availabilityZones[]",)}
"""Properties that take ids, although they are called as those that take names."""


_PROVIDER = "pulumi:providers:aws"
_SEPARATE = re.compile(r"(aws-|us-iso|eu-iso|eusc-).+")
"""Names of partitions, and regions of partitions with accounts of their own, which the catalogue does not have."""

_first_regions = partial(first_holders, "aws", ("region",), str)


@RULES.rule(
    on=("aws:*", _PROVIDER),
    severity=HIGH,
    rationale="A region that does not exist has no endpoints, so that each request fails.",
    fix="Set region, or aws:region of the stack's configuration, to an existing region.",
    joins=True,
    sources=("partitions.json of botocore 1.44 (catalogue, aws_regions)",),
)
def aws_region_exists(view: View) -> Verdict:
    """The region of a provider or a resource exists; a wrong one is reported at the first that names it."""
    name = view.text("region")
    if not name:
        return NOT_APPLICABLE
    known = tuple(region.name for region in all_regions("aws"))
    if name in known:
        return PASS
    if "endpoints" in view or "endpoints" in view.provider or _SEPARATE.fullmatch(name):
        raise NotKnown  # a custom endpoint answers for any region
    if view.site.once(_first_regions)[name] != (view.urn, "region"):
        return NOT_APPLICABLE
    hint = did_you_mean(name, known) or "Use one such as us-east-1."
    return fail(f"region {name} does not exist", hint=hint, path="region")


@RULES.rule(
    on="aws:*",
    severity=HIGH,
    rationale="AWS answers InvalidParameterValue for a zone that the region does not have.",
    fix="Name a zone of the resource's region: availabilityZone takes names (us-east-1a), availabilityZoneId ids.",
    sources=(
        "EC2 DescribeAvailabilityZones, by region (catalogue, aws_regions)",
        "Elastic Load Balancing API reference, TargetDescription: an Availability Zone or all",
        "FinSpace API reference, CreateKxVolume: availabilityZoneIds",
    ),
)
def aws_zone_exists(view: View) -> Verdict:
    """The zones that a resource names, or gives by their ids, are zones of its region."""
    if not any(key in view for key in _KEYS):
        return NOT_APPLICABLE
    if not names_region(view):
        raise NotKnown  # the region comes from the environment
    try:
        region = find_region(aws_region(view), "aws")
    except UnknownFact:
        raise NotKnown from None
    by_id = (*_IDS, *_IDS_AS_NAMES.get(view.type, ()))
    places = [(place, path in by_id) for path in (*_NAMES, *_IDS) for place in view.locations(path)]

    def check(item: tuple[Location, bool]) -> Verdict:
        place, by_id = item
        if place.value is None:
            return NOT_APPLICABLE
        return _identified(place, region) if by_id else _named(view, place, region)

    return each(places, check)


def _named(view: View, place: Location, region: Region) -> Verdict:
    name = _text(place)
    if is_zone_id(name):
        message = f"{name} is the id of a zone, and {place.path} takes a name"
        return fail(message, hint=f"Use one such as {region.zones[0]}, or set availabilityZoneId.", path=place.path)
    if name == _EVERY_ZONE and view.type in _TARGETS:
        return NOT_APPLICABLE
    if view.type == EC2_SUBNET and not name.startswith(region.name):
        return NOT_APPLICABLE  # aws-subnet-zone-in-region
    found = zone_name_exists(name, region)
    if found is None:
        raise NotKnown
    message = f"{name} is not a zone of {region.name}"
    return allow(found, message, hint=f"{region.name} has {listed(region.zones)}.", path=place.path)


def _identified(place: Location, region: Region) -> Verdict:
    zone_id = _text(place)
    found, home = zone_id_exists(zone_id, region), region_of_zone_id(zone_id)
    if found is None:
        raise NotKnown
    of_another = f": ids of {home} begin like this" if home not in (None, region.name) else ""
    message = f"{zone_id} is not the id of a zone of {region.name}{of_another}"
    return allow(found, message, hint=f"{region.name} has {listed(region.zone_ids)}.", path=place.path)


def _text(place: Location) -> str:
    if isinstance(place.value, Unknown | Secret):
        raise NotKnown
    return str(place.value)
