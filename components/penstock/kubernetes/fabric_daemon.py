"""The daemon of a fabric that each pod brings along, and what the pod mounts of the node for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from penstock.catalog.gcp import gpudirect
from penstock.catalog.gcp.gpudirect import Daemon

LIBRARIES = "/usr/local/nvidia/lib64"
"""Where containers with GPUs have the libraries of the driver, and of NCCL with its plug-in."""

_ON_NODE = "/home/kubernetes/bin/nvidia/lib64"
_OF_DAEMON: Mapping[str, str] = {"/sys": "/hostsysfs", "/proc/sys": "/hostprocsysfs"}
"""What the daemon sees of the node, and where (GoogleCloudPlatform/container-engine-accelerators, test manifests)."""


def needs_daemon(fabric: str | None) -> bool:
    """Return whether pods must bring a daemon of the fabric along, of the version of its plug-in on the nodes."""
    return any(each.fabric == fabric for each in gpudirect.daemons())


def add_daemon(template: dict[str, Any], fabric: str) -> None:
    """Add the daemon to the template of a pod, as a sidecar that starts before its containers and ends with them."""
    daemon = next(each for each in gpudirect.daemons() if each.fabric == fabric)
    name = f"{fabric}-daemon"
    devices = "".join(f"- path: {device}\n" for device in daemon.devices)
    annotations = {f"devices.gke.io/container.{name}": devices}
    template["metadata"] = {"annotations": {**template.get("metadata", {}).get("annotations", {}), **annotations}}
    pod = template["spec"]
    pod["initContainers"] = [_sidecar(name, daemon)]
    pod["volumes"] += [
        _of_node("libraries", _ON_NODE),
        *(_of_node(_volume(path), path) for path in (*_OF_DAEMON, *daemon.directories)),
        *({"name": _volume(path), "emptyDir": {}} for path in daemon.shares),
    ]
    for container in pod["containers"]:
        container["volumeMounts"] += [
            {"name": "libraries", "mountPath": LIBRARIES},
            *({"name": _volume(path), "mountPath": path} for path in (*daemon.directories, *daemon.shares)),
        ]


def _sidecar(name: str, daemon: Daemon) -> dict[str, Any]:
    return {
        "name": name,
        "image": gpudirect.image(name).reference,
        "restartPolicy": "Always",
        "command": ["/bin/sh", "-c", daemon.script],
        "securityContext": {"capabilities": {"add": list(daemon.adds)}},
        "env": [{"name": "LD_LIBRARY_PATH", "value": LIBRARIES}],
        "volumeMounts": [
            {"name": "libraries", "mountPath": LIBRARIES},
            *({"name": _volume(path), "mountPath": inside} for path, inside in _OF_DAEMON.items()),
            *({"name": _volume(path), "mountPath": path} for path in daemon.shares),
        ],
    }


def _volume(path: str) -> str:
    return path.strip("/").replace("/", "-").replace("_", "-")


def _of_node(name: str, path: str) -> dict[str, Any]:
    return {"name": name, "hostPath": {"path": path}}
