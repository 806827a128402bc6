"""NVIDIA GPUs that pods claim, in place of requesting them of a device plugin."""

from __future__ import annotations

import pulumi

from penstock.kubernetes.components.namespace import Namespace
from penstock.kubernetes.components.release import EVERYWHERE, image, release
from penstock.kubernetes.facts import charts

_CHART = "dra-driver-nvidia-gpu"


class GpuClaims(pulumi.ComponentResource):
    """NVIDIA's driver for resource claims, which publishes GPUs of the class gpu.nvidia.com.

    For nodes labelled `nvidia.com/gpu.present=true` whose image has the driver of the GPUs. A device plugin on the same
    nodes hands out the same GPUs twice.
    """

    def __init__(
        self,
        name: str,
        *,
        image_mirror: pulumi.Input[str] | None = None,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Install the driver.

        Args:
            name: The component's name.
            image_mirror: The registry that a network without a way out pulls from.
            opts: Pulumi's options.
        """
        super().__init__("penstock:kubernetes:GpuClaims", name, None, opts)
        namespace = Namespace(
            name,
            namespace=charts.find_chart(_CHART).namespace,
            pod_security="privileged",
            critical_pods=True,
            opts=pulumi.ResourceOptions(parent=self),
        )
        release(
            name,
            _CHART,
            values={
                "image": {"repository": image(_CHART, image_mirror)},
                # The chart hands out GPUs only where somebody says that no device plugin does.
                "gpuResourcesEnabledOverride": True,
                "resources": {"gpus": {"enabled": True}, "computeDomains": {"enabled": False}},
                "kubeletPlugin": {"tolerations": EVERYWHERE},
            },
            mirrored=image_mirror is not None,
            opts=pulumi.ResourceOptions(parent=self, depends_on=[namespace]),
        )
        self.register_outputs({})
