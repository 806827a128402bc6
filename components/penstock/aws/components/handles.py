"""Handles: how one component refers another to its resources.

A component offers a handle; a program that has a network or a cluster of its own fills one with existing ids.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pulumi import Input, Resource

from penstock.core.wording import one_of


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkHandle:
    """A VPC: its private subnet in each zone, its range, and the security group that the fabric needs.

    `ready` is what nodes wait for, such as their route out; `partition` is aws, aws-cn or aws-us-gov.
    """

    vpc_id: Input[str]
    subnets: Mapping[str, Input[str]]
    fabric_group_id: Input[str]
    cidr: Input[str]
    partition: str = "aws"
    ready: tuple[Resource, ...] = ()

    def subnets_in(self, zone: str | None) -> list[Input[str]]:
        """The private subnet of one zone, or those of all zones. Raises ValueError for a zone without a subnet."""
        if zone is None:
            return list(self.subnets.values())
        if zone not in self.subnets:
            zones = one_of(zone, list(self.subnets), "Its zones")
            raise ValueError(f"the network has no subnet in zone {zone!r}. {zones}")
        return [self.subnets[zone]]


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyHandle:
    """A customer-managed KMS key."""

    arn: Input[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterHandle:
    """An EKS cluster.

    `version` is that of its nodes and add-ons. Where it is not the description's, `moves` is False: what exists keeps
    the version that it was created with, and only what is new gets that of the cluster.
    `ready` is what nodes wait for, such as the CNI add-on; `access` is what callers of its API wait for: being let in.
    """

    name: Input[str]
    security_group_id: Input[str]
    endpoint: Input[str]
    certificate_authority: Input[str]
    version: Input[str]
    moves: bool = True
    ready: tuple[Resource, ...] = ()
    access: tuple[Resource, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class VolumeHandle:
    """Storage as one of the CSI drivers of EKS mounts it into pods.

    A volume must have a size: storage without one keeps the default, to which nothing holds it. With `any_handle`, the
    driver finds the storage by its attributes, and each further volume of it needs a handle of its own.
    """

    driver: str
    handle: Input[str]
    any_handle: bool = False
    gib: int = 1024
    attributes: Mapping[str, Input[str]] = field(default_factory=dict)
    mount_options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BucketHandle:
    """An S3 bucket."""

    name: Input[str]
    arn: Input[str]
