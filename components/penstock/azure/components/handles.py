"""Handles: how one component refers another to its resources.

A component offers a handle; a program that has a network or a cluster of its own fills one with existing ids. An id is
that of Azure Resource Manager: /subscriptions/S/resourceGroups/G/providers/….
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import IPv4Network

from pulumi import Input, Resource


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupHandle:
    """A resource group in one region, with the subscription and the tenant (GUIDs) that it belongs to."""

    name: Input[str]
    region: str
    subscription: Input[str]
    tenant: Input[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkHandle:
    """A virtual network, by the ids of its subnets, each of which is closed by a security group.

    `endpoints` holds the private endpoints of services, `zones` the private DNS zones of their names (`blob` to the id
    of the zone; a network whose zones are somebody else's has none), `api_server` is delegated to AKS, and `lustre` has
    one for each file system. `way_out` is what AKS calls it, userAssignedNATGateway or userDefinedRouting, and `ready`
    is what nodes wait for.
    """

    id: Input[str]
    nodes: Input[str]
    endpoints: Input[str]
    api_server: Input[str]
    lustre: tuple[Input[str], ...] = ()
    pods_cidr: str
    services_cidr: IPv4Network
    way_out: Input[str] = "userAssignedNATGateway"
    zones: Mapping[str, Input[str]] = field(default_factory=dict)
    ready: tuple[Resource, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentityHandle:
    """A managed identity: its id, and the GUIDs by which roles (`principal`) and programs (`client`) name it."""

    id: Input[str]
    principal: Input[str]
    client: Input[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyHandle:
    """A customer-managed key of a Key Vault.

    `id` is its URI without a version, with which services follow rotations; `version_id` that of the version that is
    current as it is read. Services use it as `identity`, and disks by the disk encryption set `disks`. `grants` are
    the roles of that identity, which must exist before a service uses the key.
    """

    id: Input[str]
    version_id: Input[str]
    name: Input[str]
    vault: Input[str]
    vault_uri: Input[str]
    identity: IdentityHandle
    disks: Input[str] | None = None
    grants: tuple[Resource, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterHandle:
    """An AKS cluster: its `issuer` signs the tokens of service accounts, and `kubelet` is what its nodes act as.

    `credentials` is a kubeconfig as AKS gives it to users, which holds no secret. `version` is that of Kubernetes;
    where it is not the description's, `moves` is False, and pools that exist keep the one that they were created with.
    """

    name: Input[str]
    id: Input[str]
    version: str
    moves: bool = True
    issuer: Input[str]
    kubelet: IdentityHandle
    credentials: Input[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class VolumeHandle:
    """Storage as one of AKS's drivers mounts it into pods."""

    driver: str
    handle: Input[str]
    any_handle: bool = False
    gib: int
    attributes: Mapping[str, Input[str]] = field(default_factory=dict)
    mount_options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BucketHandle:
    """A container of blobs in a storage account of its own.

    `logging` is the container in which imports are logged, and `grants` are the roles of whoever imports, which must
    exist before a file system does.
    """

    account: Input[str]
    container: Input[str]
    logging: Input[str] | None = None
    grants: tuple[Resource, ...] = ()
