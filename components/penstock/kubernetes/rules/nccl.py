"""NCCL in pods: variables that suit the fabric, and the memory that the processes of a node share."""

from __future__ import annotations

from penstock.catalog import machines, nccl_profiles
from penstock.catalog.nccl_profiles import NcclSettings
from penstock.graph.verdict import NOT_APPLICABLE, PASS, NotKnown, Verdict, allow, each, fail
from penstock.graph.view import Block, View
from penstock.kubernetes.facts.interface_variables import interface_variables
from penstock.kubernetes.model.pods.templates import RUNNING_WORKLOADS, PodTemplate, requested, templates
from penstock.kubernetes.rules import gangs, interfaces, landing, variables
from penstock.kubernetes.rules.node_offer import NodeOffer
from penstock.kubernetes.rules.types import JOB, JOB_SET
from penstock.kubernetes.rules.variables import Setting
from penstock.rules.levels import MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_GPU = "nvidia.com/gpu"
_TRAINING = (JOB, JOB_SET, "kubernetes:kubeflow.org/v1:PyTorchJob", "kubernetes:kubeflow.org/v2beta1:MPIJob")
_SHARED = "/dev/shm"  # noqa: S108 - the path in a container


@RULES.rule(
    on=gangs.WITH_GANGS,
    severity=MEDIUM,
    rationale="The pods are accepted, and NCCL leaves the fabric unused.",
    fix="Leave the variable out, or set the value for the fabric.",
    joins=True,
    sources=(
        "NCCL user guide, environment variables (catalogue, nccl_families)",
        "GoogleCloudPlatform/container-engine-accelerators",
    ),
)
def k8s_nccl_variables_fit_fabric(workload: View) -> Verdict:
    """The variables of NCCL and libfabric in pods suit the fabric that the pods use between nodes."""
    return gangs.judged(workload, _suits_fabric)


@RULES.rule(
    on=RUNNING_WORKLOADS,
    each_of=templates,
    severity=MEDIUM,
    rationale=(
        "The pods are accepted with values that Google did not choose for the fabric, and NCCL's plug-in checks some "
        "of them."
    ),
    fix="Leave the variable to the ConfigMap with the NCCL profile of the fabric.",
    joins=True,
    sources=(
        "GoogleCloudPlatform/container-engine-accelerators",
        "GoogleCloudPlatform/cluster-toolkit (catalogue, gcp_nccl_profiles)",
    ),
)
def k8s_nccl_variables_match_profile(pods: PodTemplate) -> Verdict:
    """NCCL variables that Google sets for a fabric keep the values of Google's profile."""
    users = _users(pods)
    offer = landing.on_fabric(pods) if users else None
    profile = _profile(offer) if offer is not None else None
    if profile is None:
        return NOT_APPLICABLE

    def as_given(variable: Block) -> Verdict:
        name = variable.text("name") or ""
        given = next((each for each in profile.variables if each.name == name), None)
        value = variable.text("value") if given is not None else None
        if given is None or value is None or _is_reported(pods, offer, name, value):
            return PASS
        return allow(
            given.allows(value),
            f"{name} is {value}, and Google sets it to {given.value} for {profile.fabric}",
            hint=f"Leave {name} to the ConfigMap nccl-{profile.name}.",
            path=variable.at("value"),
        )

    return each(users, lambda container: each(container.blocks("env"), as_given) if container.count("env") else PASS)


@RULES.rule(
    on=RUNNING_WORKLOADS,
    severity=MEDIUM,
    rationale="The processes of the container share 64 MiB of memory only, which NCCL may exhaust.",
    fix="Mount an emptyDir with medium Memory at /dev/shm.",
    joins=True,
    sources=("NCCL user guide, troubleshooting: sharing data", "cluster-toolkit, examples/gke-a4"),
)
def k8s_nccl_shared_memory_mounted(workload: View) -> Verdict:
    """Containers with several GPUs that train over a fabric mount an emptyDir in memory at /dev/shm."""
    if workload.type not in _TRAINING:
        return NOT_APPLICABLE
    return each(templates(workload), _shares_memory)


def _suits_fabric(pods: PodTemplate) -> Verdict:
    found = _settings(pods)
    if not found:
        return PASS if landing.users(pods) else NOT_APPLICABLE
    fabric = landing.fabric_of(pods)
    if fabric is None:
        return NOT_APPLICABLE
    profile = _profile(fabric.offer) if fabric.offer is not None else None

    def suits(setting: Setting) -> Verdict:
        if setting.value is None:
            raise NotKnown(setting.path)
        families = [each for each in nccl_profiles.families() if each.means(setting.name, setting.value)]
        if not families or any(not fabric.names.isdisjoint(each.fabrics) for each in families):
            return PASS
        return fail(
            f"{setting.name}={setting.value} {families[0].why}, and the pod {fabric.shown}",
            hint=f"Leave {setting.name} out" + (f", and take the ConfigMap nccl-{profile.name}." if profile else "."),
            path=setting.path,
        )

    return each(found, suits)


def _settings(pods: PodTemplate) -> list[Setting]:
    """The variables that suit some fabrics only: of containers with accelerators, or that a launcher hands to these."""
    users = landing.users(pods)
    found = [setting for container in users for setting in variables.settings(pods, container)]
    if not users:
        found = [setting for container in pods.containers for setting in variables.of_command_line(container)]
    return [setting for setting in found if any(each.names(setting.name) for each in nccl_profiles.families())]


def _is_reported(pods: PodTemplate, offer: NodeOffer | None, name: str, value: str) -> bool:
    """Return whether another rule reports a value: it is for other fabrics, or names no interface of the pod."""
    fabric = offer.fabric if offer is not None else None
    if any(family.means(name, value) and fabric not in family.fabrics for family in nccl_profiles.families()):
        return True
    variable, has = interface_variables().get(name), interfaces.names_of(pods)
    return variable is not None and has is not None and variable.selected(value, has) == frozenset()


def _shares_memory(pods: PodTemplate) -> Verdict:
    users = [container for container in pods.spec.blocks("containers") if requested(container).get(_GPU, 0) > 1]
    if not users:
        return NOT_APPLICABLE
    offer = landing.on_fabric(pods)
    if offer is None or _profile(offer) is None:
        return NOT_APPLICABLE
    if pods.spec.flag("hostIPC"):
        return PASS
    memory = set()
    for volume in pods.spec.blocks("volumes"):
        empty = volume.block("emptyDir")
        if empty is not None and empty.text("medium") == "Memory":
            memory.add(volume.text("name"))

    def mounts(container: Block) -> Verdict:
        there = [mount for mount in container.blocks("volumeMounts") if mount.text("mountPath") == _SHARED]
        return allow(
            any(mount.text("name") in memory for mount in there),
            "the processes of the container share 64 MiB of memory only",
            hint=f"Mount an emptyDir with medium: Memory at {_SHARED}.",
            path=container.at("volumeMounts"),
        )

    return each(users, mounts)


def _profile(offer: NodeOffer) -> NcclSettings | None:
    """The values that Google sets for the accelerators of a pool, of several with the same fabric by name."""
    found = nccl_profiles.profiles(offer.fabric or "", "gcp")
    if not found:
        return None
    accelerator = machines.find_machine(offer.machine_type, "gcp").accelerator or ""
    return next((profile for profile in found if profile.name.endswith(f"-{accelerator}")), found[0])


def _users(pods: PodTemplate) -> list[Block]:
    """The containers with GPUs."""
    return [container for container in pods.containers if requested(container).get(_GPU)]
