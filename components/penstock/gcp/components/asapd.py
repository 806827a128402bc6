"""The RDMA interfaces of a4x-maxgpu-4g-metal, whose hosts Google leaves to their users."""

from __future__ import annotations

import pulumi
from pulumi_kubernetes.core import v1 as core

from penstock.kubernetes.components.node_setup import Mirror, daemon_set, image, machine_types, volume_name

_DIRECTORIES = (
    "/sys",
    "/proc",
    "/etc/udev/rules.d",
    "/run/udev",
    "/run/asapd-lite",
    "/run/systemd",
    "/etc/systemd/system",
    "/var/log/google/asapd-lite",
    "/var/lib/google/asapd-lite",
)
_HUGE_PAGES = "huge-pages"
_PORT = 19540

_RUN = """\
/usr/local/bin/run_asapd_lite.sh
sleep 15
# An address that the network took for a duplicate comes up only with its interface: fix that, and start anew.
failed=$(ip -6 -o address show dadfailed | awk '$2 ~ /gpu/ {print $2}' | sort -u)
for interface in $failed; do
  ip link set dev "$interface" down
  ip link set dev "$interface" up
done
test -z "$failed" || exit 1
wait
"""


class AsapdLite(pulumi.ComponentResource):
    """Google's daemon that sets up the RDMA interfaces of these bare metal machines; without it they carry nothing.

    It takes 4096 huge pages of 2 MiB of each node, which the node pool must set aside.
    """

    def __init__(self, name: str, *, image_mirror: Mirror = None, opts: pulumi.ResourceOptions | None = None) -> None:
        """Run it; `image_mirror` is the registry that a network without a way out pulls from."""
        super().__init__("penstock:kubernetes:AsapdLite", name, None, opts)
        health = core.HTTPGetActionArgs(path="/healthz", port=_PORT)
        container = core.ContainerArgs(
            name="asapd-lite",
            image=image("asapd-lite", image_mirror),
            command=["/bin/bash", "-c"],
            args=[_RUN],
            env=[core.EnvVarArgs(name="LD_LIBRARY_PATH", value="/asapd-lite/controller")],
            liveness_probe=core.ProbeArgs(http_get=health, initial_delay_seconds=60),
            readiness_probe=core.ProbeArgs(http_get=health),
            security_context=core.SecurityContextArgs(privileged=True),
            resources=core.ResourceRequirementsArgs(
                requests={"cpu": "100m"}, limits={"hugepages-2Mi": "8192Mi", "memory": "1024Mi"}
            ),
            volume_mounts=[
                *(core.VolumeMountArgs(name=volume_name(path), mount_path=path) for path in _DIRECTORIES),
                core.VolumeMountArgs(name=_HUGE_PAGES, mount_path="/hugepages-2Mi"),
            ],
        )
        daemon_set(
            name,
            called="asapd-lite",
            runs_on=machine_types(["rdma-metal"]),
            containers=[container],
            directories=_DIRECTORIES,
            volumes=[
                core.VolumeArgs(name=_HUGE_PAGES, empty_dir=core.EmptyDirVolumeSourceArgs(medium="HugePages-2Mi"))
            ],
            # It sets up the interfaces of the host, and watches what else runs there.
            host_network=True,
            host_pid=True,
            opts=pulumi.ResourceOptions(parent=self),
        )
        self.register_outputs({})
