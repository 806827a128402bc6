"""The way out of a private network."""

from __future__ import annotations

from math import ceil

import pulumi
from pulumi_gcp import compute

from penstock.description.network import NetworkSpec
from penstock.gcp.components.handles import ProjectHandle

MACHINES_OF_AN_ADDRESS = 32
"""Of the 64,512 ports of an address each gets some 2000, as many connections as it can have to one place at a time."""


class Egress(pulumi.ComponentResource):
    """Cloud NAT with addresses of its own, which others can admit by name, for all machines and pods of the region.

    Their ports are handed out as machines need them: few to most, and more to one that fetches from many places at
    once. A whole cluster that fetches at once finds some 2000 for each machine. What finds no port is logged; flow logs
    have the rest.

    `ready` is what machines wait for that must fetch something from the internet as they start.
    """

    ready: tuple[pulumi.Resource, ...]

    def __init__(
        self,
        name: str,
        spec: NetworkSpec,
        *,
        network: pulumi.Input[str],
        region: str,
        project: ProjectHandle,
        machines: int,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Build it for so many `machines` at most."""
        super().__init__("penstock:gcp:Egress", name, None, opts)
        child = pulumi.ResourceOptions(parent=self)

        addresses = [
            compute.Address(
                # One more address leaves the others as they are.
                name if number == 1 else f"{name}-{number}",
                project=project.id,
                region=region,
                address_type="EXTERNAL",
                labels=spec.tags,
                opts=pulumi.ResourceOptions(parent=self, depends_on=project.on("compute")),
            )
            for number in range(1, max(1, ceil(machines / MACHINES_OF_AN_ADDRESS)) + 1)
        ]
        router = compute.Router(name, project=project.id, region=region, network=network, opts=child)
        nat = compute.RouterNat(
            name,
            project=project.id,
            region=region,
            router=router.name,
            nat_ip_allocate_option="MANUAL_ONLY",
            nat_ips=[address.self_link for address in addresses],
            source_subnetwork_ip_ranges_to_nat="ALL_SUBNETWORKS_ALL_IP_RANGES",
            enable_dynamic_port_allocation=True,
            enable_endpoint_independent_mapping=False,  # Google refuses it together with dynamic ports
            log_config={"enable": True, "filter": "ERRORS_ONLY"},
            opts=child,
        )

        self.ready = (nat,)
        self.register_outputs({"addresses": [address.address for address in addresses]})
