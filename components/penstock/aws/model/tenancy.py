"""The tenancy of machines of EC2: on hardware that they share with other accounts, or on their own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from penstock.aws.model.ec2 import PLACES, SINGLE, Ec2Pool, subnets_of
from penstock.aws.model.launch_templates import template_of
from penstock.aws.types import AUTOSCALING_GROUP, EC2_LAUNCH_CONFIGURATION, EC2_VPC
from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.model.pools.pool import MachinePool

Tenancy = Literal["default", "dedicated", "host"]


def tenancy_of(pool: MachinePool) -> Tenancy:
    """Return on whose hardware a pool's machines run; `default` also where the program leaves it open."""
    if not isinstance(pool, Ec2Pool):
        return "default"
    try:
        found = set(_said(pool))
    except (NotKnown, TypeMismatch):
        return "default"
    return "host" if "host" in found else "dedicated" if "dedicated" in found else "default"


def _said(pool: Ec2Pool) -> Iterator[str | None]:
    """What a machine, its template or configuration, and the networks of its subnets say."""
    view = pool.view
    template = template_of(view)
    placement = template.block("placement") if template is not None else None
    yield view.text("tenancy") if view.type in SINGLE else None
    yield placement.text("tenancy") if placement is not None else None
    if view.type == AUTOSCALING_GROUP:
        configuration = view.one("launchConfiguration", EC2_LAUNCH_CONFIGURATION)
        if configuration is not None and not configuration.resource.external:
            yield configuration.text("placementTenancy")
    for subnet in subnets_of(view) if view.type in PLACES else ():
        network = subnet.one("vpcId", EC2_VPC)
        if network is not None and not network.resource.external:
            yield network.text("instanceTenancy")
