"""Rules on the cloud, its region and its account."""

from __future__ import annotations

import re
from collections.abc import Iterator

from penstock.catalog import regions
from penstock.spec import platform
from penstock.spec.platform import Spec
from penstock.spec.problems import Problem
from penstock.spec.rules import known
from penstock.spec.rules.rule import AWS, CLOUDS, GCP, rule
from penstock.wording import listed, one_of, quoted

LEAST_ZONES = 2
"""EKS puts its control plane into two zones (EKS user guide, network requirements), RDS its standby into a second."""

_PROJECT = r"([a-z0-9][-.a-z0-9]*:)?[a-z][-a-z0-9]{4,28}[a-z0-9]"
"""Resource Manager API, Project; the oldest ids stand after a domain and a colon."""


@rule("SPEC-030", reads=("cloud",), provider=CLOUDS)
def region_is_known(spec: Spec) -> Iterator[Problem]:
    """The region is given, and is one of the cloud's."""
    path = ("cloud", "region")
    names = [region.name for region in regions.all_regions(spec.cloud.provider)]
    if spec.cloud.region is None:
        yield Problem(path, "region is missing.", f"Regions: {listed(names)}.")
    elif spec.cloud.region not in names:
        message = f"{quoted(spec.cloud.region)} is no region of {known.cloud_name(spec)}."
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
            hint = one_of(known.full_zone(zone, region), region.zones, "Zones")
            yield Problem(path, f"{quoted(zone)} is no zone of {region.name}.", hint)
        elif zone in spec.cloud.zones[:index]:
            yield Problem(path, f"{quoted(zone)} is listed twice.", "List each zone once.")


@rule("SPEC-032", reads=("cloud", "network", "cluster", "storage"), provider=AWS)
def platform_has_zones_enough(spec: Spec) -> Iterator[Problem]:
    """A new cluster and a database have subnets in two zones at least."""
    database = any(item.kind == "postgres" for item in spec.storage)
    if (spec.cluster.existing is not None and not database) or known.region(spec) is None:
        return
    zones = platform.zones(spec)
    if len(set(zones)) < LEAST_ZONES:
        path = ("cloud", "zones") if spec.cloud.zones else ("network", "existing", "subnets")
        message = f"Cluster and database need subnets in {LEAST_ZONES} zones; there is {listed(zones) or 'none'}."
        yield Problem(path, message, "Add a zone. Pools may still stand in one: give them `zone`.")


@rule("SPEC-033", reads=("cloud",), provider=AWS)
def account_is_an_account_number(spec: Spec) -> Iterator[Problem]:
    """An AWS account is twelve digits."""
    if spec.cloud.account is not None and known.account(spec) is None:
        message = f"{quoted(spec.cloud.account)} is no AWS account number."
        yield Problem(("cloud", "account"), message, 'Twelve digits in quotes, such as "123456789012".')


@rule("SPEC-035", reads=("cloud",), provider=GCP)
def account_is_a_project(spec: Spec) -> Iterator[Problem]:
    """The account on Google Cloud is the id of a project; everything stands in one, so it is always given."""
    path = ("cloud", "account")
    if spec.cloud.account is None:
        yield Problem(path, "The project is missing.", "Its id, such as my-ai-project, as account.")
    elif not re.fullmatch(_PROJECT, spec.cloud.account):
        hint = "6 to 30 of a-z, 0-9 and '-', such as my-ai-project; neither its name nor its number."
        yield Problem(path, f"{quoted(spec.cloud.account)} is no id of a project.", hint)


@rule("SPEC-034", reads=("cloud", "compliance"), provider=CLOUDS)
def region_keeps_residency(spec: Spec) -> Iterator[Problem]:
    """The region lies in the part of the world that data may not leave."""
    wanted, region = spec.compliance.residency, known.region(spec)
    if wanted is None or region is None or region.residency == wanted:
        return
    path = ("compliance", "residency")
    places = sorted({each.residency for each in regions.all_regions(spec.cloud.provider)})
    if wanted not in places:
        message = f"{quoted(wanted)} is no place that {known.cloud_name(spec)} has regions in."
        yield Problem(path, message, one_of(wanted, places, "Places"))
        return
    inside = [each.name for each in regions.all_regions(spec.cloud.provider) if each.residency == wanted]
    message = f"Data must stay in {wanted}, but {region.name} lies in {region.residency}."
    yield Problem(("cloud", "region"), message, f"Regions in {wanted}: {listed(inside)}.")
