"""Public IPv4 addresses that machines of EC2 get by themselves; reserved ones are resources of their own."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.aws.model.ec2 import PLACES, SINGLE, Ec2Pool, subnets_of
from penstock.aws.model.launch_templates import template_of
from penstock.aws.types import AUTOSCALING_GROUP, EC2_EIP, EC2_EIP_ASSOCIATION, EC2_LAUNCH_CONFIGURATION
from penstock.graph.verdict import NotKnown
from penstock.model.pools.pool import MachinePool

_EIP, _ASSOCIATION = EC2_EIP, EC2_EIP_ASSOCIATION


def public_addresses(pool: MachinePool) -> int:
    """Return how many public addresses each machine of a pool gets.

    Raises:
        NotKnown: only the cloud knows, as where the program does not describe the subnets.
    """
    return int(_gets_one(pool)) if isinstance(pool, Ec2Pool) else 0


def _gets_one(pool: Ec2Pool) -> bool:
    """Whether a machine gets one: as it or its template says, else as its subnets do; a reserved one replaces it."""
    view = pool.view
    if view.type in SINGLE and (view.referrers(_EIP, "instance") or view.referrers(_ASSOCIATION, "instanceId")):
        return False
    for said in _said(pool):
        if said is not None:
            return said
    by_subnets = (
        {bool(subnet.flag("mapPublicIpOnLaunch")) for subnet in subnets_of(view)} if view.type in PLACES else ()
    )
    if len(by_subnets) != 1:
        raise NotKnown  # some do and some do not, or it is in a default subnet, which does unless somebody changed it
    return True in by_subnets


def _said(pool: Ec2Pool) -> Iterator[bool | None]:
    view = pool.view
    if view.type in SINGLE:
        yield view.flag("associatePublicIpAddress")
    template = template_of(view)
    for each in template.blocks("networkInterfaces") if template is not None else ():
        given = each.value("associatePublicIpAddress") if "associatePublicIpAddress" in each else None
        yield None if given is None else str(given).casefold() == "true"
    if view.type == AUTOSCALING_GROUP:
        configuration = view.one("launchConfiguration", EC2_LAUNCH_CONFIGURATION)
        if configuration is not None and not configuration.resource.external:
            yield configuration.flag("associatePublicIpAddress")
