"""EFA devices, as Kubernetes hands them to pods: by request, or by claim."""

from __future__ import annotations

from typing import Any

import pulumi

from penstock.aws.facts import image_registries
from penstock.kubernetes.components.release import EVERYWHERE, release


class EfaDevicePlugin(pulumi.ComponentResource):
    """Offers each EFA device as `vpc.amazonaws.com/efa`, on nodes labelled `vpc.amazonaws.com/efa.present=true`.

    The chart knows machine types by name and would leave out newer ones; the label is on whatever pool has EFA.
    """

    def __init__(self, name: str, *, region: str, opts: pulumi.ResourceOptions | None = None) -> None:
        """Install the plugin with its image from `region`, which is all that a network without a way out can reach."""
        super().__init__("penstock:kubernetes:EfaDevicePlugin", name, None, opts)
        release(
            name,
            "aws-efa-k8s-device-plugin",
            values=_values(region, "aws-efa-k8s-device-plugin"),
            opts=pulumi.ResourceOptions(parent=self),
        )
        self.register_outputs({})


class EfaClaims(pulumi.ComponentResource):
    """AWS's driver for resource claims (DRANET): EFA of the class efa.networking.k8s.aws, on the same nodes.

    The device plugin beside it hands out the same devices twice.
    """

    def __init__(self, name: str, *, region: str, opts: pulumi.ResourceOptions | None = None) -> None:
        """Install the driver with its image from `region`."""
        super().__init__("penstock:kubernetes:EfaClaims", name, None, opts)
        release(name, "aws-dranet", values=_values(region, "dranet"), opts=pulumi.ResourceOptions(parent=self))
        self.register_outputs({})


def _values(region: str, image: str) -> dict[str, Any]:
    return {
        "tolerations": EVERYWHERE,
        "supportedInstanceLabels": {"keys": ["vpc.amazonaws.com/efa.present"], "values": ["true"]},
        "image": {"repository": f"{image_registries.host(region)}/eks/{image}"},
    }
