"""The private network of the platform."""

from __future__ import annotations

import re
from ipaddress import IPv4Network
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, StrictBool
from pydantic_core import PydanticCustomError

from penstock.description.block import ComponentSpec, SpecBlock


def _has_a_length(value: Any) -> Any:
    if isinstance(value, IPv4Network) or (isinstance(value, str) and re.fullmatch(r"[0-9.]+/[0-9]{1,2}", value)):
        return value
    raise PydanticCustomError("ip_v4_network", "no address and length")


Range = Annotated[IPv4Network, BeforeValidator(_has_a_length)]
"""An address and a length, such as 10.40.0.0/16: a number or a netmask would be read as a range that nobody meant."""


class ExistingNetwork(SpecBlock):
    """An existing network, which is not changed."""

    id: str = Field(
        description="Network: a VPC id on AWS, projects/P/global/networks/N on Google Cloud, on Azure the id of a "
        "virtual network."
    )
    subnets: dict[str, str] = Field(
        description="Private subnet of each zone, zone to subnet id; on Google Cloud that of the region, region to "
        "projects/P/regions/R/subnetworks/S; on Azure the names of subnets, by what they are for: nodes, endpoints, "
        "api-server, and the name of each Lustre file system."
    )
    fabric_security_group: str | None = Field(
        default=None,
        description="Security group of the fabric that references itself both ways; created when absent. AWS only.",
    )
    pods_range: str | None = Field(
        default=None,
        description="Secondary range of the subnetwork for pods on Google Cloud; on Azure the range of pods, such as "
        "10.224.0.0/11, which no network in reach may have. Not on AWS.",
    )
    services_range: str | None = Field(
        default=None,
        description="Secondary range of the subnetwork for services on Google Cloud; on Azure the range of services, "
        "by default 172.20.0.0/16. Not on AWS.",
    )


class NetworkSpec(ComponentSpec):
    """One private network with a subnet per zone, or per region where the cloud's subnets are regional."""

    cidr: Range = Field(
        default=IPv4Network("10.0.0.0/16"),
        description="CIDR range of the network: /16 to /22 on AWS, /8 to /18 on Google Cloud, /9 to /20 on Azure.",
    )
    egress: Literal["nat", "none"] = Field(default="nat", description="Internet egress of nodes: nat or none.")
    private_endpoints: StrictBool = Field(
        default=True,
        description="Reach the cloud's services privately, by VPC endpoints on AWS, which cost by the hour and zone: "
        "by default off in dev with egress nat. On Google Cloud this is always on and free, on Azure always on.",
    )
    allowed_cidrs: tuple[Range, ...] = Field(
        default=(),
        description="CIDR ranges with access to the cluster's endpoint beside the network itself: by peering or VPN "
        "when access is private, over the internet when it is restricted.",
    )
    mtu: Annotated[int, Field(ge=1280, le=9001, strict=True)] | None = Field(
        default=None,
        description="MTU in bytes: of the network on Google Cloud, 1300 to 8896, the most by default; of pods on AWS, "
        "the network's own by default.",
    )
    image_mirror: str | None = Field(
        default=None,
        description="Registry from which a network without egress pulls public images, by their own paths and "
        "digests; by default repositories of the account that Penstock creates.",
    )
    chart_mirror: Annotated[str, Field(min_length=1)] | None = Field(
        default=None,
        description="Where Helm charts are taken from in place of their makers' repositories: a registry, such as "
        "oci://registry.example.com/charts, or a folder of charts, relative to the one of the description. The machine "
        "that runs pulumi up reads them, never the cluster.",
    )
    existing: ExistingNetwork | None = None
    nat: Literal["single", "zonal"] | None = Field(
        default=None,
        description="NAT gateways with egress nat: a single one, or one in each zone, so that a lost zone takes no "
        "other zone's way out with it; by default single in dev. AWS only.",
    )
