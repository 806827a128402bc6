"""Handles: how one component refers another to its resources.

A component offers a handle; a program that has a network or a cluster of its own fills one with existing names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pulumi import Input, Output, Resource


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectHandle:
    """A Google Cloud project: its id, its number, and what turns its APIs on (`container` to the resource).

    `agents` are Google's own accounts in the project, which act for its services: service to e-mail address. A project
    whose APIs are on already needs neither.
    """

    id: str
    number: Input[str]
    apis: Mapping[str, Resource] = field(default_factory=dict)
    agents: Mapping[str, Output[str]] = field(default_factory=dict)

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

    id: Input[str]
    subnetwork: Input[str]
    region: str
    nodes_cidr: Input[str]
    pods_range: Input[str]
    services_range: Input[str]
    private_services_cidr: str | None = None
    private_services: tuple[Resource, ...] = ()
    ready: tuple[Resource, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FabricHandle:
    """The networks of a fabric: a network and a subnetwork for each further interface of a node, in their order.

    `profile` takes the place of both where GKE makes the interfaces itself (DRANET).
    """

    interfaces: tuple[tuple[Input[str], Input[str]], ...] = ()
    profile: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyHandle:
    """A customer-managed Cloud KMS key, by its id: projects/P/locations/L/keyRings/R/cryptoKeys/K.

    `grants` are the resources that let Google's services use it: service to IAM member.
    """

    id: Input[str]
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

    name: Input[str]
    location: str
    endpoint: Input[str]
    certificate_authority: Input[str] | None
    node_account: Input[str]
    identity: Input[str] | None = None
    ready: tuple[Resource, ...] = ()
    apis: tuple[Resource, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class VolumeHandle:
    """Storage as one of GKE's drivers mounts it into pods."""

    driver: str
    handle: Input[str]
    any_handle: bool = False
    gib: int
    attributes: Mapping[str, Input[str]] = field(default_factory=dict)
    mount_options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BucketHandle:
    """A bucket of Cloud Storage."""

    name: Input[str]
