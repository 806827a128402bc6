"""Relations that exempt pods from policies: those with the daemon of a fabric do what it needs of the node."""

from __future__ import annotations

from typing import Final

from penstock.graph.view import Block, View
from penstock.kubernetes.facts import gpudirect
from penstock.kubernetes.model.pods import containers as pods

_DAEMON_ADDS: Final = frozenset({"NET_ADMIN", "NET_BIND_SERVICE"})
_ALL_ADD: Final = frozenset({"IPC_LOCK", "NET_BIND_SERVICE"})
_DIRECTORIES: Final = ("/sys", "/proc/sys", "/run/tcpx", "/dev/aperture_devices", "/home/kubernetes/bin/nvidia/lib64")
"""GoogleCloudPlatform/container-engine-accelerators 992db81, gpudirect-tcpx and gpudirect-tcpxo, nccl-test-*.yaml."""


def adds_for_a_gpudirect_daemon(workload: View) -> bool:
    """Return whether only Google's daemon for GPUDirect has more capabilities than a pod with RDMA has."""
    return all(
        set(_added(container)) <= (_ALL_ADD | _DAEMON_ADDS if _is_daemon(container) else _ALL_ADD)
        for container in pods.containers(workload)
    )


def mounts_for_a_gpudirect_daemon(workload: View) -> bool:
    """Return whether a workload brings Google's daemon for GPUDirect, and mounts no more of the node than it needs."""
    if not any(_is_daemon(container) for container in pods.containers(workload)):
        return False
    inside = [workload.within(place) for place in pods.specs(workload)]
    mounted = [place.value for pod in inside for place in pod.locations("volumes[].hostPath.path")]
    return all(path is None or path in _DIRECTORIES for path in mounted)


def _is_daemon(container: Block) -> bool:
    repository = (container.text("image") or "").partition("@")[0].rpartition(":")[0]
    return any(repository.endswith(f"/{daemon.image}") for daemon in gpudirect.daemons())


def _added(container: Block) -> list[str]:
    context = container.block("securityContext")
    capabilities = None if context is None else context.block("capabilities")
    return [] if capabilities is None else capabilities.texts("add")


RELATIONS: Final = (adds_for_a_gpudirect_daemon, mounts_for_a_gpudirect_daemon)
"""The relations that the table `exemptions` names."""
