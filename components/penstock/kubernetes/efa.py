"""EFA devices, as Kubernetes hands them to pods: by number, or by resource claims."""

from __future__ import annotations

import pulumi

from penstock.catalog.aws import image_registries
from penstock.kubernetes.release import EVERYWHERE, release
from penstock.spec.nodes.aws import DRANET


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
            values={
                "tolerations": EVERYWHERE,
                "supportedInstanceLabels": {"keys": ["vpc.amazonaws.com/efa.present"], "values": ["true"]},
                "image": {"repository": f"{image_registries.host(region)}/eks/aws-efa-k8s-device-plugin"},
            },
            opts=pulumi.ResourceOptions(parent=self),
        )
        self.register_outputs({})


class EfaDranet(pulumi.ComponentResource):
    """Publishes the EFA devices of nodes of pools with `networking: dranet`, as class `efa.networking.k8s.aws`.

    Nodes with the plugin are left to it: two that hand out the same devices admit too many pods.
    """

    def __init__(self, name: str, *, region: str, opts: pulumi.ResourceOptions | None = None) -> None:
        """Install the driver with its image from `region`."""
        super().__init__("penstock:kubernetes:EfaDranet", name, None, opts)
        release(
            name,
            "aws-dranet",
            values={
                "tolerations": EVERYWHERE,
                "supportedInstanceLabels": {"keys": [DRANET], "values": ["true"]},
                "image": {"repository": f"{image_registries.host(region)}/eks/dranet"},
            },
            opts=pulumi.ResourceOptions(parent=self),
        )
        self.register_outputs({})
