"""The cost of the resources of AWS."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.catalog import prices
from penstock.economics.cost.bill import HOURS_A_MONTH, Line, Unpriced, line, machines
from penstock.model.pools.ec2 import aws_region
from penstock.resources.verdict import NotKnown
from penstock.resources.view import View


def priced_items(view: View) -> Iterator[Line | Unpriced]:
    """Yield the cost of a resource; nothing for what is free."""
    resource = view.resource
    match resource.type:
        case "aws:eks/cluster:Cluster":
            yield line(
                resource, "control plane", HOURS_A_MONTH, prices.service("aws", "eks", "cluster standard support")
            )
        case "aws:ec2/natGateway:NatGateway":
            yield line(
                resource, "NAT gateway, without traffic", HOURS_A_MONTH, prices.service("aws", "nat-gateway", "hour")
            )
        case "aws:ec2/vpcEndpoint:VpcEndpoint":
            yield from _endpoint(view)
        case "aws:fsx/lustreFileSystem:LustreFileSystem":
            tier = resource.inputs.get("perUnitStorageThroughput")
            price = prices.service("aws", "fsx-lustre", f"persistent2 ssd {tier} MB/s/TiB")
            gib = resource.inputs.get("storageCapacity")
            yield line(resource, f"{gib} GiB at {tier} MB/s/TiB", gib, price)
        case "aws:ec2/capacityReservation:CapacityReservation":
            machine_type, count = resource.inputs.get("instanceType"), resource.inputs.get("instanceCount")
            price = prices.on_demand(str(machine_type), _region(view), "aws")
            yield machines(resource, f"{count} × {machine_type}, reserved", count, price)
        case "aws:autoscaling/group:Group":
            yield from _warm_pool(view)


def _endpoint(view: View) -> Iterator[Line | Unpriced]:
    """An endpoint is paid by the hour in each zone that it stands in; a gateway is free."""
    kind = view.text("vpcEndpointType") or "Gateway"
    if kind == "Gateway":
        return
    if kind not in ("Interface", "GatewayLoadBalancer"):
        yield Unpriced(view.urn, f"endpoint of the type {kind}: no price known")
        return
    apart = view.referrers("aws:ec2/vpcEndpointSubnetAssociation:VpcEndpointSubnetAssociation", "vpcEndpointId")
    zones = view.count("subnetIds") + len(apart)
    price = prices.service("aws", "vpc-endpoint", "hour in a zone")
    what = f"private endpoint in {zones} zone{'s' if zones != 1 else ''}, without traffic"
    yield line(view.resource, what, zones * HOURS_A_MONTH, price)


def _warm_pool(view: View) -> Iterator[Unpriced]:
    """A warm pool of a group: stopped ones cost their volumes, running ones as much as the group's own."""
    warm = view.block("warmPool")
    if warm is not None:
        yield Unpriced(view.urn, f"warm pool, {warm.text('poolState') or 'Stopped'}: its machines are not counted")


def _region(view: View) -> str:
    try:
        return aws_region(view)
    except NotKnown:
        return ""
