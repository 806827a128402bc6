"""The private network: one subnetwork for the whole region, closed from outside."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import pulumi
from pulumi_gcp import compute, servicenetworking

from penstock.catalog import limits
from penstock.core.wording import one_of
from penstock.description.network import ExistingNetwork, NetworkSpec
from penstock.gcp.components.egress import Egress
from penstock.gcp.components.firewall import guard
from penstock.gcp.components.google_apis import GoogleApis
from penstock.gcp.components.handles import NetworkHandle, ProjectHandle
from penstock.gcp.description import ranges

_PODS = "pods"
_SERVICES = "services"

_DECIDED_BY: Final = {
    "address destinationRanges ipCidrRange secondaryIpRanges[].ipCidrRange": ".cidr",
    "mtu": ".mtu",
    "Egress Firewall GoogleApis": ".egress",
}


class Network(pulumi.ComponentResource):
    """A VPC with a private subnetwork, a record of every flow, and no public address on any machine.

    Machines reach each other and all else in the network's range, and of the internet what answers on the ports 80 and
    443; with `egress: none` nothing of it but Google's own services, which never leaves Google's network. Whatever else
    they need is for a firewall rule of one's own to let out (`firewall.guard`). Nothing comes in but what GKE opens for
    its nodes. Address ranges follow from that of the network (`penstock.gcp.description.ranges`).
    """

    handle: NetworkHandle

    def __init__(
        self,
        name: str,
        spec: NetworkSpec,
        *,
        region: str,
        project: ProjectHandle,
        peered: bool,
        machines: int = 1,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Build the network.

        Args:
            name: The start of every name in it.
            spec: What to build.
            region: Of its one subnetwork.
            project: What it is built in.
            peered: Whether services that Google runs in a network of its own are reached from it: Lustre, Filestore
                and Cloud SQL are.
            machines: How many it is for at most, with egress: addresses of the way out follow from it.
            opts: Pulumi's options.
        """
        super().__init__("penstock:gcp:Network", name, spec.inputs(_DECIDED_BY), opts)
        child = pulumi.ResourceOptions(parent=self)

        network = compute.Network(
            name,
            project=project.id,
            auto_create_subnetworks=False,
            routing_mode="REGIONAL",
            # Google's default is 1460: of what networks carry, large packets cost the least.
            mtu=spec.mtu or limits.find_limit("network_mtu", "gcp").most,
            opts=pulumi.ResourceOptions.merge(child, pulumi.ResourceOptions(depends_on=project.on("compute"))),
        )
        subnetwork = self._subnetwork(name, spec, network, region, project)
        handle = NetworkHandle(
            id=network.id,
            subnetwork=subnetwork.id,
            region=region,
            nodes_cidr=str(ranges.nodes(spec.cidr)),
            pods_range=_PODS,
            services_range=_SERVICES,
        )
        if peered:
            handle = replace(
                handle,
                private_services=(self._peering(name, spec, network, project),),
                private_services_cidr=str(ranges.private_services(spec.cidr)),
            )
        names: list[pulumi.Resource] = []
        if spec.egress == "nat":
            egress = Egress(
                f"{name}-egress",
                spec,
                network=network.id,
                region=region,
                project=project,
                machines=machines,
                opts=child,
            )
            handle = replace(handle, ready=egress.ready)
        else:
            names.append(GoogleApis(f"{name}-apis", spec, network=network.id, project=project, opts=child))
        guard(name, spec, network=network.id, project=project, after=names, opts=child)
        self.handle = handle
        self.register_outputs({"network": network.id, "subnetwork": subnetwork.id})

    def _subnetwork(
        self, name: str, spec: NetworkSpec, network: compute.Network, region: str, project: ProjectHandle
    ) -> compute.Subnetwork:
        return compute.Subnetwork(
            name,
            project=project.id,
            network=network.id,
            region=region,
            ip_cidr_range=str(ranges.nodes(spec.cidr)),
            secondary_ip_ranges=[
                {"range_name": _PODS, "ip_cidr_range": str(ranges.pods(spec.cidr))},
                {"range_name": _SERVICES, "ip_cidr_range": str(ranges.services(spec.cidr))},
            ],
            private_ip_google_access=True,
            log_config={
                "aggregation_interval": "INTERVAL_10_MIN",
                "flow_sampling": 0.5,  # Google's own choice, at half the price
                "metadata": "INCLUDE_ALL_METADATA",
            },
            opts=pulumi.ResourceOptions(parent=self),
        )

    def _peering(
        self, name: str, spec: NetworkSpec, network: compute.Network, project: ProjectHandle
    ) -> pulumi.Resource:
        """Set a range aside for the services of Google, and connect the network with theirs."""
        reserved = ranges.private_services(spec.cidr)
        address = compute.GlobalAddress(
            f"{name}-services",
            project=project.id,
            purpose="VPC_PEERING",
            address_type="INTERNAL",
            address=str(reserved.network_address),
            prefix_length=reserved.prefixlen,
            network=network.id,
            labels=spec.tags,
            opts=pulumi.ResourceOptions(parent=self),
        )
        return servicenetworking.Connection(
            f"{name}-services",
            network=network.id,
            service="servicenetworking.googleapis.com",
            reserved_peering_ranges=[address.name],
            # Services keep hold of it for days after their last instance is gone, and of the network with it.
            deletion_policy="REMOVE_PEERING",
            opts=pulumi.ResourceOptions(parent=self, depends_on=project.on("servicenetworking")),
        )


def adopt(
    existing: ExistingNetwork, *, region: str, project: ProjectHandle, opts: pulumi.ResourceOptions | None = None
) -> NetworkHandle:
    """A handle on a network that is already there, with its way out, its firewall and its peering.

    Nothing in it is changed. The range of its nodes is looked up, once the API of `project`, who asks, is on.

    Raises:
        ValueError: it names no subnetwork of the region, or what it names is not a path,
            projects/P/regions/R/subnetworks/S. A description that was checked never raises.
    """
    if region not in existing.subnets:
        regions = one_of(region, list(existing.subnets), "Its regions")
        raise ValueError(f"the network has no subnetwork in region {region!r}. {regions}")
    subnetwork = existing.subnets[region]
    _, host, _, place, _, name = subnetwork.split("/")
    asked = pulumi.InvokeOutputOptions(
        parent=opts.parent if opts else None,
        provider=opts.provider if opts else None,
        depends_on=project.on("compute"),
    )
    found = compute.get_subnetwork_output(name=name, project=host, region=place, opts=asked)
    return NetworkHandle(
        id=existing.id,
        subnetwork=subnetwork,
        region=region,
        nodes_cidr=found.ip_cidr_range,
        pods_range=existing.pods_range or _PODS,
        services_range=existing.services_range or _SERVICES,
    )
