"""gIB: how NCCL reaches the RDMA interfaces of a3-ultragpu, a4, and a4x."""

from __future__ import annotations

import pulumi

from penstock.kubernetes.components.node_setup import Mirror, daemon_set, installer, libraries, machine_types, pause

_FABRICS = ("rdma", "rdma-nvl72", "rdma-metal")
_MOUNT = "/usr/local/home/kubernetes/bin"

# Between interfaces of one network the kernel takes each other's packets for martians, and logs every one of them.
_INSTALL = f"""\
for setting in /proc/sys/net/ipv4/conf/gpu*rdma*/log_martians; do
  test ! -e "$setting" || echo 0 > "$setting"
done
/scripts/container_entry.sh install
cp -r /var/lib/gib/lib64/. {_MOUNT}/nvidia/lib64
cp -r /var/lib/gib/. {_MOUNT}/gib
"""


class Gib(pulumi.ComponentResource):
    """Puts Google's plug-in for NCCL on every node of one processor architecture with RDMA interfaces.

    Pods mount `/home/kubernetes/bin/gib` of the node at `/usr/local/gib`, and take the variables of `NcclProfile` or
    run `/usr/local/gib/scripts/set_nccl_env.sh`, which Google keeps in step with the plug-in.
    """

    def __init__(
        self,
        name: str,
        *,
        arm: bool = False,
        image_mirror: Mirror = None,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Install it on x86 machines, or with `arm` on the Arm machines of a4x.

        `image_mirror` is the registry that a network without a way out pulls from.
        """
        super().__init__("penstock:kubernetes:Gib", name, None, opts)
        plugin = "gib-arm64" if arm else "gib"
        directories = {
            f"{_MOUNT}/nvidia/lib64": libraries("nvidia/lib64"),
            f"{_MOUNT}/gib": libraries("gib"),
        }
        daemon_set(
            name,
            called=f"nccl-{plugin}-installer",
            runs_on=machine_types(_FABRICS, "arm64" if arm else "x86_64"),
            first=[installer(plugin, image_mirror, script=_INSTALL, directories=directories)],
            containers=[pause(image_mirror)],
            directories=directories.values(),
            host_network=True,  # where the interfaces are that it silences
            opts=pulumi.ResourceOptions(parent=self),
        )
        self.register_outputs({})
