"""The networks of a fabric, as pods on GKE ask for them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Protocol

import pulumi
from pulumi_kubernetes.apiextensions import CustomResource
from pulumi_kubernetes.meta import v1 as meta

_API = "networking.gke.io/v1"


class InterfaceGroup(Protocol):
    """Networks of one kind, and the interfaces that a node has in them."""

    @property
    def interfaces(self) -> int:
        """The interfaces of a node in all networks of the group."""

    @property
    def subnetworks(self) -> int:
        """The subnetworks of each network; 0 where Google makes one."""

    @property
    def device_mode(self) -> str:
        """How pods get the interface, in GKE's words."""


class FabricInterfaces(Protocol):
    """The networks of a fabric, in the order in which a node's further interfaces are numbered."""

    @property
    def name(self) -> str:
        """The name of the fabric."""

    @property
    def groups(self) -> Sequence[InterfaceGroup]:
        """Its groups of networks."""

    @property
    def interfaces(self) -> int:
        """The interfaces of a node beside its first."""


class FabricNetworks(pulumi.ComponentResource):
    """A `Network` object `PREFIX-ethN` for each further interface of a node, called as the pod's interface is.

    `annotations` are what a pod needs to get them all; it then has a node of its own. Interfaces in a subnetwork that
    Google makes have none: GKE takes a subnetwork for one object only, and pods claim them of its DRANET instead.
    """

    annotations: Mapping[str, str]

    def __init__(
        self,
        name: str,
        *,
        fabric: FabricInterfaces,
        networks: Sequence[tuple[pulumi.Input[str], pulumi.Input[str]]],
        prefix: str,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Name the networks of `fabric`: `networks` are VPC and subnetwork of each interface, in the nodes' order.

        Raises:
            ValueError: there are more or fewer of them than the fabric has interfaces.
        """
        super().__init__("penstock:kubernetes:FabricNetworks", name, None, opts)
        if len(networks) != fabric.interfaces:
            raise ValueError(
                f"{fabric.name} takes {fabric.interfaces} networks, one for each interface, and not {len(networks)}"
            )
        groups = [group for group in fabric.groups for _ in range(group.interfaces)]
        interfaces = [{"interfaceName": "eth0", "network": "default"}]
        for index, ((vpc, subnetwork), group) in enumerate(zip(networks, groups, strict=True), start=1):
            if not group.subnetworks:
                continue
            called = f"{prefix}-eth{index}"
            parameters = CustomResource(
                f"{name}-eth{index}-parameters",
                _API,
                "GKENetworkParamSet",
                metadata=meta.ObjectMetaArgs(name=called),
                spec={"vpc": vpc, "vpcSubnet": subnetwork, "deviceMode": group.device_mode},
                opts=pulumi.ResourceOptions(parent=self),
            )
            CustomResource(
                f"{name}-eth{index}",
                _API,
                "Network",
                metadata=meta.ObjectMetaArgs(name=called),
                spec={
                    "type": "Device",
                    "parametersRef": {"group": "networking.gke.io", "kind": "GKENetworkParamSet", "name": called},
                },
                # GKE lets parameters go only after the network that uses them.
                opts=pulumi.ResourceOptions(parent=self, depends_on=[parameters]),
            )
            interfaces.append({"interfaceName": f"eth{index}", "network": called})
        self.annotations = {
            "networking.gke.io/default-interface": "eth0",
            "networking.gke.io/interfaces": json.dumps(interfaces),
        }
        self.register_outputs({"annotations": dict(self.annotations)})
