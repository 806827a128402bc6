"""Trainium and Inferentia, as Kubernetes hands them to pods."""

from __future__ import annotations

import pulumi

from penstock.kubernetes.release import EVERYWHERE, release


class NeuronDevicePlugin(pulumi.ComponentResource):
    """Offers each device as `aws.amazon.com/neuron` and each of its cores as `aws.amazon.com/neuroncore`."""

    def __init__(self, name: str, *, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("penstock:kubernetes:NeuronDevicePlugin", name, None, opts)
        release(
            name,
            "neuron-helm-chart",
            values={
                "devicePlugin": {"tolerations": EVERYWHERE},
                # EKS itself watches the nodes and replaces broken ones.
                "npd": {"enabled": False},
            },
            opts=pulumi.ResourceOptions(parent=self),
        )
        self.register_outputs({})
