"""What a Graph costs in a month as it is started, at list prices.

Machines count as many as are started, reservations as many as they hold. What is billed by use, and what the catalogue
has no price for, is named and never counted as nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from penstock.catalog import prices
from penstock.catalog.prices import Price
from penstock.findings import Finding, Severity, Source
from penstock.rehearsal.graph import Graph, Resource

HOURS_A_MONTH = 730

_BUDGET = "aws:budgets/budget:Budget"
_LAUNCH_TEMPLATE = "aws:ec2/launchTemplate:LaunchTemplate"
_DEFAULT_MACHINE = "t3.medium"
_RESERVATION = "aws:ec2/capacityReservation:CapacityReservation"


@dataclass(frozen=True, slots=True)
class Line:
    """What one resource costs in a month; `unverified` says that its price is a guess."""

    urn: str
    what: str
    monthly_usd: float
    unverified: bool
    source: str


@dataclass(frozen=True, slots=True)
class Unpriced:
    """A resource that costs something the catalogue cannot tell, and why."""

    urn: str
    why: str


@dataclass(frozen=True, slots=True)
class Cost:
    """The bill of a month: what could be priced, the dearest first, and what could not."""

    lines: tuple[Line, ...]
    unpriced: tuple[Unpriced, ...]

    @property
    def monthly_usd(self) -> float:
        """The sum of all lines."""
        return sum(line.monthly_usd for line in self.lines)


def of(graph: Graph) -> Cost:
    """The cost of everything in a Graph."""
    found = [item for resource in graph for item in _items(resource, graph)]
    lines = sorted((item for item in found if isinstance(item, Line)), key=lambda line: -line.monthly_usd)
    return Cost(tuple(lines), tuple(item for item in found if isinstance(item, Unpriced)))


def over_budget(cost: Cost, graph: Graph) -> Iterator[Finding]:
    """A warning for each monthly budget of the Graph that its own cost exceeds from the start."""
    for budget in graph.of_type(_BUDGET):
        try:
            limit = float(budget.inputs.get("limitAmount") or "")
        except (TypeError, ValueError):
            continue  # not known yet, or no number, which the SDK's types tell
        if cost.monthly_usd > limit:
            yield Finding(
                code="BUDGET-001",
                severity=Severity.WARNING,
                source=Source.BUDGET,
                message=f"This costs about {cost.monthly_usd:,.0f} USD a month; the budget is {limit:,.0f}.",
                hint="Start fewer or smaller machines, or raise budget.monthly_usd.",
                urn=budget.urn,
                path="limitAmount",
            )


def _items(resource: Resource, graph: Graph) -> Iterator[Line | Unpriced]:
    region = _region(resource, graph)
    match resource.type:
        case "aws:eks/cluster:Cluster":
            yield _line(
                resource, "control plane", HOURS_A_MONTH, prices.service("aws", "eks", "cluster standard support")
            )
        case "aws:ec2/natGateway:NatGateway":
            yield _line(
                resource, "NAT gateway, without traffic", HOURS_A_MONTH, prices.service("aws", "nat-gateway", "hour")
            )
        case "aws:fsx/lustreFileSystem:LustreFileSystem":
            tier = resource.inputs.get("perUnitStorageThroughput")
            price = prices.service("aws", "fsx-lustre", f"persistent2 ssd {tier} MB/s/TiB")
            gib = resource.inputs.get("storageCapacity")
            yield _line(resource, f"{gib} GiB at {tier} MB/s/TiB", gib, price)
        case "aws:ec2/capacityReservation:CapacityReservation":
            machine_type, count = resource.inputs.get("instanceType"), resource.inputs.get("instanceCount")
            price = prices.on_demand(str(machine_type), region)
            yield _machines(resource, f"{count} × {machine_type}, reserved", count, price)
        case "aws:eks/nodeGroup:NodeGroup":
            yield from _nodes(resource, graph, region)
        case _ if (why := prices.billed_otherwise(resource.type)) is not None:
            yield Unpriced(resource.urn, why)


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
        price = (prices.spot if capacity == "SPOT" else prices.on_demand)(machine_type, region)
        how = capacity.lower().replace("_", " ")
        yield _machines(group, f"{count} × {machine_type}, {how}", count, price)


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


def _machines(resource: Resource, what: str, count: Any, price: Price | None) -> Line | Unpriced:
    return _line(resource, what, count * HOURS_A_MONTH if isinstance(count, int) else None, price)


def _line(resource: Resource, what: str, units: Any, price: Price | None) -> Line | Unpriced:
    if not isinstance(units, int | float):
        return Unpriced(resource.urn, f"{what}: how much is not known yet")
    if price is None and units:
        return Unpriced(resource.urn, f"{what}: no price known")
    if price is None:
        return Line(resource.urn, what, 0.0, unverified=False, source="")
    return Line(
        resource.urn, what, round(units * price.usd, 2), unverified="usd" in price.unverified, source=price.source
    )
