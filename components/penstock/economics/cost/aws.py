"""What the resources of AWS cost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from penstock.catalog import prices
from penstock.economics.cost.bill import HOURS_A_MONTH, Line, Unpriced, line, machines
from penstock.resources.graph import Graph, Resource
from penstock.resources.view import View

_LAUNCH_TEMPLATE = "aws:ec2/launchTemplate:LaunchTemplate"
_DEFAULT_MACHINE = "t3.medium"
_RESERVATION = "aws:ec2/capacityReservation:CapacityReservation"


def items(view: View) -> Iterator[Line | Unpriced]:
    """What a resource costs; nothing for what is free."""
    resource, graph = view.resource, view.site.graph
    region = _region(resource, graph)
    match resource.type:
        case "aws:eks/cluster:Cluster":
            yield line(
                resource, "control plane", HOURS_A_MONTH, prices.service("aws", "eks", "cluster standard support")
            )
        case "aws:ec2/natGateway:NatGateway":
            yield line(
                resource, "NAT gateway, without traffic", HOURS_A_MONTH, prices.service("aws", "nat-gateway", "hour")
            )
        case "aws:fsx/lustreFileSystem:LustreFileSystem":
            tier = resource.inputs.get("perUnitStorageThroughput")
            price = prices.service("aws", "fsx-lustre", f"persistent2 ssd {tier} MB/s/TiB")
            gib = resource.inputs.get("storageCapacity")
            yield line(resource, f"{gib} GiB at {tier} MB/s/TiB", gib, price)
        case "aws:ec2/capacityReservation:CapacityReservation":
            machine_type, count = resource.inputs.get("instanceType"), resource.inputs.get("instanceCount")
            price = prices.on_demand(str(machine_type), region, "aws")
            yield machines(resource, f"{count} × {machine_type}, reserved", count, price)
        case "aws:eks/nodeGroup:NodeGroup":
            yield from _nodes(resource, graph, region)


def _region(resource: Resource, graph: Graph) -> str:
    provider = graph.resources.get(resource.provider_urn)
    configured = provider.inputs.get("region") if provider else resource.outputs.get("region")
    return str(resource.inputs.get("region") or configured)


def _nodes(group: Resource, graph: Graph, region: str) -> Iterator[Line | Unpriced]:
    template = _launch_template(group, graph)
    listed = group.inputs.get("instanceTypes", [_DEFAULT_MACHINE])
    first = listed[0] if isinstance(listed, list) and listed else listed
    machine_type = str(template.get("instanceType") or first)
    scaling = group.inputs.get("scalingConfig")
    count = scaling.get("desiredSize") if isinstance(scaling, Mapping) else None
    capacity = str(group.inputs.get("capacityType", "ON_DEMAND"))
    if capacity == "CAPACITY_BLOCK":
        yield Unpriced(group.urn, "capacity block, paid when it was bought")
    elif template.get("capacityReservationSpecification") and _reserved_here(group, graph):
        return  # the reservation is billed, used or not
    else:
        price = (prices.spot if capacity == "SPOT" else prices.on_demand)(machine_type, region, "aws")
        how = capacity.lower().replace("_", " ")
        yield machines(group, f"{count} × {machine_type}, {how}", count, price)


def _launch_template(group: Resource, graph: Graph) -> Mapping[str, Any]:
    for urn in group.property_dependencies.get("launchTemplate", ()):
        source = graph.resources.get(urn)
        if source is not None and source.type == _LAUNCH_TEMPLATE:
            return source.inputs
    return {}


def _reserved_here(group: Resource, graph: Graph) -> bool:
    behind = [graph.resources.get(urn) for urn in group.property_dependencies.get("launchTemplate", ())]
    reservations = {reservation.urn for reservation in graph.of_type(_RESERVATION)}
    return any(not reservations.isdisjoint(template.dependencies) for template in behind if template is not None)
