"""NVIDIA GPUs, as Kubernetes hands them to pods."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pulumi

from penstock.kubernetes.components.device_sharing import SharingPlan, plugin_values
from penstock.kubernetes.components.namespace import Namespace
from penstock.kubernetes.components.node_terms import required
from penstock.kubernetes.components.release import EVERYWHERE, image, release
from penstock.kubernetes.facts import charts

_CHART = "nvidia-device-plugin"


class NvidiaDevicePlugin(pulumi.ComponentResource):
    """Offers each GPU as `nvidia.com/gpu`, on nodes labelled `nvidia.com/gpu.present=true`.

    For nodes whose image has the driver but no plugin, such as those of Amazon Linux 2023. Two plugins on one node hand
    out the same GPUs twice.
    """

    def __init__(
        self,
        name: str,
        *,
        image_mirror: pulumi.Input[str] | None = None,
        sharing: SharingPlan | None = None,
        nodes: Sequence[Mapping[str, str]] = (),
        runtime_class: str | None = None,
        resources: Mapping[str, Mapping[str, str]] | None = None,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Install the plugin.

        Args:
            name: The component's name.
            image_mirror: The registry that a network without a way out pulls from.
            sharing: How nodes share their GPUs among pods; None for whole GPUs.
            nodes: The labels of each kind of node that it runs on, in place of the label above.
            runtime_class: The runtime class that containers with GPUs name, where the default one does not find them.
            resources: The requests and limits of its containers.
            opts: Pulumi's options.
        """
        super().__init__("penstock:kubernetes:NvidiaDevicePlugin", name, None, opts)
        namespace = Namespace(
            name,
            namespace=charts.find_chart(_CHART).namespace,
            pod_security="privileged",
            critical_pods=True,
            opts=pulumi.ResourceOptions(parent=self),
        )
        values: dict[str, Any] = {
            "image": {"repository": image(_CHART, image_mirror)},
            "tolerations": EVERYWHERE,
            # On, it takes the devices that EFA needs (NVIDIA/k8s-device-plugin issue 1692).
            "mofedEnabled": False,
        }
        if sharing is not None:
            values |= plugin_values(sharing)
        if nodes:
            values["affinity"] = required(nodes)
        if runtime_class is not None:
            values["runtimeClassName"] = runtime_class
        if resources is not None:
            values["resources"] = resources
        release(
            name,
            _CHART,
            values=values,
            mirrored=image_mirror is not None,
            opts=pulumi.ResourceOptions(parent=self, depends_on=[namespace]),
        )
        self.register_outputs({})
