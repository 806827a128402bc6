"""The private network: one subnetwork for the whole region, closed from outside."""

from __future__ import annotations

from dataclasses import replace

import pulumi
from pulumi_gcp import compute, servicenetworking

from penstock.catalog import limits
from penstock.gcp.egress import Egress
from penstock.gcp.handles import NetworkHandle, ProjectHandle
from penstock.spec import gcp_ranges
from penstock.spec.network import ExistingNetwork, NetworkSpec

_PODS = "pods"
_SERVICES = "services"

_BEFORE_LAST = 65534
"""The last priority but one: any other rule comes before it. The last is that of the rule which every network has."""


class Network(pulumi.ComponentResource):
    """A VPC with a private subnetwork, a record of every flow, and no public address on any machine.

    Google's own services are reached without leaving Google's network, with `egress: none` too, which leads nowhere
    else. Nothing comes in but what GKE opens for its nodes. Address ranges follow from that of the network
    (`spec.gcp_ranges`).
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
            opts: Pulumi's options.
        """
        super().__init__("penstock:gcp:Network", name, spec.inputs(), opts)
        child = pulumi.ResourceOptions(parent=self)

        network = compute.Network(
            name,
            project=project.id,
            auto_create_subnetworks=False,
            routing_mode="REGIONAL",
            # Google's default is 1460: of what networks carry, large packets cost the least.
            mtu=spec.mtu or limits.find("network_mtu", "gcp").most,
            opts=pulumi.ResourceOptions.merge(child, pulumi.ResourceOptions(depends_on=project.on("compute"))),
        )
        subnetwork = self._subnetwork(name, spec, network, region, project)
        self._log_what_is_refused(name, network, project)
        handle = NetworkHandle(
            id=network.id,
            subnetwork=subnetwork.id,
            region=region,
            pods_range=_PODS,
            services_range=_SERVICES,
        )
        if peered:
            handle = replace(handle, private_services=(self._peering(name, spec, network, project),))
        if spec.egress == "nat":
            egress = Egress(f"{name}-egress", spec, network=network.id, region=region, project=project, opts=child)
            handle = replace(handle, ready=egress.ready)
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
            ip_cidr_range=str(gcp_ranges.nodes(spec.cidr)),
            secondary_ip_ranges=[
                {"range_name": _PODS, "ip_cidr_range": str(gcp_ranges.pods(spec.cidr))},
                {"range_name": _SERVICES, "ip_cidr_range": str(gcp_ranges.services(spec.cidr))},
            ],
            private_ip_google_access=True,
            log_config={
                "aggregation_interval": "INTERVAL_10_MIN",
                "flow_sampling": 1.0,
                "metadata": "INCLUDE_ALL_METADATA",
            },
            opts=pulumi.ResourceOptions(parent=self),
        )

    def _log_what_is_refused(self, name: str, network: compute.Network, project: ProjectHandle) -> None:
        """Say again what every network does by itself, because what it does by itself it does not log."""
        compute.Firewall(
            f"{name}-refused",
            project=project.id,
            network=network.id,
            direction="INGRESS",
            priority=_BEFORE_LAST,
            source_ranges=["0.0.0.0/0"],
            denies=[{"protocol": "all"}],
            log_config={"metadata": "INCLUDE_ALL_METADATA"},
            opts=pulumi.ResourceOptions(parent=self),
        )

    def _peering(
        self, name: str, spec: NetworkSpec, network: compute.Network, project: ProjectHandle
    ) -> pulumi.Resource:
        """Set a range aside for the services of Google, and connect the network with theirs."""
        reserved = gcp_ranges.private_services(spec.cidr)
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


def adopt(existing: ExistingNetwork, *, region: str) -> NetworkHandle:
    """A handle on a network that is already there, with its way out and its peering; nothing in it is changed.

    Raises:
        KeyError: it names no subnetwork of the region. A description that was checked never raises.
    """
    return NetworkHandle(
        id=existing.id,
        subnetwork=existing.subnets[region],
        region=region,
        pods_range=existing.pods_range or _PODS,
        services_range=existing.services_range or _SERVICES,
    )
