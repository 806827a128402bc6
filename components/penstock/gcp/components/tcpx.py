"""GPUDirect-TCPX: how NCCL reaches the network interfaces of a3-highgpu-8g."""

from __future__ import annotations

import pulumi

from penstock.kubernetes.components.device_injector import device_injector
from penstock.kubernetes.components.node_setup import Mirror, daemon_set, installer, libraries, machine_types, pause

_INSTALL = """\
/scripts/container_entry.sh install --install-nccl
mkdir -p /usr/local/nvidia/lib64
cp -r /var/lib/tcpx/lib64/. /usr/local/nvidia/lib64
"""


class Tcpx(pulumi.ComponentResource):
    """Puts NCCL and its plug-in on every such node, in the directory that GKE mounts into containers with GPUs.

    There, it is `/usr/local/nvidia/lib64`, which a container's `LD_LIBRARY_PATH` must name.
    Pods bring the rest: an interface of each fabric network, Google's daemon as a sidecar (`tcpx-daemon` of
    `penstock.kubernetes.facts.gpudirect`) with its devices named in an annotation, and the variables of `NcclProfile`.
    """

    def __init__(self, name: str, *, image_mirror: Mirror = None, opts: pulumi.ResourceOptions | None = None) -> None:
        """Install both; `image_mirror` is the registry that a network without a way out pulls from."""
        super().__init__("penstock:kubernetes:Tcpx", name, None, opts)
        child = pulumi.ResourceOptions(parent=self)

        directories = {"/var/lib": "/var/lib", "/usr/local": libraries()}
        daemon_set(
            name,
            called="nccl-tcpx-installer",
            runs_on=machine_types(["tcpx"]),
            first=[installer("tcpx-plugin", image_mirror, script=_INSTALL, directories=directories)],
            containers=[pause(image_mirror)],
            directories=directories.values(),
            opts=child,
        )
        device_injector(f"{name}-devices", fabric="tcpx", image_mirror=image_mirror, opts=child)
        self.register_outputs({})
