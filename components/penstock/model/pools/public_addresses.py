"""Public addresses of IPv4 that machines get by themselves; reserved ones are resources of their own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from penstock.model.pools.azure import AksPool, VirtualMachinePool
from penstock.model.pools.ec2 import PLACES, SINGLE, Ec2Pool, subnets_of
from penstock.model.pools.gce import InstancePool, NotebookPool
from penstock.model.pools.gke import GkePool
from penstock.model.pools.launch_templates import AUTOSCALING_GROUP, template_of
from penstock.model.pools.pool import MachinePool
from penstock.resources.verdict import NotKnown
from penstock.resources.view import Block

_LAUNCH_CONFIGURATION: Final = "aws:ec2/launchConfiguration:LaunchConfiguration"
_EIP, _ASSOCIATION = "aws:ec2/eip:Eip", "aws:ec2/eipAssociation:EipAssociation"


def public_addresses(pool: MachinePool) -> int:
    """Return how many public addresses each machine of a pool gets.

    Raises:
        NotKnown: only the cloud knows, as where the program does not describe the subnets.
    """
    if pool.service or pool.provisioner:
        return 0
    if isinstance(pool, Ec2Pool):
        return int(_of_ec2(pool))
    if isinstance(pool, GkePool):
        return int(not _are_private(pool))
    if isinstance(pool, InstancePool) and not isinstance(pool, NotebookPool):
        return _of_google(pool.config)
    if isinstance(pool, AksPool):
        return int(bool(pool.block.flag("enableNodePublicIP")))
    return _of_scale_set(pool) if isinstance(pool, VirtualMachinePool) else 0


def _of_ec2(pool: Ec2Pool) -> bool:
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
        configuration = view.one("launchConfiguration", _LAUNCH_CONFIGURATION)
        if configuration is not None and not configuration.resource.external:
            yield configuration.flag("associatePublicIpAddress")


def _of_google(config: Block) -> int:
    """The access configurations that name no reserved address; those that do use one of its own price."""
    return sum(
        "natIp" not in access for each in config.blocks("networkInterfaces") for access in each.blocks("accessConfigs")
    )


def _are_private(pool: GkePool) -> bool:
    """Whether nodes are private: as their pool says, else their cluster.

    Raises:
        NotKnown: the cluster lies outside the program.
    """
    network = pool.block.block("networkConfig") if not pool.is_default else None
    if network is not None and "enablePrivateNodes" in network:
        return bool(network.flag("enablePrivateNodes"))
    private = pool.cluster.block("privateClusterConfig")
    return private is not None and bool(private.flag("enablePrivateNodes"))


def _of_scale_set(pool: VirtualMachinePool) -> int:
    profile = pool.block.block("virtualMachineProfile")
    network = profile.block("networkProfile") if profile is not None else None
    interfaces = network.blocks("networkInterfaceConfigurations") if network is not None else []
    return sum(
        "publicIPAddressConfiguration" in each
        for interface in interfaces
        for each in interface.blocks("ipConfigurations")
    )
