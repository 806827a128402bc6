"""Security groups: who may talk to storage and databases, rule by rule."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from ipaddress import IPv4Network

import pulumi
from pulumi_aws import ec2, vpc

from penstock.aws.components.handles import NetworkHandle

Ports = tuple[int, int]
"""The first and the last TCP port of a range."""


def admit(
    name: str,
    port: int,
    *,
    network: NetworkHandle,
    also: Iterable[IPv4Network] = (),
    tags: Mapping[str, str],
    opts: pulumi.ResourceOptions,
) -> ec2.SecurityGroup:
    """A security group that lets the network, and `also` other ranges, in on one TCP port.

    It lets nothing out: what it guards only answers.
    """
    group = ec2.SecurityGroup(
        name,
        description=f"{name}: TCP {port} from the network",
        vpc_id=network.vpc_id,
        tags={**tags, "Name": name},
        opts=opts,
    )
    ranges: dict[str, pulumi.Input[str]] = {"network": network.cidr, **{str(cidr): str(cidr) for cidr in also}}
    for origin, cidr in ranges.items():
        vpc.SecurityGroupIngressRule(
            f"{name}-from-{origin.replace('.', '-').replace('/', '-')}",
            security_group_id=group.id,
            ip_protocol="tcp",
            from_port=port,
            to_port=port,
            cidr_ipv4=cidr,
            description=f"TCP {port} from {origin}",
            tags=tags,
            opts=opts,
        )
    return group


def both_ways(
    name: str,
    group_id: pulumi.Input[str],
    peer_id: pulumi.Input[str],
    *,
    ports: Ports | None,
    tags: Mapping[str, str],
    opts: pulumi.ResourceOptions,
) -> list[pulumi.Resource]:
    """Rules that let a security group and a peer talk to each other; `ports` None means any protocol.

    The peer is named by its group's id, because EFA ignores rules that name address ranges.
    """
    protocol, (first, last) = ("-1", (None, None)) if ports is None else ("tcp", ports)
    return [
        direction(
            f"{name}-{suffix}",
            security_group_id=group_id,
            referenced_security_group_id=peer_id,
            ip_protocol=protocol,
            from_port=first,
            to_port=last,
            description=name,
            tags=tags,
            opts=opts,
        )
        for suffix, direction in (("in", vpc.SecurityGroupIngressRule), ("out", vpc.SecurityGroupEgressRule))
    ]
