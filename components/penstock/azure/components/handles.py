"""Handles: how one component refers another to its resources.

A component offers a handle; a program that has a network or a cluster of its own fills one with existing ids. An id is
that of Azure Resource Manager: /subscriptions/S/resourceGroups/G/providers/….
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import IPv4Network
from typing import Annotated

from pulumi import Input, Resource
from typing_extensions import Doc


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupHandle:
    """A resource group in one region, with the subscription and the tenant (GUIDs) that it belongs to."""

    name: Annotated[Input[str], Doc("Name of the resource group.")]
    region: Annotated[str, Doc("Region of the resource group.")]
    subscription: Annotated[Input[str], Doc("Subscription id.")]
    tenant: Annotated[Input[str], Doc("Tenant id.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkHandle:
    """A virtual network, by the ids of its subnets, each of which is closed by a security group.

    `endpoints` holds the private endpoints of services, `zones` the private DNS zones of their names (`blob` to the id
    of the zone; a network whose zones are somebody else's has none), `api_server` is delegated to AKS, and `lustre` has
    one for each file system. `way_out` is what AKS calls it, userAssignedNATGateway or userDefinedRouting, and `ready`
    is what nodes wait for.
    """

    id: Annotated[Input[str], Doc("Id of the virtual network.")]
    nodes: Annotated[Input[str], Doc("Id of the subnet for nodes.")]
    endpoints: Annotated[Input[str], Doc("Id of the subnet for private endpoints.")]
    api_server: Annotated[Input[str], Doc("Id of the subnet that is delegated to AKS.")]
    lustre: Annotated[tuple[Input[str], ...], Doc("Id of the subnet of each file system.")] = ()
    pods_cidr: Annotated[str, Doc("CIDR range of pods.")]
    services_cidr: Annotated[IPv4Network, Doc("CIDR range of services.")]
    way_out: Annotated[Input[str], Doc("Outbound type of AKS: userAssignedNATGateway or userDefinedRouting.")] = (
        "userAssignedNATGateway"
    )
    zones: Annotated[Mapping[str, Input[str]], Doc("Ids of the private DNS zones, by sub-resource, such as blob.")] = (
        field(default_factory=dict)
    )
    ready: tuple[Resource, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentityHandle:
    """A managed identity: its id, and the GUIDs by which roles (`principal`) and programs (`client`) name it."""

    id: Annotated[Input[str], Doc("Id of the managed identity.")]
    principal: Annotated[Input[str], Doc("Its principal id, by which roles name it.")]
    client: Annotated[Input[str], Doc("Its client id, by which programs name it.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyHandle:
    """A customer-managed key of a Key Vault.

    `id` is its URI without a version, with which services follow rotations; `version_id` that of the version that is
    current as it is read. Services use it as `identity`, and disks by the disk encryption set `disks`. `grants` are
    the roles of that identity, which must exist before a service uses the key.
    """

    id: Annotated[Input[str], Doc("URI of the key without a version.")]
    version_id: Annotated[Input[str], Doc("URI of the current version.")]
    name: Annotated[Input[str], Doc("Name of the key.")]
    vault: Annotated[Input[str], Doc("Id of the vault.")]
    vault_uri: Annotated[Input[str], Doc("URI of the vault.")]
    identity: Annotated[IdentityHandle, Doc("Identity that services use the key as.")]
    disks: Annotated[Input[str] | None, Doc("Id of the disk encryption set.")] = None
    grants: tuple[Resource, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterHandle:
    """An AKS cluster: its `issuer` signs the tokens of service accounts, and `kubelet` is what its nodes act as.

    `credentials` is a kubeconfig as AKS gives it to users, which holds no secret. `version` is that of Kubernetes;
    where it is not the description's, `moves` is False, and pools that exist keep the one that they were created with.
    """

    name: Annotated[Input[str], Doc("Name of the cluster.")]
    id: Annotated[Input[str], Doc("Id of the cluster.")]
    version: Annotated[str, Doc("Kubernetes version, such as 1.35.")]
    moves: Annotated[bool, Doc("True if existing node pools follow the version.")] = True
    issuer: Annotated[Input[str], Doc("OIDC issuer of tokens of service accounts.")]
    kubelet: Annotated[IdentityHandle, Doc("Identity of the nodes.")]
    credentials: Annotated[Input[str], Doc("Kubeconfig of users, without a secret.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class VolumeHandle:
    """Storage as one of AKS's drivers mounts it into pods."""

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
    """A container of blobs in a storage account of its own.

    `logging` is the container in which imports are logged, and `grants` are the roles of whoever imports, which must
    exist before a file system does.
    """

    account: Annotated[Input[str], Doc("Name of the storage account.")]
    container: Annotated[Input[str], Doc("Name of the container.")]
    logging: Annotated[Input[str] | None, Doc("Name of the container in which imports are logged.")] = None
    grants: tuple[Resource, ...] = ()
