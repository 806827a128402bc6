"""The networks that carry traffic between accelerators."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pulumi
from pulumi_gcp import compute

from penstock.gcp.components.handles import FabricHandle, ProjectHandle
from penstock.gcp.description import ranges as gcp_ranges
from penstock.gcp.facts import fabrics
from penstock.gcp.facts.fabrics import NetworkGroup

BY_GKE = FabricHandle(profile="auto")
"""A fabric without networks of our own making: GKE makes them for each node pool (DRANET)."""

_CALLED = {"host": "host", "accelerator": "gpu"}
"""What networks are called by their role: a name has 63 characters with all that goes before it."""

_Interface = tuple[pulumi.Input[str], pulumi.Input[str]]


class Fabric(pulumi.ComponentResource):
    """Networks beside the cluster's, as many and of the kind that one fabric asks for (`penstock.gcp.facts.fabrics`).

    All pools with that fabric share them, in all zones, or in one where RDMA ties a network to its zone. Nothing leads
    out of them, and what is in them may only talk to each other. The order of `handle.interfaces` is that of the
    interfaces on a node: the host's come first, then the accelerators'.
    """

    handle: FabricHandle

    def __init__(
        self,
        name: str,
        *,
        fabric: fabrics.NetworkFabric,
        zone: str,
        region: str,
        project: ProjectHandle,
        first: int,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Build the networks.

        Args:
            name: The start of every name in it.
            fabric: What to build.
            zone: Of the pools, for fabrics that lie in one zone.
            region: Of the subnetworks.
            project: What they are built in.
            first: The index of the first of their address ranges (`penstock.gcp.description.ranges.fabric`).
            opts: Pulumi's options.
        """
        super().__init__("penstock:gcp:Fabric", name, None, opts)
        self._project = project
        self._region = region
        self._zone = zone
        ranges = (str(gcp_ranges.fabric(index)) for index in count(first))

        interfaces = [
            interface
            for group in fabric.groups
            for number in range(group.networks)
            for interface in self._network(f"{name}-{_CALLED[group.role]}-{number}", group, ranges)
        ]
        self.handle = FabricHandle(interfaces=tuple(interfaces))
        self.register_outputs({"networks": list(dict.fromkeys(network for network, _ in interfaces))})

    def _network(self, name: str, group: NetworkGroup, ranges: Iterator[str]) -> list[_Interface]:
        """Make one network of a group; give back the interfaces that a node has in it."""
        network = compute.Network(
            name,
            project=self._project.id,
            auto_create_subnetworks=False,
            mtu=group.mtu,
            network_profile=self._profile(group),
            opts=pulumi.ResourceOptions(parent=self, depends_on=self._project.on("compute")),
        )
        each = group.interfaces // group.networks
        if group.subnetworks == 0:
            made_by_google = pulumi.Output.concat("default-subnet-1-", network.name)
            return [(network.name, made_by_google)] * each

        cidrs = [next(ranges) for _ in range(group.subnetworks)]
        subnetworks = [
            compute.Subnetwork(
                f"{name}-{number}",
                project=self._project.id,
                network=network.id,
                region=self._region,
                ip_cidr_range=cidr,
                opts=pulumi.ResourceOptions(parent=self),
            )
            for number, cidr in enumerate(cidrs)
        ]
        if group.profile is None:  # networks with a profile for RDMA take no rules, and need none
            self._admit_members(name, network, cidrs)
        return [(network.name, subnetwork.name) for subnetwork in subnetworks]

    def _profile(self, group: NetworkGroup) -> str | None:
        if group.profile is None:
            return None
        return f"projects/{self._project.id}/global/networkProfiles/{self._zone}-{group.profile}"

    def _admit_members(self, name: str, network: compute.Network, cidrs: list[str]) -> None:
        compute.Firewall(
            name,
            project=self._project.id,
            network=network.id,
            direction="INGRESS",
            source_ranges=cidrs,
            allows=[{"protocol": protocol} for protocol in ("tcp", "udp", "icmp")],
            opts=pulumi.ResourceOptions(parent=self),
        )
