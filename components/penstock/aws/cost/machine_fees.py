"""The cost of options of EC2 machines: detailed monitoring, CPU credits, and EBS optimisation of old families."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from penstock.aws.cost.storage import service
from penstock.aws.cost.tenancy import region_fee
from penstock.aws.model.launch_templates import template_of
from penstock.aws.types import AUTOSCALING_GROUP, EC2_LAUNCH_CONFIGURATION
from penstock.cost.amounts import Amount
from penstock.cost.bill import HOURS_A_MONTH, Line, Unpriced, line
from penstock.cost.machine_pools import running
from penstock.cost.stored import credit_items
from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.graph.view import View
from penstock.model.pools import MachinePool

_Items = Iterator[Line | Unpriced]

_METRICS: Final = 7
"""The metrics of a machine that detailed monitoring bills (CloudWatch pricing page, example of EC2)."""
_UNLIMITED_BY_DEFAULT: Final = ("t3", "t3a", "t4g")
_BURSTABLE: Final = (*_UNLIMITED_BY_DEFAULT, "t2")
_OPTIMISED_FOR_A_FEE: Final = ("c1", "c3", "g2", "i2", "m1", "m2", "m3", "r3")
"""Families whose EBS optimisation has a price (EC2 user guide, EBS-optimized instances)."""


def machine_fees(pool: MachinePool) -> _Items:
    """Yield what the machines of a pool cost beside their price, and the fee of a region with dedicated instances."""
    yield from region_fee(pool)
    try:
        types = [each.name for each in pool.machine_types()]
        count = running(pool) if not pool.service and not pool.provisioner else None
        if types and count is not None:
            yield from _fees(pool.view, types[0], count)
    except (NotKnown, TypeMismatch):
        return  # the bill of the machines says so


def _fees(view: View, machine_type: str, count: Amount) -> _Items:
    starter = _starter(view)
    family = machine_type.partition(".")[0]
    if _is_monitored(starter):
        metrics = count * _METRICS
        what = f"{metrics.expected:g} metrics of detailed monitoring"
        yield line(view.resource, what, metrics, service(view, "cloudwatch", "metric"))
    if family in _BURSTABLE and _is_unlimited(starter, family):
        yield from credit_items(view, service(view, "ec2", "cpu credit on Arm" if family == "t4g" else "cpu credit"))
    if family in _OPTIMISED_FOR_A_FEE and starter.flag("ebsOptimized"):
        price = service(view, "ec2", f"EBS-optimised {machine_type}")
        what = f"EBS optimisation of {count.expected:g} × {machine_type}"
        yield line(view.resource, what, count * HOURS_A_MONTH, price)


def _starter(view: View) -> View:
    """The launch template or configuration that has the options of the machines, else the resource itself."""
    template = template_of(view)
    if template is not None:
        return template
    if view.type == AUTOSCALING_GROUP and "launchConfiguration" in view:
        return view.one("launchConfiguration", EC2_LAUNCH_CONFIGURATION) or view
    return view


def _is_monitored(starter: View) -> bool:
    """Return True for metrics of each minute, which launch configurations ask for by default."""
    if starter.type == EC2_LAUNCH_CONFIGURATION:
        return starter.flag("enableMonitoring") is not False
    given = starter.value("monitoring")
    if isinstance(given, dict):
        block = starter.block("monitoring")
        return bool(block is not None and block.flag("enabled"))
    return given in (True, "true")


def _is_unlimited(starter: View, family: str) -> bool:
    given = starter.block("creditSpecification")
    kind = given.text("cpuCredits") if given is not None else None
    return kind == "unlimited" or (kind is None and family in _UNLIMITED_BY_DEFAULT)
