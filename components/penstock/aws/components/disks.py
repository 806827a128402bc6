"""EBS volumes for pods."""

from __future__ import annotations

import pulumi
from pulumi_kubernetes.storage import v1 as storage

from penstock.aws.components.handles import KeyHandle
from penstock.description.block import HoldingSpec


class Disks(pulumi.ComponentResource):
    """The class that claims without one get: encrypted gp3 volumes, in the zone of the pod, that can grow.

    EKS brings no default class since Kubernetes 1.30, so such a claim would wait for ever, and the class that older
    clusters have does not encrypt. A volume goes with its claim, but in a protected platform, where people delete it.
    """

    ready: pulumi.Resource

    def __init__(self, name: str, spec: HoldingSpec, *, key: KeyHandle, opts: pulumi.ResourceOptions) -> None:
        """Make the class, by a provider for the cluster; `key` encrypts the volumes (`Keys.data`)."""
        super().__init__("penstock:aws:Disks", name, spec.inputs(), opts)
        self.ready = storage.StorageClass(
            name,
            metadata={
                "name": "penstock-gp3",
                "annotations": {"storageclass.kubernetes.io/is-default-class": "true"},
            },
            provisioner="ebs.csi.aws.com",
            parameters={"type": "gp3", "encrypted": "true", "kmsKeyId": key.arn},
            volume_binding_mode="WaitForFirstConsumer",
            allow_volume_expansion=True,
            reclaim_policy="Retain" if spec.protect else "Delete",
            opts=pulumi.ResourceOptions(parent=self),
        )
        self.register_outputs({})
