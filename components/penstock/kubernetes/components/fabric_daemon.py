"""The daemon of a fabric that each pod brings along, and what the pod mounts of the node for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from penstock.kubernetes.facts import gpudirect
from penstock.kubernetes.facts.gpudirect import Daemon

LIBRARIES = "/usr/local/nvidia/lib64"
"""Where containers with GPUs have the libraries of the driver, and of NCCL with its plug-in."""

LIBRARIES_ON_NODE = "/home/kubernetes/bin/nvidia/lib64"
DEVICES = "devices.gke.io/"
"""Begins the annotations by which a pod names devices of the node that a container gets."""

OF_NODE: Mapping[str, str] = {LIBRARIES: LIBRARIES_ON_NODE, "/hostsysfs": "/sys", "/hostprocsysfs": "/proc/sys"}
"""What a daemon mounts of the node, by where in its container (GoogleCloudPlatform/container-engine-accelerators, test
manifests)."""


def find_daemon(fabric: str | None) -> Daemon | None:
    """Return the daemon that pods must bring along, of the version of its plug-in on the nodes; None for none."""
    return next((each for each in gpudirect.daemons() if each.fabric == fabric), None)


def add_daemon(template: dict[str, Any], daemon: Daemon) -> None:
    """Add the daemon to the template of a pod, as a sidecar that starts before its containers and ends with them."""
    template["metadata"] = {"annotations": {**template.get("metadata", {}).get("annotations", {}), **devices(daemon)}}
    pod = template["spec"]
    pod["initContainers"] = [sidecar(daemon)]
    pod["volumes"] += [
        *({"name": _volume(path), "hostPath": {"path": path}} for path in directories(daemon)),
        *({"name": _volume(path), "emptyDir": {}} for path in daemon.shares),
    ]
    for container in pod["containers"]:
        container["volumeMounts"] += [
            {"name": _volume(LIBRARIES_ON_NODE), "mountPath": LIBRARIES, "readOnly": True},
            *({"name": _volume(path), "mountPath": path} for path in (*daemon.directories, *daemon.shares)),
        ]


def name_of(daemon: Daemon) -> str:
    """The name of its container."""
    return f"{daemon.fabric}-daemon"


def devices(daemon: Daemon) -> dict[str, str]:
    """The annotation of a pod that gives its container devices of the node."""
    return {f"{DEVICES}container.{name_of(daemon)}": "".join(f"- path: {device}\n" for device in daemon.devices)}


def directories(daemon: Daemon) -> tuple[str, ...]:
    """What a pod mounts of the node: for the daemon, and for the containers with GPUs."""
    return (*OF_NODE.values(), *daemon.directories)


def sidecar(daemon: Daemon) -> dict[str, Any]:
    """The container of the daemon."""
    return {
        "name": name_of(daemon),
        "image": gpudirect.image(name_of(daemon)).reference,
        "restartPolicy": "Always",
        "command": ["/bin/sh", "-c", daemon.script],
        "securityContext": {"capabilities": {"add": list(daemon.adds)}},
        "env": [{"name": "LD_LIBRARY_PATH", "value": LIBRARIES}],
        "volumeMounts": [
            *({"name": _volume(path), "mountPath": inside} for inside, path in OF_NODE.items()),
            *({"name": _volume(path), "mountPath": path} for path in daemon.shares),
        ],
    }


def _volume(path: str) -> str:
    return path.strip("/").replace("/", "-").replace("_", "-")
