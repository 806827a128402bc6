"""Service quotas that a new account has too little of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from penstock.aws.facts.machines import AwsMachine
from penstock.aws.model.ec2 import aws_region
from penstock.aws.preconditions.places import region_of
from penstock.aws.rules.quotas import DRAWING, draws_of
from penstock.aws.types import EC2_SUBNET, EC2_VPC
from penstock.catalog.machines import find_machine
from penstock.catalog.quotas import quota_code
from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.graph.view import Site, View
from penstock.model.pools import MachinePool, program_pools
from penstock.preconditions.default_quotas import Shortfall, Taken, beyond_defaults, counted, totals, unlisted_machines
from penstock.preconditions.kind import Kinds
from penstock.preconditions.need import MachinesNeed, QuotaNeed
from penstock.preconditions.precondition import Precondition

KINDS = Kinds()

_GUIDE = "Service Quotas user guide"
_SAGEMAKER = "SageMaker"


@KINDS.kind("aws-quota", sources=(_GUIDE, "EC2 user guide, on-demand instance quotas"))
def more_than_a_new_account_has(site: Site) -> Iterator[Precondition]:
    """Service quotas of which the program can take more than a new account has: vCPU, addresses, networks, storage."""
    for need in beyond_defaults(site, "aws", _taken(site)):
        yield _enough(site, need)


def quotas_drawn(site: Site) -> Iterator[Precondition]:
    """Yield every quota that a program draws on, also where a new account has enough: this one may have used it up."""
    for need in totals(site, "aws", _taken(site)):
        yield _enough(site, need)


def _taken(site: Site) -> Iterator[Taken]:
    yield from _machines(site)
    yield from counted(site, "aws", _PLACES)


def _enough(site: Site, need: Shortfall) -> Precondition:
    quota, region = need.quota, region_of(site, need.urn)
    return Precondition(
        need.in_words("account"),
        "AWS refuses what is beyond the quota, and an increase may take days.",
        f"aws service-quotas request-service-quota-increase --service-code {quota.service} --quota-code {quota.code} "
        f"--desired-value {need.amount} --region {region}",
        need.urn,
        QuotaNeed(quota.service, quota.code, quota.name, quota.unit, need.amount - need.already, region),
    )


@KINDS.kind("aws-quota-unlisted", sources=(_GUIDE,))
def machines_of_quotas_without_a_code(site: Site) -> Iterator[Precondition]:
    """Quotas of machines with accelerators whose codes are not known, such as those of new families on spot."""
    return unlisted_machines(site, "aws", _code, lambda view: region_of(site, view.urn))


def _code(name: str, way: str) -> str | None:
    return quota_code(find_machine(name, AwsMachine), way)


@KINDS.kind("aws-quota-of-service", sources=(_GUIDE,))
def machines_of_a_service(site: Site) -> Iterator[Precondition]:
    """Quotas of a service that counts its own machines, such as SageMaker, one for each type and use."""
    for pool in program_pools(site, "aws"):
        yield from _of_service(pool)


def _of_service(pool: MachinePool) -> Iterator[Precondition]:
    try:
        if pool.service != _SAGEMAKER or not pool.has_accelerators():
            return
        count, types = pool.most(), [f"ml.{named.name}" for named in pool.machine_types()]
    except (NotKnown, TypeMismatch):
        return
    for name in types:
        yield Precondition(
            f"{pool.service} quota of {count} for {name}",
            "New accounts usually have 0 of types with accelerators, and the service refuses what is beyond its quota.",
            f"aws service-quotas list-service-quotas --service-code sagemaker "
            f"--query \"Quotas[?contains(QuotaName, '{name}')]\"",
            pool.view.urn,
            MachinesNeed("sagemaker", name, count, pool.purchase(), region_of(pool.view.site, pool.view.urn)),
        )


def _zone(gateway: View) -> str:
    subnet = gateway.one("subnetId", EC2_SUBNET)
    zone = subnet.text("availabilityZone") if subnet is not None else None
    if zone is None:
        raise NotKnown
    return zone


def _network(endpoint: View) -> str:
    network = endpoint.one("vpcId", EC2_VPC)
    if network is None:
        raise NotKnown
    return f"{network.name} ({aws_region(endpoint)})"


_PLACES: Final = {"region": aws_region, "zone": _zone, "network": _network}


def _machines(site: Site) -> Iterator[Taken]:
    for view in site.of_type(*DRAWING):
        try:
            for draw in draws_of(view):
                yield Taken(draw.quota, draw.amount, region_of(site, draw.by.urn), draw.by)
        except (NotKnown, TypeMismatch):
            continue
