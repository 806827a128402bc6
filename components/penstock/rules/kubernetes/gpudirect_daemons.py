"""The daemon of GPUDirect-TCPX and -TCPXO, which each pod that uses them brings along."""

from __future__ import annotations

from penstock.catalog.gcp import gpudirect
from penstock.catalog.gcp.gpudirect import Daemon
from penstock.findings import Severity
from penstock.model.pods.templates import RUNNING_WORKLOADS, PodTemplate, requested, templates, texts
from penstock.resources.verdict import NOT_APPLICABLE, PASS, NotKnown, Verdict, allow, each, fail
from penstock.resources.view import Block, View
from penstock.rules.kubernetes import gke_networks, inventory, landing
from penstock.rules.kubernetes.types import DAEMON_SET, DEPLOYMENT, REPLICA_SET, STATEFUL_SET
from penstock.rules.rule import rule

_GPU = "nvidia.com/gpu"
_PLUGIN = "/nccl-plugin-gpudirecttcpx-dev"
_DEVICES = "devices.gke.io/container."
_NEVER_END = (DEPLOYMENT, REPLICA_SET, STATEFUL_SET, DAEMON_SET)
_GUIDE = "GKE documentation, GPUDirect and multiple networks"
_PRACTICE = "GoogleCloudPlatform/container-engine-accelerators, gpudirect-tcpxo/best-practice.md"


@rule("K8S-FABRIC-009", on=RUNNING_WORKLOADS, severity=Severity.WARNING, source=_PRACTICE)
def daemon_ends_with_its_pod(workload: View) -> Verdict:
    """In pods that end, the daemon of GPUDirect is a sidecar: as a container beside others it keeps them running."""
    return each(templates(workload), _daemon_ends)


@rule("K8S-FABRIC-010", on=RUNNING_WORKLOADS, severity=Severity.WARNING, source=_GUIDE)
def pods_bring_the_daemon(workload: View) -> Verdict:
    """Pods with the interfaces of GPUDirect-TCPX or -TCPXO bring its daemon; NCCL finds nobody to talk to without."""
    return each(templates(workload), _has_daemon)


@rule(
    "K8S-FABRIC-011",
    on=RUNNING_WORKLOADS,
    severity=Severity.WARNING,
    source="GoogleCloudPlatform/container-engine-accelerators, gpudirect-tcpxo/README.md (catalogue, "
    "gcp_gpudirect_releases)",
)
def daemon_is_of_the_release_of_the_plugin(workload: View) -> Verdict:
    """The daemon of GPUDirect is of the version that Google released with the plug-in on the nodes."""
    return each(templates(workload), _same_release)


@rule(
    "K8S-FABRIC-012",
    on=RUNNING_WORKLOADS,
    severity=Severity.WARNING,
    source="GoogleCloudPlatform/container-engine-accelerators, nri_device_injector/README.md and test manifests",
)
def daemon_gets_its_devices(workload: View) -> Verdict:
    """The daemon of GPUDirect has its devices named in an annotation of the pod, or is privileged."""
    return each(templates(workload), _gets_devices)


@rule(
    "K8S-FABRIC-013",
    on=RUNNING_WORKLOADS,
    severity=Severity.WARNING,
    source="GoogleCloudPlatform/container-engine-accelerators, gpudirect-tcpxo/README.md",
)
def containers_mount_what_the_fabric_shows(workload: View) -> Verdict:
    """Beside the daemon of GPUDirect-TCPXO, containers with GPUs mount /dev/aperture_devices of the node."""
    return each(templates(workload), _mounts)


def _daemon_ends(pods: PodTemplate) -> Verdict:
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


def _is_sidecar(container: Block) -> Verdict:
    return allow(
        container.text("restartPolicy") == "Always",
        "the daemon never ends, and the pod waits for its init containers to end",
        hint="Set restartPolicy of this container to Always, which makes it a sidecar.",
        path=container.at("restartPolicy"),
    )


def _has_daemon(pods: PodTemplate) -> Verdict:
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


def _same_release(pods: PodTemplate) -> Verdict:
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


def _gets_devices(pods: PodTemplate) -> Verdict:
    found = [(container, daemon) for container in pods.containers if (daemon := _daemon(container)) is not None]
    if not found:
        return NOT_APPLICABLE

    def has_all(pair: tuple[Block, Daemon]) -> Verdict:
        container, daemon = pair
        security = container.block("securityContext")
        if security is not None and security.flag("privileged"):
            return PASS
        key = f"{_DEVICES}{container.text('name')}"
        given = texts(pods.metadata, "annotations").get(key, "").split()
        missing = [device for device in daemon.devices if device not in given]
        return allow(
            not missing,
            f"the daemon does not get {missing[0] if missing else ''}",
            hint=f"Name its devices in the annotation {key}: {' '.join(daemon.devices)}.",
            path=pods.metadata.at("annotations") if pods.metadata is not None else pods.template.at("metadata"),
        )

    return each(found, has_all)


def _mounts(pods: PodTemplate) -> Verdict:
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
