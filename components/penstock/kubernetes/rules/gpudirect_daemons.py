"""The daemon of GPUDirect-TCPX and -TCPXO, which each pod that uses them brings along."""

from __future__ import annotations

import re

from penstock.graph.verdict import NOT_APPLICABLE, PASS, NotKnown, Verdict, allow, each, fail
from penstock.graph.view import Block, View
from penstock.kubernetes.facts import gpudirect
from penstock.kubernetes.facts.gpudirect import Daemon
from penstock.kubernetes.model.pods.templates import RUNNING_WORKLOADS, PodTemplate, requested, templates, texts
from penstock.kubernetes.rules import gke_networks, inventory, landing, variables
from penstock.kubernetes.rules.types import DAEMON_SET, DEPLOYMENT, REPLICA_SET, STATEFUL_SET
from penstock.rules.levels import MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_GPU = "nvidia.com/gpu"
_PLUGIN = "/nccl-plugin-gpudirecttcpx-dev"
_DEVICES = "devices.gke.io/container."
_DEVICE = re.compile(r"/dev/[\w/-]+")
"""A device in that annotation, in whichever of YAML's styles the list is."""
_SOCKETS = re.compile(r"--uds_path[=\s]+[\"']?([^\s\"']+)")
_NEVER_END = (DEPLOYMENT, REPLICA_SET, STATEFUL_SET, DAEMON_SET)


@RULES.rule(
    on=RUNNING_WORKLOADS,
    each_of=templates,
    severity=MEDIUM,
    rationale=(
        "As an ordinary container the daemon keeps the pod running after its work, and as an ordinary init container "
        "it keeps the pod from starting."
    ),
    fix="Move the daemon to initContainers, and set its restartPolicy to Always.",
    sources=("GoogleCloudPlatform/container-engine-accelerators, gpudirect-tcpxo/best-practice.md",),
)
def k8s_gpudirect_daemon_sidecar(pods: PodTemplate) -> Verdict:
    """In pods that end, the GPUDirect daemon is a sidecar: an init container with restartPolicy Always."""
    beside = [container for container in pods.spec.blocks("containers") if _daemon(container) is not None]
    within = [container for container in pods.spec.blocks("initContainers") if _daemon(container) is not None]
    if not beside and not within:
        return NOT_APPLICABLE
    if beside and pods.workload.type not in _NEVER_END and pods.spec.text("restartPolicy") in ("Never", "OnFailure"):
        return fail(
            "the daemon never ends, and so the pod does not when its work is done",
            hint="Move it to initContainers, with restartPolicy: Always.",
            path=beside[0].at("name"),
        )
    return each(within, _is_sidecar) if within else PASS


@RULES.rule(
    on=RUNNING_WORKLOADS,
    each_of=templates,
    severity=MEDIUM,
    rationale="The pods are accepted, and NCCL cannot use the fabric, because its plug-in finds no daemon.",
    fix="Add the daemon of the fabric to initContainers as a sidecar.",
    joins=True,
    sources=("GKE documentation, GPUDirect and multiple networks",),
)
def k8s_gpudirect_daemon_present(pods: PodTemplate) -> Verdict:
    """Pods with the interfaces of GPUDirect-TCPX or GPUDirect-TCPXO have a container with its daemon."""
    asked = gke_networks.interfaces(pods)
    if asked is None or len(asked) <= 1:
        return NOT_APPLICABLE
    offer = landing.on_fabric(pods)
    daemon = next((each for each in gpudirect.daemons() if offer is not None and each.fabric == offer.fabric), None)
    if daemon is None:
        return NOT_APPLICABLE
    return allow(
        any(_daemon(container) is not None for container in pods.containers),
        f"the pod has the interfaces of {daemon.fabric}, and no container with its daemon",
        hint=f"Add {gpudirect.image(f'{daemon.fabric}-daemon').reference} as a sidecar.",
        path=pods.spec.at("initContainers"),
    )


@RULES.rule(
    on=RUNNING_WORKLOADS,
    each_of=templates,
    severity=MEDIUM,
    rationale="The pods are accepted, with a daemon and a plug-in that Google did not release as a pair.",
    fix="Set image of the daemon to the version of the same release as the plug-in.",
    joins=True,
    sources=(
        (
            "GoogleCloudPlatform/container-engine-accelerators, gpudirect-tcpxo/README.md (catalogue, "
            "gcp_gpudirect_releases)"
        ),
    ),
)
def k8s_gpudirect_daemon_release(pods: PodTemplate) -> Verdict:
    """The GPUDirect daemon has the version that Google released together with the NCCL plug-in on the nodes."""
    found = [(container, daemon) for container in pods.containers if (daemon := _daemon(container)) is not None]
    if not found:
        return NOT_APPLICABLE

    def goes_with_plugin(pair: tuple[Block, Daemon]) -> Verdict:
        container, daemon = pair
        plugin = _installed(pods.workload, daemon.fabric)
        release = gpudirect.release(daemon.fabric, plugin)
        if release is None:
            raise NotKnown
        tag = _tag(container)
        return allow(
            tag == release.daemon,
            f"the daemon is {tag or 'of no fixed version'}, and the plug-in on the nodes is {plugin}",
            hint=f"Use the daemon {release.daemon}.",
            path=container.at("image"),
        )

    return each(found, goes_with_plugin)


@RULES.rule(
    on=RUNNING_WORKLOADS,
    each_of=templates,
    severity=MEDIUM,
    rationale="The pod is accepted, and the daemon runs without the devices that it needs.",
    fix=(
        "List the devices in the annotation devices.gke.io/container.NAME of the pod template, with the name of the "
        "daemon's container."
    ),
    sources=(
        "GoogleCloudPlatform/container-engine-accelerators, nri_device_injector/README.md",
        "GoogleCloudPlatform/container-engine-accelerators, test manifests",
    ),
)
def k8s_gpudirect_daemon_devices(pods: PodTemplate) -> Verdict:
    """The GPUDirect daemon has its devices listed in an annotation of the pod, or is privileged."""
    found = [(container, daemon) for container in pods.containers if (daemon := _daemon(container)) is not None]
    if not found:
        return NOT_APPLICABLE

    def has_all(pair: tuple[Block, Daemon]) -> Verdict:
        container, daemon = pair
        security = container.block("securityContext")
        if security is not None and security.flag("privileged"):
            return PASS
        key = f"{_DEVICES}{container.text('name')}"
        given = _DEVICE.findall(texts(pods.metadata, "annotations").get(key, ""))
        missing = [device for device in daemon.devices if device not in given]
        return allow(
            not missing,
            f"the daemon does not get {missing[0] if missing else ''}",
            hint=f"Name its devices in the annotation {key}: {' '.join(daemon.devices)}.",
            path=pods.metadata.at("annotations") if pods.metadata is not None else pods.template.at("metadata"),
        )

    return each(found, has_all)


@RULES.rule(
    on=RUNNING_WORKLOADS,
    each_of=templates,
    severity=MEDIUM,
    rationale="The pod is accepted, and the processes with GPUs cannot see the devices of the fabric.",
    fix="Add a volume with hostPath /dev/aperture_devices, and mount it in volumeMounts at the same path.",
    sources=("GoogleCloudPlatform/container-engine-accelerators, gpudirect-tcpxo/README.md",),
)
def k8s_gpudirect_aperture_mounted(pods: PodTemplate) -> Verdict:
    """In a pod with the GPUDirect-TCPXO daemon, containers with GPUs mount /dev/aperture_devices of the node."""
    wanted = {
        directory
        for container in pods.containers
        if (daemon := _daemon(container)) is not None
        for directory in daemon.directories
    }
    users = [container for container in pods.containers if requested(container).get(_GPU)]
    if not wanted or not users:
        return NOT_APPLICABLE

    def mounts_all(container: Block) -> Verdict:
        mounted = {mount.text("mountPath") for mount in container.blocks("volumeMounts")}
        security = container.block("securityContext")
        missing = sorted(wanted - mounted)
        return allow(
            not missing or (security is not None and security.flag("privileged")),
            f"the container has GPUs and does not see {missing[0] if missing else ''} of the node",
            hint="Mount it there from a volume with hostPath.",
            path=container.at("volumeMounts"),
        )

    return each(users, mounts_all)


@RULES.rule(
    on=RUNNING_WORKLOADS,
    each_of=templates,
    severity=MEDIUM,
    rationale="NCCL's plug-in looks for the sockets of the daemon in another directory, and cannot use the fabric.",
    fix="Set NCCL_GPUDIRECTTCPX_UNIX_CLIENT_PREFIX to the directory at which the container mounts the sockets.",
    joins=True,
    sources=("GoogleCloudPlatform/container-engine-accelerators, test manifests",),
)
def k8s_gpudirect_socket_prefix(pods: PodTemplate) -> Verdict:
    """Containers with GPUs find the sockets of the GPUDirect-TCPX daemon where NCCL's plug-in looks for them."""
    found = [(each, daemon) for each in pods.containers if (daemon := _daemon(each)) is not None]
    shared = next(((each, daemon) for each, daemon in found if daemon.socket_variable is not None), None)
    users = [container for container in pods.containers if requested(container).get(_GPU)]
    directory = _socket_directory(shared[0]) if shared is not None and users else None
    if shared is None or directory is None:
        return NOT_APPLICABLE
    daemon = shared[1]
    volume = next((name for name, path in _mounted(shared[0]) if path == directory), None)
    if volume is None:
        raise NotKnown

    def finds(container: Block) -> Verdict:
        prefix = _prefix(pods, container, daemon)
        mounts = _mounted(container)
        if (volume, prefix) in mounts:
            return PASS
        if any(f"{prefix}/".startswith(f"{path}/") for _, path in mounts):
            raise NotKnown  # another volume may be the same directory
        there = next((path for name, path in mounts if name == volume), None)
        return fail(
            f"NCCL looks for the sockets of the daemon in {prefix}, and the container "
            + (f"mounts them at {there}" if there is not None else "does not mount them"),
            hint=f"Set {daemon.socket_variable} to {there}." if there is not None else f"Mount {volume} at {prefix}.",
            path=container.at("volumeMounts"),
        )

    return each(users, finds)


def _is_sidecar(container: Block) -> Verdict:
    return allow(
        container.text("restartPolicy") == "Always",
        "the daemon never ends, and the pod waits for its init containers to end",
        hint="Set restartPolicy of this container to Always, which makes it a sidecar.",
        path=container.at("restartPolicy"),
    )


def _socket_directory(container: Block) -> str | None:
    """The directory in which a daemon creates its sockets; None where its command does not say."""
    words = [place.value for key in ("command[]", "args[]") for place in container.locations(key)]
    if not all(isinstance(word, str) for word in words):
        raise NotKnown
    found = _SOCKETS.search(" ".join(words))
    if found is None:
        return None
    if "$" in found[1]:
        raise NotKnown
    return found[1].rstrip("/")


def _mounted(container: Block) -> list[tuple[str, str]]:
    """The volumes of a container, with where it mounts them."""
    mounts = container.blocks("volumeMounts")
    return [(mount.text("name") or "", (mount.text("mountPath") or "").rstrip("/")) for mount in mounts]


def _prefix(pods: PodTemplate, container: Block, daemon: Daemon) -> str:
    """The directory in which NCCL's plug-in looks for the sockets.

    Raises:
        NotKnown: the program may set the variable elsewhere.
    """
    settings = variables.settings(pods, container)
    found = next((each for each in settings if each.name == daemon.socket_variable), None)
    if found is not None:
        if found.value is None:
            raise NotKnown
        return found.value.rstrip("/")
    family = (daemon.socket_variable or "").removesuffix("UNIX_CLIENT_PREFIX")
    if not any(each.name.startswith(family) for each in settings) or not variables.all_known(pods, container):
        raise NotKnown
    return daemon.socket_default or ""


def _daemon(container: Block) -> Daemon | None:
    """The daemon that a container runs; None for any other container."""
    repository = (container.text("image") or "").partition("@")[0].rpartition(":")[0]
    return next((each for each in gpudirect.daemons() if repository.endswith(each.image)), None)


def _tag(container: Block) -> str:
    return (container.text("image") or "").partition("@")[0].rpartition(":")[2]


def _installed(near: View, fabric: str) -> str:
    """The version of the plug-in that the program installs on the nodes of a fabric.

    Raises:
        NotKnown: the program installs none, or several.
    """
    found = {
        _tag(container)
        for view in near.site.of_type(DAEMON_SET)
        if inventory.server(view) == inventory.server(near)
        for pods in templates(view)
        for container in pods.containers
        if f"gpudirect-{fabric}{_PLUGIN}:" in (container.text("image") or "")
    }
    if len(found) != 1:
        raise NotKnown
    return found.pop()
