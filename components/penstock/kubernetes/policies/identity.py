"""Identity on Kubernetes: which account a pod has, and what its containers may do to their node."""

from __future__ import annotations

from collections.abc import Mapping

from penstock.graph.values import Secret
from penstock.graph.verdict import PASS, UNKNOWN, Failure, Outcome, Verdict
from penstock.graph.view import View
from penstock.kubernetes.facts import pod_security
from penstock.kubernetes.facts.charts import HELM_CHARTS
from penstock.kubernetes.model.pods.containers import WITH_PODS, WORKLOADS
from penstock.kubernetes.policies.helm_values import Entry, has_files, has_unknown, value_entries
from penstock.kubernetes.policies.pods import Containers, NoAnnotation, Pods
from penstock.rules.checks import (
    Absent,
    All,
    AtLeast,
    ByType,
    Either,
    Given,
    Has,
    Is,
    IsNot,
    NoneOf,
    OneOf,
    Where,
)
from penstock.rules.levels import CRITICAL, HIGH, LOW, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.IDENTITY)

_ACCOUNT = "kubernetes:core/v1:ServiceAccount"
_ACCOUNT_PATCH = f"{_ACCOUNT}Patch"

_WITHOUT_ACCOUNTS = ("ServingRuntime", ":Sandbox", ":SandboxTemplate")
"""Kinds whose own pods need none: KServe's runtimes leave it to the service that runs by them, and Agent Sandbox mounts
no token unless a sandbox asks for it."""

_RUNS_WITHOUT_PRIVILEGES = IsNot("securityContext.privileged", value=True)
_ADDED = "securityContext.capabilities.add[]"
_SAFE_SELINUX_TYPES = pod_security.allowed("selinux_type", "baseline")
_SAFE_SYSCTLS = tuple(
    form for name in pod_security.allowed("sysctl", "baseline") for form in (name, name.replace(".", "/"))
)
"""Those that Kubernetes counts as safe (Pod Security Standards, Baseline), in both forms that kubelet takes."""
_NO_MORE_THAN_BASELINE = pod_security.allowed("capability", "baseline")
"""What a container has anyway (Pod Security Standards, Baseline)."""
_ADDABLE = tuple(f"{prefix}{name}" for prefix in ("", "CAP_") for name in (*_NO_MORE_THAN_BASELINE, "IPC_LOCK"))
"""Runtimes take the name with and without the kernel's prefix."""

RULES.row(
    "k8s-sa-no-automount",
    "An account hands its token only to pods that ask for it.",
    on=(_ACCOUNT, _ACCOUNT_PATCH),
    check=ByType(
        {
            _ACCOUNT: Is("automountServiceAccountToken", value=False),
            _ACCOUNT_PATCH: IsNot("automountServiceAccountToken", value=True),
        }
    ),
    severity=MEDIUM,
    rationale=(
        "Otherwise each pod of it carries a key to the API server that it may never need, and whoever breaks in finds "
        "it."
    ),
    fix="Set automountServiceAccountToken to false, and to true in the pods that talk to the API server.",
    peers="C-0034 C-0189 C-0190 C-0261 KICS:48471392 CKV_K8S_41",
    cis=("K8s 1.12: 5.1.6", "EKS 1.8: 4.1.6"),
)
RULES.row(
    "k8s-pod-sa-not-default",
    "A pod has an account of its own, or no token.",
    on=WITH_PODS,
    check=Pods(
        Either(
            All(Given("serviceAccountName"), IsNot("serviceAccountName", value="default")),
            All(Given("serviceAccount"), IsNot("serviceAccount", value="default")),
            Is("automountServiceAccountToken", value=False),
        ),
        without=_WITHOUT_ACCOUNTS,
    ),
    severity=MEDIUM,
    rationale="What one pod of a namespace is given with the account default, all of them have.",
    fix="Set serviceAccountName to an account of the workload's own, or automountServiceAccountToken to false.",
    peers="KICS:591ade62 CKV_K8S_38 KSV-0036 C-0034 C-0190 C-0261",
    cis=("K8s 1.12: 5.1.5", "EKS 1.8: 4.1.5"),
)
RULES.row(
    "k8s-pod-not-privileged",
    "No container is privileged.",
    on=WORKLOADS,
    check=Containers(
        All(_RUNS_WITHOUT_PRIVILEGES, IsNot("securityContext.windowsOptions.hostProcess", value=True)),
    ),
    severity=CRITICAL,
    rationale=(
        "A privileged container is root on its node: it reads the disks, GPUs and tokens of every other pod there."
    ),
    fix="Remove securityContext.privileged; a device plugin hands out GPUs and RDMA interfaces without it, and RDMA "
    "needs no more than IPC_LOCK in securityContext.capabilities.add.",
    peers="CKV_K8S_16 KSV-0017 C-0057 KSV-0103 KICS:dd29336b",
    cis=("K8s 1.12: 5.2.2", "K8s 1.12: 5.2.11", "EKS 1.8: 4.2.1"),
)
RULES.row(
    "k8s-pod-no-privesc",
    "No process of a container gains more privileges than its parent has.",
    on=WORKLOADS,
    check=Containers(
        Where(_RUNS_WITHOUT_PRIVILEGES, Is("securityContext.allowPrivilegeEscalation", value=False)), linux=True
    ),
    severity=MEDIUM,
    rationale="A setuid program in the image, such as sudo, makes root of a user that was meant to be none.",
    fix="Set securityContext.allowPrivilegeEscalation of each container to false.",
    peers="CKV_K8S_20 KSV-0001 CKV_K8S_29 CKV_K8S_30 KSV-0118 C-0016 C-0211 KICS:5572cc5e KICS:a97a340a",
    cis=("K8s 1.12: 5.2.6", "K8s 1.12: 5.7.3", "EKS 1.8: 4.2.5"),
)
RULES.row(
    "k8s-pod-nonroot",
    "No container runs as root.",
    on=WORKLOADS,
    check=Containers(
        Where(
            _RUNS_WITHOUT_PRIVILEGES,
            All(
                Either(Is("securityContext.runAsNonRoot", value=True), AtLeast("securityContext.runAsUser", 1)),
                IsNot("securityContext.runAsUser", value=0),
            ),
        ),
        linux=True,
        host_users=True,
    ),
    severity=MEDIUM,
    rationale="A flaw of the kernel or of the runtime that lets root out of a container makes it root on the node.",
    fix="Set securityContext.runAsNonRoot to true, and runAsUser where the image names root, as NVIDIA's do; or "
    "hostUsers of the pod to false, so that its root is nobody on the node.",
    peers="CKV_K8S_23 KSV-0012 KSV-0105 C-0013 KICS:cf34805e",
    cis=("K8s 1.12: 5.2.7",),
)
RULES.row(
    "k8s-pod-drop-caps",
    "A container drops the capabilities that a runtime gives by default.",
    on=WORKLOADS,
    check=Containers(Where(_RUNS_WITHOUT_PRIVILEGES, Has("securityContext.capabilities.drop", ("ALL",))), linux=True),
    severity=MEDIUM,
    rationale="With them whoever breaks in forges packets and takes other users' files.",
    fix="Set securityContext.capabilities.drop to [ALL]; RDMA needs no more than IPC_LOCK in add.",
    peers="CKV_K8S_37 CKV_K8S_28 KSV-0003 KSV-0004 C-0055 KICS:dbbc6705 KICS:268ca686",
    cis=("K8s 1.12: 5.2.8", "K8s 1.12: 5.2.10"),
)
RULES.row(
    "k8s-pod-no-added-caps",
    "A container has no capability that reaches beyond it, such as SYS_ADMIN.",
    on=WORKLOADS,
    check=Containers(Where(_RUNS_WITHOUT_PRIVILEGES, OneOf(_ADDED, _ADDABLE)), linux=True),
    severity=HIGH,
    rationale=(
        "SYS_ADMIN, SYS_PTRACE, NET_ADMIN and their like are root by another name: they mount, trace and reroute."
    ),
    fix="Remove from securityContext.capabilities.add what the workload can do without; RDMA needs IPC_LOCK only.",
    peers="CKV_K8S_39 CKV_K8S_25 KSV-0005 KSV-0022 KSV-0119 KSV-0120 C-0046 KICS:235236ee KICS:19ebaa28 C-0057",
    cis=("K8s 1.12: 5.2.9",),
)
RULES.row(
    "k8s-pod-no-hostns",
    "A pod shares neither the network nor the processes of its node.",
    on=WITH_PODS,
    check=Pods(All(*(IsNot(key, value=True) for key in ("hostNetwork", "hostPID", "hostIPC")))),
    severity=HIGH,
    rationale=(
        "In the node's network a pod reaches its metadata and kubelet, past all network policies; among its processes "
        "it reads their memory and variables."
    ),
    fix="Remove hostNetwork, hostPID and hostIPC; on GKE a pod with an interface of each fabric network needs no "
    "hostNetwork.",
    peers="CKV_K8S_17 CKV_K8S_18 CKV_K8S_19 KSV-0008 KSV-0009 KSV-0010 C-0038 C-0041 C-0275 C-0276 "
    "KICS:302736f4 KICS:6b6bdfb3 KICS:cd290efd",
    cis=("K8s 1.12: 5.2.3", "K8s 1.12: 5.2.4", "K8s 1.12: 5.2.5", "EKS 1.8: 4.2.2", "EKS 1.8: 4.2.3", "EKS 1.8: 4.2.4"),
)
RULES.row(
    "k8s-pod-no-hostport",
    "No container takes a port of its node.",
    on=WORKLOADS,
    check=Containers(OneOf("ports[].hostPort", (None, 0))),
    severity=MEDIUM,
    rationale=(
        "A port of the node is open to its whole network, whatever Services and network policies define, and only one "
        "such pod fits on a node."
    ),
    fix="Remove hostPort, and reach the pods by a Service.",
    peers="CKV_K8S_26 KSV-0024 C-0044 KICS:2b1836f1",
    cis=("K8s 1.12: 5.2.13",),
)
RULES.row(
    "k8s-pod-no-hostpath",
    "A pod mounts nothing of its node's file system.",
    on=WITH_PODS,
    check=Pods(Absent("volumes[].hostPath")),
    severity=HIGH,
    rationale="Through a directory of the node a pod reads kubelet's keys or the runtime's socket, and is root there.",
    fix="Replace hostPath by an emptyDir, a claim or a device plugin; local disks come as emptyDir or local volumes.",
    peers="CKV_K8S_27 KSV-0023 KSV-0006 KSV-0121 C-0020 C-0045 C-0048 C-0074 KICS:5308a7a8 KICS:aa8f7a35 KICS:a6f34658",
    cis=("K8s 1.12: 5.2.12",),
)
RULES.row(
    "k8s-pod-seccomp",
    "The system calls of a container are filtered.",
    on=WORKLOADS,
    check=Containers(
        Where(_RUNS_WITHOUT_PRIVILEGES, OneOf("securityContext.seccompProfile.type", ("RuntimeDefault", "Localhost"))),
        linux=True,
    ),
    severity=LOW,
    rationale="Without a filter a container reaches rare system calls, where flaws of the kernel are found.",
    fix="Set securityContext.seccompProfile.type to RuntimeDefault; NCCL and CUDA work under it.",
    peers="CKV_K8S_31 KSV-0030 KSV-0104 C-0210 KICS:f377b83e",
    cis=("K8s 1.12: 5.7.2",),
)
RULES.row(
    "k8s-pod-seccomp-not-off",
    "No container turns the filter of its system calls off.",
    on=WORKLOADS,
    check=Containers(NoneOf("securityContext.seccompProfile.type", ("Unconfined",)), linux=True),
    severity=MEDIUM,
    rationale="Unconfined lets a container have system calls that even kubelet's own default would refuse.",
    fix="Set securityContext.seccompProfile.type to RuntimeDefault, or to Localhost with a profile of your own.",
    peers="KSV-0104",
)
RULES.row(
    "k8s-pod-ro-rootfs",
    "A container cannot write to its image.",
    on=WORKLOADS,
    check=Containers(
        Where(_RUNS_WITHOUT_PRIVILEGES, Is("securityContext.readOnlyRootFilesystem", value=True)), linux=True
    ),
    severity=LOW,
    rationale="Who breaks in can replace programs and leave tools behind where the file system may be written.",
    fix="Set securityContext.readOnlyRootFilesystem to true, and mount an emptyDir at /tmp and at each cache.",
    peers="CKV_K8S_22 KSV-0014 C-0017 KICS:a9c2f49d",
)

RULES.row(
    "k8s-pod-no-unmasked-proc",
    "No container sees all of its node's /proc.",
    on=WORKLOADS,
    check=Containers(IsNot("securityContext.procMount", value="Unmasked"), linux=True, host_users=True),
    severity=MEDIUM,
    rationale=(
        "Behind the mask lie the kernel's memory map, its keys and its timers, for a container to read and to set."
    ),
    fix="Remove securityContext.procMount, or set hostUsers of a pod that builds images to false: in a user namespace "
    "it may see no more than its own.",
    peers="KSV-0027",
)
RULES.row(
    "k8s-pod-apparmor-not-off",
    "No container turns AppArmor off.",
    on=WORKLOADS,
    check=All(
        Containers(IsNot("securityContext.appArmorProfile.type", value="Unconfined"), linux=True),
        NoAnnotation("container.apparmor.security.beta.kubernetes.io/", "unconfined"),
    ),
    severity=MEDIUM,
    rationale="Unconfined lifts the runtime's ban on mounts and on writing to /proc and /sys, for whoever breaks in.",
    fix="Set securityContext.appArmorProfile.type to RuntimeDefault, or to Localhost with a profile of your own.",
    peers="KSV-0002",
)
RULES.row(
    "k8s-pod-safe-selinux",
    "A container has no label of SELinux but those of containers.",
    on=WORKLOADS,
    check=Containers(
        All(
            Where(
                Given("securityContext.seLinuxOptions.type"),
                OneOf("securityContext.seLinuxOptions.type", _SAFE_SELINUX_TYPES),
            ),
            Absent("securityContext.seLinuxOptions.user"),
            Absent("securityContext.seLinuxOptions.role"),
        ),
        linux=True,
    ),
    severity=MEDIUM,
    rationale=(
        "With spc_t or a user or role of the system's own, SELinux no longer keeps who breaks in from the node's files "
        "and sockets."
    ),
    fix="Remove type, user and role from securityContext.seLinuxOptions; level is enough to share a volume.",
    peers="KSV-0025",
)
RULES.row(
    "k8s-pod-safe-sysctls",
    "A pod sets only parameters of the kernel that are its own.",
    on=WITH_PODS,
    check=Pods(
        Where(Given("securityContext.sysctls"), OneOf("securityContext.sysctls[].name", _SAFE_SYSCTLS)), linux=True
    ),
    severity=MEDIUM,
    rationale=(
        "Other parameters take memory or ports of the whole node, and kubelet refuses pods with them unless it is "
        "configured otherwise."
    ),
    fix="Remove the entry from securityContext.sysctls, or set the parameter in the configuration of the node pool.",
    peers="KSV-0026 KICS:9127f0d9",
)

_ADMIN_ACCESS = {
    f"kubernetes:resource.k8s.io/{version}:{kind}": f"{home}.devices.requests[]{way}.adminAccess"
    for version, way in (("v1", ".exactly"), ("v1beta2", ".exactly"), ("v1beta1", ""))
    for kind, home in (("ResourceClaim", "spec"), ("ResourceClaimTemplate", "spec.spec"))
}
RULES.row(
    "k8s-claim-no-admin-access",
    "No claim takes devices that others have.",
    on=tuple(_ADMIN_ACCESS),
    check=ByType({type_: IsNot(path, value=True) for type_, path in _ADMIN_ACCESS.items()}),
    severity=HIGH,
    rationale=(
        "With adminAccess a pod opens GPUs that are in use: it may read the memory of another team's model, or reset "
        "the device below it."
    ),
    fix="Remove adminAccess, and keep the label resource.k8s.io/admin-access for namespaces of node agents.",
)

_SHARED_WITH_NODE = frozenset({"privileged", "hostNetwork", "hostPID", "hostIPC"})
_TOWARDS_NODE = _SHARED_WITH_NODE | {"add", "capabilities", "enabled", "hostPath", "path", "securityContext"}
"""Keys whose values may make pods privileged, or are a part of what does."""


@RULES.rule(
    on=HELM_CHARTS,
    severity=HIGH,
    rationale=(
        "What a chart runs is not seen before it runs: a privileged container in its values is root on every node it "
        "lands on."
    ),
    fix="Remove privileged, hostNetwork, hostPID, hostIPC, hostPath and what capabilities add from values, where the "
    "chart can do without.",
)
def k8s_helm_not_privileged(release: View, _: Settings) -> Verdict:
    """No value of a chart makes its pods privileged or lets them share their node."""
    failures: list[Failure] = []
    entries = value_entries(release)
    unknown = has_files(release) or has_unknown(entries)
    for entry in entries:
        if isinstance(entry.value, Secret):
            unknown = unknown or entry.key in _TOWARDS_NODE
        elif _reaches_node(entry):
            failures.append(Failure(f"{entry.path} is set", path=entry.path))
    if failures:
        return Verdict(Outcome.FAIL, tuple(failures))
    return UNKNOWN if unknown else PASS


def _reaches_node(entry: Entry) -> bool:
    key, value = entry.key, entry.value
    if key in _SHARED_WITH_NODE:
        return value in (True, "true") or (isinstance(value, Mapping) and value.get("enabled") in (True, "true"))
    if key == "hostPath":
        path = value.get("path") if isinstance(value, Mapping) else value
        return isinstance(path, str) and path.startswith("/")
    if key != "capabilities" or not isinstance(value, Mapping):
        return False
    added = value.get("add")
    known = [each_ for each_ in added if isinstance(each_, str)] if isinstance(added, list | tuple) else ()
    return any(each_.upper() not in _ADDABLE for each_ in known)
