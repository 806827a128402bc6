"""The cost of the resources of AWS: networks, clusters, machines' reservations and disks, databases."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from importlib import import_module
from typing import Final

from penstock.aws.cost.storage import STORED, region_of, service
from penstock.aws.model.launch_templates import template_of
from penstock.aws.types import (
    ALB_LOAD_BALANCER,
    AUTOSCALING_GROUP,
    DYNAMODB_TABLE,
    EBS_SNAPSHOT,
    EBS_SNAPSHOT_COPY,
    EBS_SNAPSHOT_IMPORT,
    EBS_VOLUME,
    EC2_CAPACITY_RESERVATION,
    EC2_EIP,
    EC2_INSTANCE,
    EC2_NAT_GATEWAY,
    EC2_VPC,
    EC2_VPC_ENDPOINT,
    ECS_SERVICE,
    ECS_TASK_SET,
    EKS_CLUSTER,
    EKS_NODE_GROUP,
    ELASTICBEANSTALK_ENVIRONMENT,
    ELASTICSEARCH_DOMAIN,
    LAMBDA_PROVISIONED_CONCURRENCY_CONFIG,
    LB_LOAD_BALANCER,
    LIGHTSAIL_INSTANCE,
    OPENSEARCH_DOMAIN,
    RDS_CLUSTER_INSTANCE,
    RDS_INSTANCE,
    ROUTE53_ZONE,
)
from penstock.catalog import kubernetes_versions, prices
from penstock.catalog.licences import licence_of
from penstock.core.errors import UnknownFact
from penstock.core.wording import plural
from penstock.cost.amounts import Amount, exactly
from penstock.cost.bill import HOURS_A_MONTH, Line, Unpriced, line, machines, unpriced_machines
from penstock.cost.disk_performance import Provisioned, performance_items
from penstock.cost.machine_pools import committed, pool_usage, running
from penstock.cost.part_items import part_items
from penstock.cost.stored import used_items
from penstock.cost.tiers import Tier, parts_of
from penstock.cost.traffic import cluster_volumes, egress_items, flow_items, is_first_network, shared_flow
from penstock.cost.words import described, quantity
from penstock.graph.verdict import NotKnown
from penstock.graph.view import Block, View
from penstock.model.pools import machine_pools

_Items = Iterator[Line | Unpriced]

_EGRESS: Final = (
    Tier("internet first 10 TB", 10_240),
    Tier("internet next 40 TB", 51_200),
    Tier("internet next 100 TB", 153_600),
    Tier("internet over 150 TB", None),
)
_ROOT: Final = "root volume: its image decides how large it is"
_NODE_GIB: Final = 20
"""The disk of a node of EKS where nobody says (EKS API reference, CreateNodegroup diskSize)."""
_IO2_FIRST: Final = 32_000
_IO2: Final = (
    Tier("io2 iops", _IO2_FIRST),
    Tier("io2 iops next 32000", 64_000),
    Tier("io2 iops over 64000", None),
)
"""IOPS of one volume, which cost less the more it is given."""
_OF_GP3: Final = {"gp3 iops": "gp3 iops over 3000", "gp3 throughput": "gp3 throughput over 125"}
"""The items of services.csv by what `performance_items` asks for."""


_FAMILIES: Final[Mapping[str, str]] = {
    DYNAMODB_TABLE: "tables",
    EBS_SNAPSHOT: "snapshots",
    EBS_SNAPSHOT_COPY: "snapshots",
    EBS_SNAPSHOT_IMPORT: "snapshots",
    ECS_SERVICE: "serverless",
    ECS_TASK_SET: "serverless",
    ELASTICBEANSTALK_ENVIRONMENT: "environments",
    ELASTICSEARCH_DOMAIN: "search",
    LAMBDA_PROVISIONED_CONCURRENCY_CONFIG: "serverless",
    LIGHTSAIL_INSTANCE: "environments",
    OPENSEARCH_DOMAIN: "search",
    RDS_CLUSTER_INSTANCE: "databases",
    RDS_INSTANCE: "databases",
}
"""The modules of further types, which are imported only for programs that have them."""


def priced_items(view: View) -> _Items:
    """Yield the cost of a resource; nothing for what is free."""
    family, priced = _FAMILIES.get(view.type), _PRICED.get(view.type)
    yield from part_items(view, service, only=family is None and priced is None)
    if family is not None:
        yield from import_module(f"{__package__}.{family}").PRICED[view.type](view)
    elif priced is not None:
        yield from priced(view)


def _cluster(cluster: View) -> _Items:
    """A control plane costs six times as much once its version is past standard support."""
    support = cluster.block("upgradePolicy")
    kind, note = "standard", ""
    try:
        version = cluster.text("version")
        until = kubernetes_versions.find_version(version, "aws").standard_until if version else None
    except (NotKnown, UnknownFact):
        version, until = None, None
    if (
        until is not None
        and until < cluster.site.today
        and (support is None or support.text("supportType") != "STANDARD")
    ):
        kind, note = "extended", f"{version} is past standard support since {until}"
    price = service(cluster, "eks", f"cluster {kind} support")
    what = "control plane" if kind == "standard" else "control plane, extended support"
    yield line(cluster.resource, what, HOURS_A_MONTH, price, assumes=note)
    yield from cluster_volumes(cluster, service(cluster, "ebs", "gp3 storage"), service(cluster, "ebs", "snapshots"))


def _nat(view: View) -> _Items:
    yield line(view.resource, "NAT gateway, without traffic", HOURS_A_MONTH, service(view, "nat-gateway", "hour"))
    price = service(view, "nat-gateway", "data processed")
    yield from shared_flow(view, view.site.of_type(EC2_NAT_GATEWAY), "nat_gb", "traffic through NAT", price)


def _address(view: View) -> _Items:
    yield line(view.resource, "public address", HOURS_A_MONTH, service(view, "public-ip", "address"))


def _network(view: View) -> _Items:
    """Traffic is named once for a program, at its first network."""
    if not is_first_network(view):
        return
    yield from egress_items(view, "aws", _EGRESS, region_of(view))
    zones = service(view, "egress", "cross-az each way")
    yield from flow_items(view, "cross_zone_gb", "traffic between zones, both ways", zones, factor=2)
    regions = service(view, "egress", "to other regions")
    yield from flow_items(view, "cross_region_gb", "traffic to other regions", regions)


def _endpoint(view: View) -> _Items:
    """An endpoint is paid by the hour in each zone that it stands in; a gateway is free."""
    kind = view.text("vpcEndpointType") or "Gateway"
    if kind == "Gateway":
        return
    if kind not in ("Interface", "GatewayLoadBalancer"):
        yield Unpriced(view.urn, f"endpoint of the type {kind}: no price known")
        return
    apart = view.referrers("aws:ec2/vpcEndpointSubnetAssociation:VpcEndpointSubnetAssociation", "vpcEndpointId")
    zones = view.count("subnetIds") + len(apart)
    price = service(view, "vpc-endpoint", "hour in a zone")
    what = f"private endpoint in {plural(zones, 'zone')}, without traffic"
    yield line(view.resource, what, zones * HOURS_A_MONTH, price)
    paid = [
        each for each in view.site.of_type(EC2_VPC_ENDPOINT) if each.given("vpcEndpointType") not in (None, "Gateway")
    ]
    item = "data processed first PB" if kind == "Interface" else "gateway load balancer data processed"
    yield from shared_flow(
        view, paid, "endpoint_gb", "traffic through private endpoints", service(view, "vpc-endpoint", item)
    )


def _reservation(view: View) -> _Items:
    machine_type, count = view.text("instanceType"), view.resource.inputs.get("instanceCount")
    what = described(quantity(count, machine_type or "", times=True), "reserved")
    if view.text("tenancy") == "dedicated":
        why = f"{what}, on dedicated hardware: no price known"
        missing = unpriced_machines(view.resource, machine_type or "", count, region_of(view))
        yield Unpriced(view.urn, why, "the price of dedicated instances", machines=missing)
        return
    price = prices.on_demand(str(machine_type), region_of(view), "aws")
    usage = pool_usage(view)
    committed_price = committed(price, usage, "aws", str(machine_type), region_of(view))
    named, region = str(machine_type), region_of(view)
    item = machines(view.resource, what, count, committed_price, machine_type=named, region=region)
    if isinstance(item, Line) and committed_price is not price and usage is not None:
        item = replace(item, assumes=f"committed for {usage.commitment}")
    yield item
    platform = view.text("instancePlatform") or ""
    if licence_of("aws", "platform", platform) is not None:
        yield Unpriced(view.urn, f"licence of {platform} for {machine_type}, reserved: no price known", "its platform")


def _group(view: View) -> _Items:
    """A warm pool of a group: stopped ones cost their volumes, running ones as much as the group's own."""
    warm = view.block("warmPool")
    if warm is not None:
        state = warm.text("poolState") or "Stopped"
        why = f"warm pool, {state}: its machines are not counted"
        yield Unpriced(view.urn, why, "the machines of the warm pool", missing="amount")
    yield from _node_disks(view)


def _node_disks(view: View) -> _Items:
    """The volumes that each machine of a pool starts with."""
    pools = machine_pools(view)
    if not pools or any(pool.provisioner for pool in pools):
        return
    template = template_of(view)
    volumes = _volumes_of(template)
    nodes = running(pools[0])
    if nodes is None:
        return
    if volumes:
        for volume in volumes:
            yield from _volume_items(view, volume, "volumeSize", "volumeType", nodes)
    elif view.type == EKS_NODE_GROUP:
        gib = view.integer("diskSize") or _NODE_GIB
        yield from _disk(view, gib, "gp2" if template is None else "gp3", nodes)
    else:
        yield Unpriced(view.urn, _ROOT, "the size of the image", missing="use")


def _volumes_of(template: View | None) -> list[Block]:
    """The volumes that a launch template lists."""
    disks = template.blocks("blockDeviceMappings") if template is not None else []
    return [ebs for disk in disks if (ebs := disk.block("ebs")) is not None]


def _instance(view: View) -> _Items:
    root = view.block("rootBlockDevice")
    started = _volumes_of(template_of(view)) if root is None and "launchTemplate" in view else []
    if root is None and not started:
        yield Unpriced(view.urn, _ROOT, "the size of the image", missing="use")
    for volume in started:
        yield from _volume_items(view, volume, "volumeSize", "volumeType", exactly(1))
    for volume in (*([root] if root is not None else []), *view.blocks("ebsBlockDevices")):
        yield from _volume_items(view, volume, "volumeSize", "volumeType", exactly(1))


def _volume(view: View) -> _Items:
    yield from _volume_items(view, view, "size", "type", exactly(1))


def _volume_items(view: View, volume: Block, size: str, kind: str, count: Amount) -> _Items:
    gib, sold_as = volume.integer(size), volume.text(kind) or "gp2"
    if gib is None:
        why = f"volume, {sold_as}: its image decides how large it is"
        yield Unpriced(view.urn, why, "the size of the image", missing="use")
        return
    yield from _disk(view, gib, sold_as, count)
    iops = volume.number("iops")
    if sold_as == "gp3":
        disk = Provisioned(sold_as, iops, volume.number("throughput"))
        yield from performance_items(
            view.resource, "aws", disk, count, lambda item: service(view, "ebs", _OF_GP3[item])
        )
    elif iops and sold_as == "io2":
        for tier, part in parts_of(exactly(iops), _IO2):
            what = f"{part.expected:g} IOPS, {tier.item}" if iops > _IO2_FIRST else f"{iops:g} IOPS, io2"
            yield line(view.resource, what, count * part.expected, service(view, "ebs", tier.item))
    elif iops and sold_as == "io1":
        yield line(view.resource, f"{iops:g} IOPS, io1", count * iops, service(view, "ebs", "io1 iops"))


def _disk(view: View, gib: int, kind: str, count: Amount) -> _Items:
    each = f"{round(count.expected, 1):g} × " if count != exactly(1) else ""
    what = f"{each}{gib} GiB volume, {kind}"
    yield line(view.resource, what, count * gib, service(view, "ebs", f"{kind} storage"), assumes=_span(count))


def _load_balancer(view: View) -> _Items:
    kind = view.text("loadBalancerType") or "application"
    yield line(
        view.resource, f"{kind} load balancer, without traffic", HOURS_A_MONTH,
        service(view, "elb", f"{kind} load balancer"),
    )  # fmt: skip
    own = sum("allocationId" not in each for each in view.blocks("subnetMappings"))
    addresses = view.count("subnets") + own if kind != "gateway" and not view.flag("internal") else 0
    if addresses:
        price = service(view, "public-ip", "address")
        note = "one in each subnet; more as it grows" if kind == "application" else "one in each subnet"
        what = "public address" if addresses == 1 else f"{addresses} public addresses"
        yield line(view.resource, what, addresses * HOURS_A_MONTH, price, assumes=note)
    unit = service(view, "elb", f"{kind} capacity unit")
    yield from used_items(view, ("requests", "capacity_units"), "capacity units", unit)


def _zone(view: View) -> _Items:
    yield line(view.resource, "DNS zone", 1, service(view, "route53", "zone"))


def _span(count: Amount) -> str:
    return f"{count.low:g} to {count.high:g} machines" if count.low != count.high else ""


_PRICED: Final[Mapping[str, Callable[[View], _Items]]] = {
    **STORED,
    AUTOSCALING_GROUP: _group,
    EBS_VOLUME: _volume,
    EC2_CAPACITY_RESERVATION: _reservation,
    EC2_EIP: _address,
    EC2_INSTANCE: _instance,
    EC2_VPC: _network,
    EKS_CLUSTER: _cluster,
    LB_LOAD_BALANCER: _load_balancer,
    ALB_LOAD_BALANCER: _load_balancer,
    ROUTE53_ZONE: _zone,
    EC2_VPC_ENDPOINT: _endpoint,
    EC2_NAT_GATEWAY: _nat,
    EKS_NODE_GROUP: _node_disks,
}
