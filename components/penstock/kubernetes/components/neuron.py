"""Trainium and Inferentia, as Kubernetes hands them to pods."""

from __future__ import annotations

import pulumi

from penstock.kubernetes.components.release import EVERYWHERE, image, release


class NeuronDevicePlugin(pulumi.ComponentResource):
    """Offers each device as `aws.amazon.com/neuron` and each of its cores as `aws.amazon.com/neuroncore`."""

    def __init__(
        self, name: str, *, image_mirror: pulumi.Input[str] | None = None, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        """Install the plugin; `image_mirror` is the registry that a network without a way out pulls from."""
        super().__init__("penstock:kubernetes:NeuronDevicePlugin", name, None, opts)
        release(
            name,
            "neuron-helm-chart",
            values={
                "devicePlugin": {
                    "image": {"repository": image("neuron-helm-chart", image_mirror)},
                    "tolerations": EVERYWHERE,
                },
                # EKS itself watches the nodes and replaces broken ones.
                "npd": {"enabled": False},
            },
            mirrored=image_mirror is not None,
            opts=pulumi.ResourceOptions(parent=self),
        )
        self.register_outputs({})
