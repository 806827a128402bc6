"""The private network of the platform."""

from __future__ import annotations

from ipaddress import IPv4Network
from typing import Annotated, Literal

from pydantic import Field

from penstock.spec.block import Block, ComponentSpec


class ExistingNetwork(Block):
    """A network that is already there; nothing in it is changed."""

    id: str = Field(description="The network: a VPC id on AWS.")
    subnets: dict[str, str] = Field(description="The private subnet of each zone: zone to subnet id.")
    fabric_security_group: str | None = Field(
        default=None, description="A security group for the fabric that names itself both ways; made when absent."
    )


class NetworkSpec(ComponentSpec):
    """One private network with a subnet in each zone, closed from outside."""

    cidr: IPv4Network = Field(default=IPv4Network("10.0.0.0/16"), description="The range of the network: /16 to /22.")
    egress: Literal["nat", "none"] = Field(default="nat", description="How nodes reach the internet, if at all.")
    private_endpoints: bool = Field(default=True, description="Reach the cloud's services without leaving the network.")
    allowed_cidrs: tuple[IPv4Network, ...] = Field(
        default=(),
        description="Who may reach the cluster's endpoint beside the network itself: by peering or VPN when "
        "access is private, over the internet when it is restricted.",
    )
    mtu: Annotated[int, Field(ge=1280, le=9001, strict=True)] | None = Field(
        default=None, description="Bytes; the cloud's own by default."
    )
    image_mirror: str | None = Field(
        default=None,
        description="The registry that a network without egress pulls public images from, by their own paths; "
        "by default the account's own.",
    )
    existing: ExistingNetwork | None = None
