"""NVIDIA GPUs, as Kubernetes hands them to pods."""

from __future__ import annotations

import pulumi

from penstock.kubernetes.release import EVERYWHERE, image, release


class NvidiaDevicePlugin(pulumi.ComponentResource):
    """Offers each GPU as `nvidia.com/gpu`, on nodes labelled `nvidia.com/gpu.present=true`.

    For nodes whose image has the driver but no plugin, such as those of Amazon Linux 2023. Two plugins on one node hand
    out the same GPUs twice.
    """

    def __init__(
        self, name: str, *, image_mirror: pulumi.Input[str] | None = None, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        """Install the plugin; `image_mirror` is the registry that a network without a way out pulls from."""
        super().__init__("penstock:kubernetes:NvidiaDevicePlugin", name, None, opts)
        release(
            name,
            "nvidia-device-plugin",
            values={
                "image": {"repository": image("nvidia-device-plugin", image_mirror)},
                "tolerations": EVERYWHERE,
                # On, it takes the devices that EFA needs (NVIDIA/k8s-device-plugin issue 1692).
                "mofedEnabled": False,
            },
            mirrored=image_mirror is not None,
            opts=pulumi.ResourceOptions(parent=self),
        )
        self.register_outputs({})
