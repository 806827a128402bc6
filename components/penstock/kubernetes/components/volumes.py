"""Volumes that are there before the pods: storage that a program built, ready to mount."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Protocol

import pulumi
from pulumi_kubernetes.core import v1 as core
from pulumi_kubernetes.meta import v1 as meta

from penstock.graph.source_block import Path, carried

_DECIDED_BY: Final = {
    "spec.capacity.storage spec.resources.requests.storage": ".capacity_tib",
}


class StoredVolume(Protocol):
    """Storage as a CSI driver mounts it, whoever built it: the handles of the clouds are of this form."""

    @property
    def driver(self) -> str:
        """The name of the driver."""

    @property
    def handle(self) -> pulumi.Input[str]:
        """What the driver calls the storage."""

    @property
    def any_handle(self) -> bool:
        """Whether the driver takes whatever no other volume is called, and finds the storage by its attributes."""

    @property
    def gib(self) -> int:
        """Its size at creation."""

    @property
    def attributes(self) -> Mapping[str, pulumi.Input[str]]:
        """What the driver wants to know besides."""

    @property
    def mount_options(self) -> Sequence[str]:
        """How it is mounted on every node."""


def mount(
    name: str,
    stored: StoredVolume,
    *,
    claim: str,
    namespace: pulumi.Input[str],
    opts: pulumi.ResourceOptions,
) -> Volume:
    """Make storage that is mounted elsewhere in the cluster ready to mount in one namespace more, which exists.

    Both volumes may have one handle, because no pod mounts both; nodes of Kubernetes 1.24 and later stage a volume by
    its handle, and not by its name (kubernetes/kubernetes issue 105868).
    """
    return Volume(
        name,
        claim=claim,
        driver=stored.driver,
        handle=name if stored.any_handle else stored.handle,
        gib=stored.gib,
        attributes=stored.attributes,
        mount_options=stored.mount_options,
        namespace=namespace,
        opts=opts,
    )


class Volume(pulumi.ComponentResource):
    """A persistent volume of storage that exists, and the one claim that may have it.

    Pods of the claim's namespace mount it with `persistentVolumeClaim: {claimName: …}`, many of them at once. Deleting
    either leaves the storage and all in it where it is.
    """

    def __init__(
        self,
        name: str,
        *,
        claim: str,
        driver: str,
        handle: pulumi.Input[str],
        gib: int,
        attributes: Mapping[str, pulumi.Input[str]],
        mount_options: Sequence[str] = (),
        namespace: pulumi.Input[str] = "default",
        described_at: Path | None = None,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Build both.

        Args:
            name: The volume's name in the cluster.
            claim: The claim's name in its namespace.
            driver: What mounts it: a CSI driver of the cluster.
            handle: What the driver calls the storage.
            gib: Its size at creation; drivers hold no pod to it.
            attributes: What the driver wants to know besides.
            mount_options: How it is mounted on every node.
            namespace: Of the claim; it exists.
            described_at: The path of the storage in a description.
            opts: Pulumi's options.
        """
        super().__init__("penstock:kubernetes:Volume", name, carried(described_at, _DECIDED_BY), opts)
        size = {"storage": f"{gib}Gi"}

        volume = core.PersistentVolume(
            name,
            metadata=meta.ObjectMetaArgs(name=name),
            spec=core.PersistentVolumeSpecArgs(
                access_modes=["ReadWriteMany"],
                capacity=size,
                storage_class_name="",  # left out, the cluster's default would claim the right to it
                persistent_volume_reclaim_policy="Retain",
                mount_options=list(mount_options) or None,
                claim_ref=core.ObjectReferenceArgs(namespace=namespace, name=claim),
                csi=core.CSIPersistentVolumeSourceArgs(
                    driver=driver, volume_handle=handle, volume_attributes=dict(attributes)
                ),
            ),
            opts=pulumi.ResourceOptions(parent=self, ignore_changes=["spec.capacity"]),
        )
        core.PersistentVolumeClaim(
            name,
            metadata=meta.ObjectMetaArgs(name=claim, namespace=namespace),
            spec=core.PersistentVolumeClaimSpecArgs(
                access_modes=["ReadWriteMany"],
                storage_class_name="",
                volume_name=volume.metadata.name,
                resources=core.VolumeResourceRequirementsArgs(requests=size),
            ),
            # Storage that grows would grow the claim, which Kubernetes refuses for volumes that it did not make.
            opts=pulumi.ResourceOptions(parent=self, ignore_changes=["spec.resources"]),
        )
        self.register_outputs({"claim": claim})
