"""The private network: a virtual network whose subnets are closed from outside."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from ipaddress import IPv4Network
from typing import Any, Final

import pulumi
from pulumi_azure_native import network, privatedns

from penstock.azure.components.egress import Egress
from penstock.azure.components.handles import GroupHandle, NetworkHandle
from penstock.azure.components.security_groups import guard_lustre, guard_nodes, guard_services
from penstock.azure.description import ranges
from penstock.azure.facts import private_zones
from penstock.description.cluster import SERVICE_CIDR
from penstock.description.network import ExistingNetwork, NetworkSpec

_DECIDED_BY: Final = {
    "addressPrefix addressSpace.addressPrefixes": ".cidr",
    "Egress": ".egress",
}


class Network(pulumi.ComponentResource):
    """A virtual network with subnets for nodes, for the API of their cluster, for services and for file systems.

    Nodes reach each other, all else in the network, and of the internet what answers on the ports 80 and 443. Nothing
    comes in from outside, and no machine has a public address. Services of Azure are reached at private endpoints, by
    their usual names, which private DNS zones lead there. Address ranges follow from that of the network
    (`penstock.azure.description.ranges`). A further file system takes the next free range; the others keep theirs.
    """

    handle: NetworkHandle

    def __init__(
        self,
        name: str,
        spec: NetworkSpec,
        *,
        group: GroupHandle,
        services: Collection[str],
        lustre: int = 0,
        machines: int = 1,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Build the network.

        Args:
            name: The start of every name in it.
            spec: What to build.
            group: Where to build it.
            services: The sub-resources with private endpoints in it, named as in `penstock.azure.facts.private_zones`:
                blob, dfs, file, vault, registry, postgresqlServer.
            lustre: The number of file systems, each of which has a subnet of its own.
            machines: How many it is for at most: addresses of the way out follow from it.
            opts: Pulumi's options.
        """
        super().__init__("penstock:azure:Network", name, spec.inputs(_DECIDED_BY), opts)
        child = pulumi.ResourceOptions(parent=self)
        self._name, self._group = name, group
        self._last: list[pulumi.Resource] = []

        self._network = network.VirtualNetwork(
            name,
            resource_group_name=group.name,
            location=group.region,
            address_space={"address_prefixes": [str(spec.cidr)]},
            tags=spec.tags,
            opts=child,
        )
        egress = Egress(f"{name}-egress", spec, group=group, machines=machines, opts=child)
        inside = guard_services(f"{name}-services", spec, group=group, opts=child)
        nodes = self._subnet(
            "nodes",
            str(ranges.nodes(spec.cidr)),
            guard_nodes(f"{name}-nodes", spec, group=group, opts=child),
            nat_gateway={"id": egress.gateway},
        )
        api_server = self._subnet(
            "api-server",
            str(ranges.api_server(spec.cidr)),
            inside,
            delegations=[{"name": "aks", "service_name": "Microsoft.ContainerService/managedClusters"}],
        )
        endpoints = self._subnet("endpoints", str(ranges.endpoints(spec.cidr)), inside)
        slots = [str(ranges.lustre(spec.cidr, index)) for index in range(lustre)]
        file_systems = []
        if slots:
            guarded = guard_lustre(f"{name}-lustre", spec, subnets=slots, group=group, opts=child)
            file_systems = [
                self._subnet(f"lustre-{number}", slot, guarded, nat_gateway={"id": egress.gateway})
                for number, slot in enumerate(slots, 1)
            ]

        self.handle = NetworkHandle(
            id=self._network.id,
            nodes=nodes.id,
            endpoints=endpoints.id,
            api_server=api_server.id,
            lustre=tuple(subnet.id for subnet in file_systems),
            pods_cidr=str(ranges.pods(spec.cidr)),
            services_cidr=ranges.services(spec.cidr),
            zones=self._zones(spec, services),
        )
        self.register_outputs({"network": self._network.id, "nodes": nodes.id})

    def _subnet(self, part: str, cidr: str, guarded: network.NetworkSecurityGroup, **more: Any) -> network.Subnet:
        subnet = network.Subnet(
            f"{self._name}-{part}",
            resource_group_name=self._group.name,
            virtual_network_name=self._network.name,
            subnet_name=part,
            address_prefix=cidr,
            default_outbound_access=False,
            network_security_group={"id": guarded.id},
            private_endpoint_network_policies="Enabled",  # the group holds for private endpoints, too
            **more,
            # Azure changes one subnet of a network at a time, and refuses others meanwhile: AnotherOperationInProgress.
            opts=pulumi.ResourceOptions(parent=self, depends_on=list(self._last)),
        )
        self._last = [subnet]
        return subnet

    def _zones(self, spec: NetworkSpec, services: Collection[str]) -> Mapping[str, pulumi.Input[str]]:
        """The private DNS zones of services, known to the network."""
        zones = {}
        for service in services:
            zone = privatedns.PrivateZone(
                f"{self._name}-{service}",
                resource_group_name=self._group.name,
                location="global",
                private_zone_name=private_zones.find_zone(service),
                tags=spec.tags,
                opts=pulumi.ResourceOptions(parent=self),
            )
            privatedns.VirtualNetworkLink(
                f"{self._name}-{service}",
                resource_group_name=self._group.name,
                location="global",
                private_zone_name=zone.name,
                virtual_network={"id": self._network.id},
                registration_enabled=False,
                tags=spec.tags,
                opts=pulumi.ResourceOptions(parent=self),
            )
            zones[service] = zone.id
        return zones


def adopt(
    existing: ExistingNetwork, *, file_systems: Collection[str] = (), opts: pulumi.ResourceOptions | None = None
) -> NetworkHandle:
    """A handle on a network that is already there, with its subnets, their security groups and its private DNS zones.

    Nothing in it is changed. Whether nodes go out by a NAT gateway or by routes is looked up at their subnet.

    Args:
        existing: The network, whose `subnets` are by what they are for. A description that was checked has all of them.
        file_systems: The names of the Lustre file systems, each with a subnet of its own.
        opts: Pulumi's options.
    """
    subnets = {part: f"{existing.id}/subnets/{name}" for part, name in existing.subnets.items()}
    _, _, _, _, group, *_, name = existing.id.split("/")
    nodes = network.get_subnet_output(
        resource_group_name=group,
        virtual_network_name=name,
        subnet_name=existing.subnets["nodes"],
        opts=pulumi.InvokeOutputOptions(parent=opts.parent if opts else None, provider=opts.provider if opts else None),
    )
    return NetworkHandle(
        id=existing.id,
        nodes=subnets["nodes"],
        endpoints=subnets["endpoints"],
        api_server=subnets["api-server"],
        lustre=tuple(subnets[each] for each in file_systems),
        pods_cidr=existing.pods_range or "",
        services_cidr=IPv4Network(existing.services_range or SERVICE_CIDR),
        way_out=nodes.nat_gateway.apply(lambda found: "userAssignedNATGateway" if found else "userDefinedRouting"),
    )
