"""Handles: how one component refers another to its resources.

A component offers a handle; a program that has a network or a cluster of its own fills one with existing ids.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

from pulumi import Input, Resource
from typing_extensions import Doc

from penstock.core.wording import one_of


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkHandle:
    """A VPC: its private subnet in each zone, its range, and the security group that the fabric needs.

    `ready` is what nodes wait for, such as their route out; `partition` is aws, aws-cn or aws-us-gov.
    """

    vpc_id: Annotated[Input[str], Doc("Id of the VPC.")]
    subnets: Annotated[Mapping[str, Input[str]], Doc("Id of the private subnet of each zone, by the name of the zone.")]
    fabric_group_id: Annotated[
        Input[str], Doc("Id of the security group of the fabric, which references itself both ways.")
    ]
    cidr: Annotated[Input[str], Doc("CIDR range of the VPC.")]
    partition: Annotated[str, Doc("Partition: aws, aws-cn or aws-us-gov.")] = "aws"
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

    arn: Annotated[Input[str], Doc("ARN of the key.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterHandle:
    """An EKS cluster.

    `version` is that of its nodes and add-ons. Where it is not the description's, `moves` is False: what exists keeps
    the version that it was created with, and only what is new gets that of the cluster.
    `ready` is what nodes wait for, such as the CNI add-on; `access` is what callers of its API wait for: being let in.
    """

    name: Annotated[Input[str], Doc("Name of the cluster.")]
    security_group_id: Annotated[Input[str], Doc("Id of the security group that EKS made for the cluster.")]
    endpoint: Annotated[Input[str], Doc("URL of the API server.")]
    certificate_authority: Annotated[Input[str], Doc("Certificate of the API server in Base64.")]
    version: Annotated[Input[str], Doc("Kubernetes version of nodes and add-ons, such as 1.35.")]
    moves: Annotated[bool, Doc("True if existing node pools follow the version.")] = True
    ready: tuple[Resource, ...] = ()
    access: tuple[Resource, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class VolumeHandle:
    """Storage as one of the CSI drivers of EKS mounts it into pods.

    A volume must have a size: storage without one keeps the default, to which nothing holds it. With `any_handle`, the
    driver finds the storage by its attributes, and each further volume of it needs a handle of its own.
    """

    driver: Annotated[str, Doc("CSI driver.")]
    handle: Annotated[Input[str], Doc("What the driver knows the storage by.")]
    any_handle: Annotated[bool, Doc("True if the driver finds the storage by its attributes.")] = False
    gib: Annotated[int, Doc("Size of the volume in GiB.")] = 1024
    attributes: Annotated[Mapping[str, Input[str]], Doc("Attributes that the driver needs.")] = field(
        default_factory=dict
    )
    mount_options: Annotated[tuple[str, ...], Doc("Options of the mount.")] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BucketHandle:
    """An S3 bucket."""

    name: Annotated[Input[str], Doc("Name of the bucket.")]
    arn: Annotated[Input[str], Doc("ARN of the bucket.")]
