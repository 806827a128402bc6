"""The cost of machines that other services start: environments of Elastic Beanstalk, instances of Lightsail."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from penstock.aws.cost.storage import region_of, service
from penstock.aws.types import ELASTICBEANSTALK_ENVIRONMENT, LIGHTSAIL_INSTANCE
from penstock.catalog import prices
from penstock.cost.amounts import Amount
from penstock.cost.bill import HOURS_A_MONTH, Line, Unpriced, line
from penstock.graph.view import View

_Items = Iterator[Line | Unpriced]

_NAMESPACES: Final = {
    "InstanceType": ("aws:autoscaling:launchconfiguration", "InstanceType"),
    "InstanceTypes": ("aws:ec2:instances", "InstanceTypes"),
    "MinSize": ("aws:autoscaling:asg", "MinSize"),
    "MaxSize": ("aws:autoscaling:asg", "MaxSize"),
    "EnvironmentType": ("aws:elasticbeanstalk:environment", "EnvironmentType"),
    "LoadBalancerType": ("aws:elasticbeanstalk:environment", "LoadBalancerType"),
    "DBInstanceClass": ("aws:rds:dbinstance", "DBInstanceClass"),
    "DBEngine": ("aws:rds:dbinstance", "DBEngine"),
    "MultiAZDatabase": ("aws:rds:dbinstance", "MultiAZDatabase"),
    "DBAllocatedStorage": ("aws:rds:dbinstance", "DBAllocatedStorage"),
}
_LEAST_GIB: Final = 5
"""The default storage of the database of an environment (Elastic Beanstalk developer guide, aws:rds:dbinstance)."""
_BALANCER_BY_DEFAULT: Final = "classic"


def _environment(view: View) -> _Items:
    """The machines of an environment of Elastic Beanstalk, and its load balancer."""
    given = {(each.text("namespace"), each.text("name")): each.text("value") for each in view.blocks("settings")}
    found = {name: given.get(key) for name, key in _NAMESPACES.items()}
    machine_type = (found["InstanceTypes"] or found["InstanceType"] or "").partition(",")[0]
    single = found["EnvironmentType"] == "SingleInstance"
    least, most = (1, 1) if single else (_number(found["MinSize"], 1), _number(found["MaxSize"], 4))
    if not machine_type:
        why = "machines of the environment: its platform decides which"
        yield Unpriced(view.urn, why, "the setting InstanceTypes", missing="amount")
    else:
        price = prices.on_demand(machine_type, region_of(view), "aws")
        hours = Amount(least, least, max(least, most)) * HOURS_A_MONTH
        note = "" if least == most else f"{least} to {most} machines"
        yield line(view.resource, f"{least} × {machine_type}, on demand", hours, price, assumes=note)
    if not single:
        kind = found["LoadBalancerType"] or _BALANCER_BY_DEFAULT
        what = f"{kind} load balancer, without traffic"
        yield line(view.resource, what, HOURS_A_MONTH, service(view, "elb", f"{kind} load balancer"))
    yield from _database(view, found)


def _number(text: str | None, default: int) -> int:
    return int(text) if text is not None and text.isdecimal() else default


def _database(view: View, found: Mapping[str, str | None]) -> _Items:
    """The database that an environment starts; its engine is MySQL unless the settings say otherwise."""
    size, engine = found["DBInstanceClass"], found["DBEngine"] or "mysql"
    copies = 2 if found["MultiAZDatabase"] == "true" else 1
    if size is None:
        return
    what = f"{engine} on {size}" + (", in two zones" if copies > 1 else "")
    yield line(view.resource, what, copies * HOURS_A_MONTH, service(view, "rds", f"{engine} {size}"))
    gib = _number(found["DBAllocatedStorage"], _LEAST_GIB) * copies
    yield line(view.resource, f"{gib} GiB of database storage, gp2", gib, service(view, "rds", "gp2 storage"))


def _bundle(view: View) -> _Items:
    """A machine of Lightsail by its bundle: `m_large_win_1_0`, without the version."""
    bundle = view.text("bundleId") or ""
    words = [word for word in bundle.split("_") if not word.isdigit()]
    size = "_".join(word for word in words if word not in ("win", "ipv6"))
    item = " ".join((size, *(word for word in ("win", "ipv6") if word in words)))
    yield line(view.resource, f"Lightsail instance, {bundle}", 1, service(view, "lightsail", item))


PRICED: Final[Mapping[str, Callable[[View], _Items]]] = {
    ELASTICBEANSTALK_ENVIRONMENT: _environment,
    LIGHTSAIL_INSTANCE: _bundle,
}
"""The functions that price them, by type token."""
