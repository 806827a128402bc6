"""Identity on Kubernetes: rights in all namespaces that lead to the whole cluster, and who has them."""

from __future__ import annotations

from penstock.graph.verdict import NOT_APPLICABLE, PASS, UNKNOWN, NotKnown, Verdict, allow, each, fail
from penstock.graph.view import Block, View
from penstock.kubernetes.model import namespaces
from penstock.kubernetes.policies.roles import (
    BINDING,
    BINDINGS,
    CLUSTER_ROLES,
    ROLES,
    WRITING,
    ApiRight,
    NotEverywhere,
    grants_of,
    is_bound_in_namespaces,
    role_of,
)
from penstock.rules.checks import Each, IsNot
from penstock.rules.levels import HIGH, LOW, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.IDENTITY)

_MAKING = frozenset({"create", "update", "patch"})
_DELETING = frozenset({"delete", "deletecollection"})
_APPS = frozenset({"daemonsets", "deployments", "replicasets", "statefulsets"})
_JOBS = frozenset({"cronjobs", "jobs"})
_CORE_WORKLOADS = frozenset({"pods", "replicationcontrollers"})
_CONFIG_MAPS = ApiRight("", frozenset({"configmaps"}), WRITING)
_IN_A_NAMESPACE = "or bind the role with a RoleBinding in the namespaces that need it."

RULES.row(
    "k8s-rbac-no-secrets-write",
    "No role changes the Secrets of all namespaces.",
    on=CLUSTER_ROLES,
    check=NotEverywhere(ApiRight("", frozenset({"secrets"}), WRITING)),
    severity=HIGH,
    rationale=(
        "The answer to an update contains the Secret, a new one can ask for the token of any account, and changed "
        "certificates or passwords are trusted by every pod that mounts them."
    ),
    fix=f"Name the Secrets in resourceNames, {_IN_A_NAMESPACE}",
    peers="KSV-0041 C-0186",
    cis=("K8s 1.12: 5.1.2", "EKS 1.8: 4.1.2"),
)
RULES.row(
    "k8s-rbac-no-pods-create",
    "No role creates or changes pods in all namespaces.",
    on=CLUSTER_ROLES,
    check=NotEverywhere(
        ApiRight("", _CORE_WORKLOADS, _MAKING), ApiRight("apps", _APPS, _MAKING), ApiRight("batch", _JOBS, _MAKING)
    ),
    severity=MEDIUM,
    rationale=(
        "A pod mounts any Secret of its namespace and runs as any of its accounts, those of kube-system included: "
        "creating pods everywhere is administering the cluster."
    ),
    fix="Bind the role with a RoleBinding in the namespaces that need it; an operator that watches one namespace needs "
    "no ClusterRole.",
    peers="KSV-0048 C-0188 KICS:592ad21d C-0267 C-0272",
    cis=("K8s 1.12: 5.1.4", "EKS 1.8: 4.1.4"),
)
RULES.row(
    "k8s-rbac-no-volumes-create",
    "No role creates PersistentVolumes.",
    on=CLUSTER_ROLES,
    check=NotEverywhere(ApiRight("", frozenset({"persistentvolumes"}), _MAKING)),
    severity=MEDIUM,
    rationale=(
        "A PersistentVolume can be a directory of a node, or a disk of another team: a claim then mounts it past the "
        "rules on pods."
    ),
    fix="Remove create, update and patch on persistentvolumes, and let a StorageClass provision the volumes.",
    peers="C-0278",
    cis=("K8s 1.12: 5.1.9", "EKS 1.8: 4.1.9"),
)
RULES.row(
    "k8s-rbac-no-port-forward",
    "No role connects to the pods of all namespaces.",
    on=CLUSTER_ROLES,
    check=NotEverywhere(
        ApiRight(
            "",
            frozenset({"pods/portforward", "pods/proxy", "services/proxy"}),
            frozenset({"create", "get", "update", "patch", "delete"}),
        )
    ),
    severity=MEDIUM,
    rationale=(
        "The API server then connects to any port of any pod, past network policies: databases and dashboards that "
        "trust their network answer."
    ),
    fix=f"Remove pods/portforward, pods/proxy and services/proxy from rules[].resources, {_IN_A_NAMESPACE}",
    peers="C-0063 KICS:38fa11ef",
)
RULES.row(
    "k8s-rbac-no-network-writes",
    "No role changes Services, endpoints or network policies of all namespaces.",
    on=CLUSTER_ROLES,
    check=NotEverywhere(
        ApiRight("", frozenset({"services", "services/status", "endpoints"}), WRITING),
        ApiRight("discovery.k8s.io", frozenset({"endpointslices"}), WRITING),
        ApiRight("networking.k8s.io", frozenset({"ingresses", "networkpolicies"}), WRITING),
    ),
    severity=MEDIUM,
    rationale=(
        "Changed endpoints or addresses in services/status lead other teams' traffic elsewhere (CVE-2020-8554), and "
        "without network policies every pod reaches every other."
    ),
    fix=f"Remove the verbs that write from rules, {_IN_A_NAMESPACE}",
    peers="KSV-0056 CKV2_K8S_4",
)
RULES.row(
    "k8s-rbac-no-configmaps-write",
    "No role changes the ConfigMaps of all namespaces.",
    on=CLUSTER_ROLES,
    check=NotEverywhere(_CONFIG_MAPS),
    severity=MEDIUM,
    rationale=(
        "The ConfigMaps of kube-system decide how names resolve (coredns) and, on EKS, which roles of AWS administer "
        "the cluster (aws-auth)."
    ),
    fix=f"Name the ConfigMaps in resourceNames, {_IN_A_NAMESPACE}",
    peers="KSV-0049",
)
RULES.row(
    "k8s-rbac-no-binding-writes",
    "No role changes roles or their bindings in all namespaces.",
    on=CLUSTER_ROLES,
    check=NotEverywhere(
        ApiRight(
            "rbac.authorization.k8s.io",
            frozenset({"clusterrolebindings", "clusterroles", "rolebindings", "roles"}),
            WRITING,
        )
    ),
    severity=MEDIUM,
    rationale=(
        "Kubernetes allows an account to bind only rights that it has, but those it can give to anyone, for good, and "
        "bindings of others it can delete."
    ),
    fix=f"Remove the verbs that write from rules, {_IN_A_NAMESPACE}",
    peers="KSV-0050 KSV-0051 KSV-0052 KSV-0055",
)
RULES.row(
    "k8s-rbac-no-deletes",
    "No role deletes workloads, claims or namespaces everywhere.",
    on=CLUSTER_ROLES,
    check=NotEverywhere(
        ApiRight("", _CORE_WORKLOADS | {"namespaces", "persistentvolumeclaims", "persistentvolumes"}, _DELETING),
        ApiRight("apps", _APPS, _DELETING),
        ApiRight("batch", _JOBS, _DELETING),
    ),
    severity=LOW,
    rationale="One call ends every job of every team, and with its claims the checkpoints are gone.",
    fix=f"Remove delete and deletecollection from rules[].verbs, {_IN_A_NAMESPACE}",
    peers="C-0007",
)
RULES.row(
    "k8s-rbac-no-event-deletes",
    "No role deletes the events of all namespaces.",
    on=CLUSTER_ROLES,
    check=NotEverywhere(
        ApiRight("", frozenset({"events"}), _DELETING), ApiRight("events.k8s.io", frozenset({"events"}), _DELETING)
    ),
    severity=LOW,
    rationale="An intruder removes the traces of failed pods and pulls; events expire after an hour anyway.",
    fix="Remove delete and deletecollection on events from rules.",
    peers="C-0031",
)


@RULES.rule(
    on=ROLES,
    severity=LOW,
    rationale="Secrets that are added to the namespace later are read, too: tokens, keys and certificates of others.",
    fix="Name the Secrets in rules[].resourceNames; only list and watch need all of them.",
    peers="KSV-0113 C-0015 C-0186 KICS:b7bca5c4 KICS:056ac60e",
    cis=("K8s 1.12: 5.1.2", "EKS 1.8: 4.1.2"),
)
def k8s_rbac_role_secrets_named(role: View, _: Settings) -> Verdict:
    """A role of a namespace names the Secrets that it reads or changes."""
    rights = ApiRight("", frozenset({"secrets"}), WRITING | {"get", "list", "watch"})

    def one(grant: Block) -> Verdict:
        is_named = grant.count("resourceNames") > 0 or not rights.found_in(grant)
        message = f"{grant.at('resources')} has all secrets of the namespace"
        return allow(is_named, message, path=grant.at("resources"))

    return each(grants_of(role), one)


_INTO_PODS = ApiRight(
    "",
    frozenset({"pods/attach", "pods/ephemeralcontainers", "pods/exec", "pods/portforward"}),
    frozenset({"create", "get", "patch", "update"}),
)


@RULES.rule(
    on=(*CLUSTER_ROLES, *ROLES),
    joins=True,
    severity=MEDIUM,
    rationale=(
        "A command in a pod has its Secrets, its data and its cloud identity, which the role itself does not grant, "
        "and leaves no trace in the program or in Git."
    ),
    fix="Remove pods/exec, pods/attach, pods/ephemeralcontainers and pods/portforward from rules[].resources, or name "
    "the pods in resourceNames; give them to people for the time of an incident.",
    peers="KSV-0053 KSV-0054 CKV2_K8S_2 C-0002 C-0063 KICS:c589f42c KICS:d45330fd KICS:38fa11ef",
    cis=("K8s 1.12: 5.1.10", "EKS 1.8: 4.1.10"),
)
def k8s_rbac_role_no_exec(role: View, _: Settings) -> Verdict:
    """No role of a namespace runs commands in its pods or connects to their ports."""
    if role.type in CLUSTER_ROLES and not is_bound_in_namespaces(role):
        return NOT_APPLICABLE  # k8s-rbac-no-exec and k8s-rbac-no-port-forward judge those of all namespaces

    def one(grant: Block) -> Verdict:
        found = [] if grant.count("resourceNames") else _INTO_PODS.found_in(grant)
        return allow(not found, f"{grant.at('resources')} has {', '.join(found)}", path=grant.at("resources"))

    return each(grants_of(role), one)


_OF_THE_CLUSTER = frozenset({"aws-auth", "coredns"})
_CHANGED = ApiRight("", frozenset({"configmaps"}), frozenset({"update", "patch", "delete"}))


@RULES.rule(
    on=(*CLUSTER_ROLES, *ROLES),
    each_of=grants_of,
    severity=HIGH,
    rationale=(
        "With aws-auth an account makes itself an administrator of the EKS cluster, and with coredns it answers in "
        "place of any Service or site."
    ),
    fix="Remove the verbs that write on aws-auth and coredns; admit people and roles by access entries of EKS, which "
    "IAM guards.",
    peers="KSV-0115 C-0037",
)
def k8s_rbac_no_system_config(grant: Block) -> Verdict:
    """No role changes the ConfigMaps by which a cluster admits accounts or resolves names."""
    if not _CONFIG_MAPS.found_in(grant):
        return PASS
    found = sorted(_OF_THE_CLUSTER & set(grant.texts("resourceNames")))
    if found:
        message = f"{grant.at('resourceNames')} has {', '.join(found)}"
        return fail(message, path=grant.at("resourceNames"))
    if grant.count("resourceNames") or grant.owner.type not in ROLES or not _CHANGED.found_in(grant):
        return PASS  # k8s-rbac-no-configmaps-write judges those of all namespaces
    try:
        is_system = namespaces.namespace_of(grant.owner) == "kube-system"
    except NotKnown:
        return PASS if namespaces.is_of_program(grant.owner) else UNKNOWN
    return allow(not is_system, f"{grant.at('resources')} has configmaps, of kube-system", path=grant.at("resources"))


_TAKING_OVER = (
    ApiRight("", _CORE_WORKLOADS, _MAKING),
    ApiRight("apps", _APPS, _MAKING),
    ApiRight("batch", _JOBS, _MAKING),
    ApiRight("", frozenset({"secrets"}), WRITING | {"get", "list", "watch"}),
    _INTO_PODS,
)


@RULES.rule(
    on=ROLES,
    severity=HIGH,
    rationale=(
        "Controllers of kube-system administer the cluster: who creates pods there, runs commands in them or reads "
        "Secrets acts as any of them."
    ),
    fix="Remove the rights on pods, workloads and Secrets from rules, or name the objects in resourceNames.",
    peers="C-0188",
)
def k8s_rbac_kube_system_rights(role: View, _: Settings) -> Verdict:
    """No role of kube-system creates pods, runs commands in them or reads every Secret."""
    try:
        is_system = namespaces.namespace_of(role) == "kube-system"
    except NotKnown:
        return NOT_APPLICABLE if namespaces.is_of_program(role) else UNKNOWN
    if not is_system:
        return NOT_APPLICABLE

    def one(grant: Block) -> Verdict:
        found = [resource for right in _TAKING_OVER for resource in right.found_in(grant)]
        if grant.count("resourceNames"):
            return PASS
        message = f"{grant.at('resources')} has {', '.join(found)}, of kube-system"
        return allow(not found, message, path=grant.at("resources"))

    return each(grants_of(role), one)


RULES.row(
    "k8s-rbac-no-masters",
    "No role is bound to the group system:masters.",
    on=BINDINGS,
    check=Each("subjects[]", IsNot("name", value="system:masters")),
    severity=MEDIUM,
    rationale=(
        "The API server allows this group everything without asking roles: the binding bounds nothing, and its removal "
        "takes nothing away from a certificate of the group."
    ),
    fix="Bind a group of your own in subjects, and issue no certificates for system:masters.",
    peers="KSV-0123 C-0246",
    cis=("K8s 1.12: 5.1.7",),
)


@RULES.rule(
    on=BINDING,
    severity=MEDIUM,
    rationale=(
        "The role cluster-admin also changes the quota, the roles and the network policies of a namespace: a pod that "
        "is broken into undoes what bounds it."
    ),
    fix="Set roleRef.name to edit, or to a role that lists what the account needs.",
    peers="KSV-0111",
)
def k8s_rbac_no_admin_in_namespace(binding: View, _: Settings) -> Verdict:
    """No account of a workload is cluster-admin in a namespace."""
    if role_of(binding)[1] != "cluster-admin":
        return NOT_APPLICABLE

    def one(subject: Block) -> Verdict:
        is_account = subject.text("kind") == "ServiceAccount"
        message = f"{subject.at('name')} is {subject.text('name')}, and cluster-admin of its namespace"
        return allow(not is_account, message, path=subject.at("name"))

    return each(binding.blocks("subjects"), one)
