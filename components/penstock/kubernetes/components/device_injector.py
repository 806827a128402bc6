"""Devices for containers without privileges: what a pod's annotations name, the container runtime hands over."""

from __future__ import annotations

import pulumi
from pulumi_kubernetes.apps import v1 as apps
from pulumi_kubernetes.core import v1 as core

from penstock.kubernetes.components.node_setup import Mirror, daemon_set, image, machine_types, volume_name

_DEVICES = "/dev"
_RUNTIME = "/var/run/nri"


def device_injector(name: str, *, fabric: str, image_mirror: Mirror, opts: pulumi.ResourceOptions) -> apps.DaemonSet:
    """Google's plug-in for the container runtime (NRI), on the nodes of one fabric.

    It reads `devices.gke.io/container.NAME` of a pod, and spares the daemon in that pod to be privileged.
    """
    container = core.ContainerArgs(
        name="device-injector",
        image=image("device-injector", image_mirror),
        security_context=core.SecurityContextArgs(privileged=True),
        resources=core.ResourceRequirementsArgs(requests={"cpu": "150m", "memory": "32Mi"}, limits={"memory": "256Mi"}),
        volume_mounts=[core.VolumeMountArgs(name=volume_name(path), mount_path=path) for path in (_DEVICES, _RUNTIME)],
    )
    return daemon_set(
        name,
        called=f"device-injector-{fabric}",
        runs_on=machine_types([fabric]),
        containers=[container],
        directories=(_DEVICES, _RUNTIME),
        opts=opts,
    )
