"""Handles: how one component refers another to its resources.

A component offers a handle; a program that has a network or a cluster of its own fills one with existing names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

from pulumi import Input, Output, Resource
from typing_extensions import Doc


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectHandle:
    """A Google Cloud project: its id, its number, and what turns its APIs on (`container` to the resource).

    `agents` are Google's own accounts in the project, which act for its services: service to e-mail address. A project
    whose APIs are on already needs neither.
    """

    id: Annotated[str, Doc("Id of the project.")]
    number: Annotated[Input[str], Doc("Number of the project.")]
    apis: Mapping[str, Resource] = field(default_factory=dict)
    agents: Annotated[Mapping[str, Output[str]], Doc("E-mail addresses of the service agents, by service.")] = field(
        default_factory=dict
    )

    def on(self, *apis: str) -> list[Resource]:
        """The resources that must exist before these APIs answer."""
        return [self.apis[api] for api in apis if api in self.apis]


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkHandle:
    """A VPC with a subnetwork in one region, and the names of the ranges in it for pods and services.

    `id` is projects/PROJECT/global/networks/NAME, as `subnetwork` is a path too; `nodes_cidr` is the subnetwork's range
    of nodes, the only ones that file systems are opened to. `private_services` is what services of Google that are
    reached by peering (Lustre, Filestore, Cloud SQL) wait for, and `private_services_cidr` their range where the
    network is ours to let them in; `ready` is what nodes wait for.
    """

    id: Annotated[Input[str], Doc("projects/PROJECT/global/networks/NAME.")]
    subnetwork: Annotated[Input[str], Doc("projects/PROJECT/regions/REGION/subnetworks/NAME.")]
    region: Annotated[str, Doc("Region of the subnetwork.")]
    nodes_cidr: Annotated[Input[str], Doc("CIDR range of nodes in the subnetwork.")]
    pods_range: Annotated[Input[str], Doc("Name of the secondary range for pods.")]
    services_range: Annotated[Input[str], Doc("Name of the secondary range for services.")]
    private_services_cidr: Annotated[
        str | None, Doc("CIDR range of peered services of Google, in a network of ours.")
    ] = None
    private_services: tuple[Resource, ...] = ()
    ready: tuple[Resource, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FabricHandle:
    """The networks of a fabric: a network and a subnetwork for each further interface of a node, in their order.

    `profile` takes the place of both where GKE makes the interfaces itself (DRANET).
    """

    interfaces: Annotated[
        tuple[tuple[Input[str], Input[str]], ...],
        Doc("Network and subnetwork of each further interface of a node, in order."),
    ] = ()
    profile: Annotated[str | None, Doc("Network profile, where GKE makes the interfaces itself.")] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyHandle:
    """A customer-managed Cloud KMS key, by its id: projects/P/locations/L/keyRings/R/cryptoKeys/K.

    `grants` are the resources that let Google's services use it: service to IAM member.
    """

    id: Annotated[Input[str], Doc("projects/P/locations/L/keyRings/R/cryptoKeys/K.")]
    grants: Mapping[str, Resource] = field(default_factory=dict)

    def for_(self, service: str) -> list[Resource]:
        """The resources that must exist before a service can use the key."""
        return [self.grants[service]] if service in self.grants else []


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterHandle:
    """A GKE cluster. `ready` is what nodes wait for, such as the rights of `node_account`, the e-mail of theirs.

    `apis` are what turns on the API of machines; a project where it is on needs none.

    An `endpoint` by name has a certificate that everybody trusts, and no `certificate_authority`. `identity` is that of
    the cluster by every endpoint, and another for a cluster that takes its place.
    """

    name: Annotated[Input[str], Doc("Name of the cluster.")]
    location: Annotated[str, Doc("Region or zone of the cluster.")]
    endpoint: Annotated[Input[str], Doc("Address or DNS name of the API server.")]
    certificate_authority: Annotated[
        Input[str] | None, Doc("Certificate of the API server in Base64; none for an endpoint by DNS name.")
    ]
    node_account: Annotated[Input[str], Doc("E-mail address of the service account of nodes.")]
    identity: Annotated[Input[str] | None, Doc("Id that a replacement of the cluster does not share.")] = None
    ready: tuple[Resource, ...] = ()
    apis: tuple[Resource, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class VolumeHandle:
    """Storage as one of GKE's drivers mounts it into pods."""

    driver: Annotated[str, Doc("CSI driver.")]
    handle: Annotated[Input[str], Doc("What the driver knows the storage by.")]
    any_handle: Annotated[bool, Doc("True if the driver finds the storage by its attributes.")] = False
    gib: Annotated[int, Doc("Size of the volume in GiB.")]
    attributes: Annotated[Mapping[str, Input[str]], Doc("Attributes that the driver needs.")] = field(
        default_factory=dict
    )
    mount_options: Annotated[tuple[str, ...], Doc("Options of the mount.")] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BucketHandle:
    """A bucket of Cloud Storage."""

    name: Annotated[Input[str], Doc("Name of the bucket.")]
