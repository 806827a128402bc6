"""Identity on Kubernetes: what the level restricted of the Pod Security Standards and its neighbours ask of pods."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from typing_extensions import override

from penstock.graph.verdict import NOT_APPLICABLE, PASS, Verdict
from penstock.graph.view import Block
from penstock.kubernetes.facts import pod_security
from penstock.kubernetes.model.pods.containers import WITH_PODS, WORKLOADS
from penstock.kubernetes.policies.pods import Containers, Pods
from penstock.rules.checks import Absent, All, Check, IsNot, NoneOf, OneOf, Unlike, Where
from penstock.rules.levels import LOW, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.IDENTITY)

_ADDED: Final = "securityContext.capabilities.add[]"
_RUNS_WITHOUT_PRIVILEGES: Final = IsNot("securityContext.privileged", value=True)
_RESTRICTED: Final = pod_security.allowed("capability", "restricted")
_ORDINARY: Final = ("cpu", "memory", "ephemeral-storage", "hugepages-")
"""Names of resources that are no devices, or that begin so."""
_OTHER_VOLUMES: Final = (
    "awsElasticBlockStore",
    "azureDisk",
    "azureFile",
    "cephfs",
    "cinder",
    "fc",
    "flexVolume",
    "flocker",
    "gcePersistentDisk",
    "glusterfs",
    "iscsi",
    "nfs",
    "photonPersistentDisk",
    "portworxVolume",
    "quobyte",
    "rbd",
    "scaleIO",
    "storageos",
    "vsphereVolume",
)
"""Kinds of volumes that restricted refuses, beside hostPath and gitRepo, which have rules of their own."""


@dataclass(frozen=True, slots=True)
class _Devices(Check):
    """A container takes devices, such as GPUs or RDMA interfaces, or takes none."""

    some: bool

    @override
    def reads(self, type_: str) -> tuple[str, ...]:
        return ("resources.limits", "resources.claims")

    @override
    def judge(self, it: Block, settings: Settings) -> Verdict:
        resources = it.block("resources")
        limits = None if resources is None else resources.block("limits")
        devices = [name for name in (limits or ()) if not name.startswith(_ORDINARY)]
        takes_some = bool(devices) or (resources is not None and resources.count("claims") > 0)
        return PASS if takes_some is self.some else NOT_APPLICABLE


RULES.row(
    "k8s-pod-restricted-caps",
    "A container adds no capability but NET_BIND_SERVICE.",
    on=WORKLOADS,
    check=Containers(
        Where(
            _RUNS_WITHOUT_PRIVILEGES,
            All(
                Where(_Devices(some=False), OneOf(_ADDED, _RESTRICTED)),
                Where(_Devices(some=True), OneOf(_ADDED, (*_RESTRICTED, "IPC_LOCK"))),
            ),
        ),
        linux=True,
    ),
    severity=LOW,
    rationale="With CHOWN, SETUID or DAC_OVERRIDE root in a container ignores who owns files, and changes users.",
    fix="Remove all but NET_BIND_SERVICE from securityContext.capabilities.add; containers with devices for RDMA may "
    "add IPC_LOCK.",
    peers="KSV-0106",
)
RULES.row(
    "k8s-pod-restricted-volumes",
    "A pod mounts network storage by claims.",
    on=WITH_PODS,
    check=Pods(All(*(Absent(f"volumes[].{kind}") for kind in _OTHER_VOLUMES))),
    severity=LOW,
    rationale=(
        "Whoever writes a pod then chooses the server and the export, and mounts other teams' data: PersistentVolumes "
        "are created by administrators."
    ),
    fix="Replace the volume by persistentVolumeClaim, and create a PersistentVolume or a StorageClass for the server.",
    peers="KSV-0028",
)
RULES.row(
    "k8s-pod-no-git-volume",
    "A pod has no gitRepo volume.",
    on=WITH_PODS,
    check=Pods(Absent("volumes[].gitRepo")),
    severity=MEDIUM,
    rationale="Kubelet clones it as root on the node, and runs hooks of the repository there (CVE-2024-10220).",
    fix="Replace gitRepo by an emptyDir that an init container with git fills.",
    peers="KSV-0028",
)
RULES.row(
    "k8s-pod-nonroot-group",
    "No container runs with the group root.",
    on=WORKLOADS,
    check=All(
        Containers(
            Where(_RUNS_WITHOUT_PRIVILEGES, IsNot("securityContext.runAsGroup", value=0)), linux=True, host_users=True
        ),
        Pods(
            All(
                IsNot("securityContext.fsGroup", value=0),
                NoneOf("securityContext.supplementalGroups[]", (0,)),
            ),
            linux=True,
        ),
    ),
    severity=LOW,
    rationale="Files of the image and of volumes that belong to the group 0 can then be read, and often written.",
    fix="Set securityContext.runAsGroup and fsGroup to numbers above 0, and remove 0 from supplementalGroups.",
    peers="KSV-0116",
)
RULES.row(
    "k8s-pod-no-shared-processes",
    "Containers of a pod do not see each other's processes.",
    on=WITH_PODS,
    check=Pods(IsNot("shareProcessNamespace", value=True)),
    severity=LOW,
    rationale=(
        "A sidecar then reads the variables and files of the main container by /proc, secrets included, and can signal "
        "it."
    ),
    fix="Remove shareProcessNamespace; to debug, use an ephemeral container with targetContainerName.",
    sources=("Kubernetes documentation, share process namespace between containers in a pod",),
)
RULES.row(
    "k8s-pod-no-sudo",
    "No container starts with sudo.",
    on=WORKLOADS,
    check=Containers(
        All(
            Unlike("command[]", r"(?s)(?:.*[\s;&|(])?sudo(?:\s.*)?"),
            Unlike("args[]", r"(?s)(?:.*[\s;&|(])?sudo(?:\s.*)?"),
        )
    ),
    severity=LOW,
    rationale="The tool sudo needs allowPrivilegeEscalation and a rule without a password, so all code in it is root.",
    fix="Remove sudo from command and args, and set what root has to do in the image or in an init container.",
    peers="C-0062",
)
