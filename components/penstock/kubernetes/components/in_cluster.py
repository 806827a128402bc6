"""What an add-on knows of the platform that it is installed into."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pulumi

from penstock.description.addons import AddonsSpec
from penstock.description.nodes import PoolNodes
from penstock.description.storage import StorageSpec
from penstock.kubernetes.facts.profiles import ClusterProfile

if TYPE_CHECKING:
    from penstock.kubernetes.components.volumes import StoredVolume


_OF_CLASS = ".deviceclass.resource.k8s.io/devices"
"""After the name of a device class, what a ResourceQuota counts (Kubernetes documentation, resource quotas)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretSource:
    """Where External Secrets reads the secrets of a platform.

    Attributes:
        provider: the store, as a ClusterSecretStore has it.
        keys: what the store calls each secret, by its name in the description.
        part: what to take of a secret that has several values; empty for all of it.
        account: annotations of the service account by whose tokens the store is read; empty where none are asked for.
    """

    provider: Mapping[str, Any]
    keys: Mapping[str, pulumi.Input[str]]
    part: Mapping[str, str] = field(default_factory=dict)
    account: Mapping[str, pulumi.Input[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class InCluster:
    """One cluster of a platform, whoever created it.

    Attributes:
        platform: the full name of the platform, with its environment.
        provider: aws, gcp, azure or kubernetes.
        region: of the cloud; empty where there is none.
        environment: dev, staging or prod.
        profile: what a cluster that exists already brings; None on a cloud.
        version: the Kubernetes version; None where nobody says.
        pools: the nodes of every pool.
        storage: the storage of the description, whose claims are called by its names.
        volumes: what a cloud built of it that pods mount, by the same names.
        addons: all add-ons of the description, so that one may fit itself to another.
        adopted: whether the cluster exists already, and Penstock only adds to it.
        installed: what it has already, by the names of `cluster.existing.installed`.
        image_mirror: the registry that stands in for public ones; None for these.
        secrets: the store of its cloud; None for a description without secrets, and without a cloud.
        outputs: what the cloud offers to add-ons by name, such as the cluster's own name.
    """

    platform: str
    provider: str
    region: str
    environment: str
    profile: ClusterProfile | None
    version: str | None
    pools: tuple[PoolNodes, ...]
    storage: tuple[StorageSpec, ...] = ()
    volumes: Mapping[str, StoredVolume] = field(default_factory=dict)
    addons: AddonsSpec
    adopted: bool = False
    installed: frozenset[str] = frozenset()
    image_mirror: pulumi.Input[str] | None = None
    secrets: SecretSource | None = None
    outputs: Mapping[str, pulumi.Input[str]] = field(default_factory=dict)

    @property
    def kind(self) -> str:
        """The kind of a cluster that exists, or the cloud of one that is created."""
        return self.profile.profile if self.profile is not None else self.provider

    @property
    def accelerated(self) -> tuple[PoolNodes, ...]:
        """The pools whose nodes have accelerators."""
        return tuple(pool for pool in self.pools if pool.resource is not None)

    @property
    def open_pools(self) -> tuple[PoolNodes, ...]:
        """The pools whose nodes Kubernetes hands out: some add-ons hold theirs for good."""
        held = self.addons.held_pools({pool.pool: pool.resource for pool in self.pools})
        return tuple(pool for pool in self.pools if pool.pool not in held)


def device_quota(pools: Iterable[PoolNodes]) -> dict[str, str]:
    """The devices that pools have at most, as a ResourceQuota bounds them: by resource, or by class where claimed."""
    most: dict[str, int] = {}
    for pool in pools:
        claimed = {claim.resource: f"{claim.device_class}{_OF_CLASS}" for claim in pool.claims}
        for device, count in pool.devices.items():
            name = claimed.get(device, f"requests.{device}")
            most[name] = most.get(name, 0) + count * pool.nodes.max
    return {name: str(count) for name, count in sorted(most.items())}
