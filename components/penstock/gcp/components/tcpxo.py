"""GPUDirect-TCPXO: how NCCL reaches the network interfaces of a3-megagpu-8g."""

from __future__ import annotations

import pulumi
from pulumi_kubernetes.core import v1 as core

from penstock.kubernetes.components.device_injector import device_injector
from penstock.kubernetes.components.node_setup import (
    Mirror,
    daemon_set,
    image,
    installer,
    libraries,
    machine_types,
    pause,
)

_INSTALL = """\
chmod 755 /scripts/container_entry.sh
/scripts/container_entry.sh install --install-nccl
mkdir -p /usr/local/nvidia/lib64
cp -r /var/lib/tcpxo/lib64/. /usr/local/nvidia/lib64
"""

_OPEN_NODE = """\
# The daemons of all nodes talk to each other by TCP, on whatever port.
iptables -C INPUT -p tcp -j ACCEPT 2>/dev/null || iptables -I INPUT -p tcp -j ACCEPT
modprobe import-helper
# The control memory of each interface, by its PCI address, at a path that pods can mount.
for address in $(lspci -nn -D | awk '/1ae0:0084/ {print $1}'); do
  mkdir -p "/dev/aperture_devices/$address"
  grep -q " /dev/aperture_devices/$address " /proc/mounts ||
    mount --bind "$(readlink -f "/sys/bus/pci/devices/$address")" "/dev/aperture_devices/$address"
  # Google's own installer goes on where one of these fails: the plug-in comes after it.
  chmod -R a+r "/dev/aperture_devices/$address"
  chmod a+rw /dev/aperture_devices/"$address"/resource*
done
"""


class Tcpxo(pulumi.ComponentResource):
    """Puts NCCL and its plug-in on every such node, in the directory that GKE mounts into containers with GPUs.

    There, it is `/usr/local/nvidia/lib64`, which a container's `LD_LIBRARY_PATH` must name.
    Pods bring the rest: an interface of each fabric network, Google's daemon as a sidecar (`tcpxo-daemon` of
    `penstock.kubernetes.facts.gpudirect`) with its devices named in an annotation, `/dev/aperture_devices` of the node
    in the containers with GPUs, and the variables of `NcclProfile`.
    """

    def __init__(self, name: str, *, image_mirror: Mirror = None, opts: pulumi.ResourceOptions | None = None) -> None:
        """Install both; `image_mirror` is the registry that a network without a way out pulls from."""
        super().__init__("penstock:kubernetes:Tcpxo", name, None, opts)
        child = pulumi.ResourceOptions(parent=self)

        directories = {"/var/lib": "/var/lib", "/usr/local": libraries()}
        daemon_set(
            name,
            called="nccl-tcpxo-installer",
            runs_on=machine_types(["tcpxo"]),
            first=[
                _open_node(image_mirror),
                installer("tcpxo-plugin", image_mirror, script=_INSTALL, directories=directories),
            ],
            containers=[pause(image_mirror)],
            directories=directories.values(),
            host_pid=True,
            opts=child,
        )
        device_injector(f"{name}-devices", fabric="tcpxo", image_mirror=image_mirror, opts=child)
        self.register_outputs({})


def _open_node(mirror: Mirror) -> core.ContainerArgs:
    """The container that prepares the node itself, with the node's own tools: it enters those of its first process."""
    return core.ContainerArgs(
        name="open-node",
        image=image("host-shell", mirror),
        command=["nsenter", "--all", "--target", "1", "--", "sh", "-c", _OPEN_NODE],
        resources=core.ResourceRequirementsArgs(requests={"cpu": "10m", "memory": "16Mi"}, limits={"memory": "256Mi"}),
        security_context=core.SecurityContextArgs(privileged=True),
    )
