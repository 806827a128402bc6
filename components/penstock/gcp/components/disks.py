"""Persistent Disk and Hyperdisk volumes for pods."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import pulumi
from pulumi_kubernetes.storage import v1 as storage

from penstock.description.block import HoldingSpec
from penstock.gcp.components.handles import KeyHandle
from penstock.gcp.facts import gke_versions
from penstock.gcp.facts.machines import GcpMachine

PERSISTENT_DISK, HYPERDISK = "pd-balanced", "hyperdisk-balanced"

_ANY = {
    "type": "dynamic",
    "pd-type": PERSISTENT_DISK,
    "hyperdisk-type": HYPERDISK,
    "disk-type-preference": "pd-type",
    # A pod follows its volume to machines that take the same type only.
    "use-allowed-disk-topology": "true",
}
"""Persistent Disk where a machine takes it, as for its boot disk, and Hyperdisk on those that take nothing else."""


class Disks(pulumi.ComponentResource):
    """The class that claims without one get: volumes with the platform's key, in the zone of the pod, that can grow.

    GKE's own default class, `standard-rwo`, has Google's key and Persistent Disk, which newer machines refuse. It stays
    a default one, too: of several Kubernetes takes the one that was created last (Kubernetes documentation, storage
    classes). A volume goes with its claim, but in a protected platform, where people delete it.
    """

    def __init__(
        self,
        name: str,
        spec: HoldingSpec,
        *,
        key: KeyHandle,
        machines: Collection[GcpMachine],
        version: str,
        opts: pulumi.ResourceOptions,
    ) -> None:
        """Make the class, by a provider for the cluster.

        Args:
            name: The component's name.
            spec: Its tags, and whether volumes outlive their claims.
            key: Encrypts the volumes (`Keys.data`).
            machines: Those of the cluster, which decide before GKE could: see `disk_type`.
            version: The cluster's, of Kubernetes.
            opts: Pulumi's options.
        """
        super().__init__("penstock:gcp:Disks", name, spec.inputs(), opts)
        storage.StorageClass(
            name,
            metadata={
                "name": "penstock-balanced",
                "annotations": {"storageclass.kubernetes.io/is-default-class": "true"},
            },
            provisioner="pd.csi.storage.gke.io",
            parameters={**disk_type(machines, version), "disk-encryption-kms-key": key.id},
            volume_binding_mode="WaitForFirstConsumer",
            allow_volume_expansion=True,
            reclaim_policy="Retain" if spec.protect else "Delete",
            opts=pulumi.ResourceOptions(parent=self, depends_on=key.for_("compute")),
        )
        self.register_outputs({})


def disk_type(machines: Collection[GcpMachine], version: str) -> Mapping[str, str]:
    """The type of disk of a class that all machines of a cluster can use, as parameters of GKE's driver.

    GKE chooses by the machine of the pod where its version can. Before, a class has one type: Hyperdisk where no
    machine takes Persistent Disk.
    """
    if gke_versions.at_least(version, "dynamic_disks") is not False:
        return _ANY
    hyperdisk_alone = all(PERSISTENT_DISK not in machine.boot_disks for machine in machines)
    return {"type": HYPERDISK if machines and hyperdisk_alone else PERSISTENT_DISK}
