"""The topology of AWS: subnets in zones, and EFA as launch templates ask for it."""

from __future__ import annotations

from typing import Final

from penstock.aws.model.ec2 import PLACES, Ec2Pool, Ec2Type, aws_region, subnets_of, zone_of
from penstock.aws.model.launch_templates import efa_interfaces, template_of
from penstock.aws.types import EC2_SUBNET
from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.graph.view import View
from penstock.model.pools.pool import MachinePool
from penstock.model.topology.records import PlacedSubnet, PoolFabric, Standing

SUBNETS: Final = (EC2_SUBNET,)
"""The types of resources that are subnets, or hold some."""

_WHERE: Final = ("subnetIds", "subnetId")
"""Where resources other than machines name the subnets that they stand in."""


def placed_subnets(view: View) -> list[PlacedSubnet]:
    """Return the subnet that a resource is."""
    cidr = view.text("cidrBlock") or ""
    return [PlacedSubnet(view.urn, view.name, _region(view), _zone(view), cidr)]


def pool_subnets(pool: MachinePool) -> list[View]:
    """Return the subnets that the machines of a pool start in."""
    return subnets_of(pool.view) if pool.view.type in PLACES else []


def pool_fabric(pool: MachinePool) -> PoolFabric | None:
    """Return EFA where the launch template of a pool has interfaces for it."""
    template = template_of(pool.view) if isinstance(pool, Ec2Pool) else None
    interfaces = efa_interfaces(template) if template is not None else []
    if template is None or not interfaces:
        return None
    first = next(iter(pool.machine_types()), None)
    machine = first.machine if isinstance(first, Ec2Type) else None
    placement = template.block("placement")
    compact = placement is not None and ("groupName" in placement or "groupId" in placement)
    return PoolFabric("EFA", len(interfaces), machine.network_gbps if machine is not None else None, compact=compact)


def standing(view: View) -> Standing:
    """Return where a resource stands: in the zones of its subnets, or in all of its region."""
    zones = {
        _zone(subnet)
        for key in _WHERE
        if key in view
        for subnet in view.many(key, *SUBNETS)
        if not subnet.resource.external
    }
    return Standing(_region(view), tuple(sorted(zones - {""})))


def _region(view: View) -> str:
    try:
        return aws_region(view)
    except (NotKnown, TypeMismatch):
        return ""


def _zone(view: View) -> str:
    try:
        return zone_of(view)
    except (NotKnown, TypeMismatch):
        return ""
