"""Identity on Kubernetes: what roles let accounts do in the cluster, and who has them."""

from __future__ import annotations

from penstock.resources.verdict import NOT_APPLICABLE, PASS, Verdict, allow, each
from penstock.resources.view import Block, View
from penstock_policies.rule import CRITICAL, HIGH, MEDIUM, Concern, Rules
from penstock_policies.settings import Settings

RULES = Rules(Concern.IDENTITY)

_API = "kubernetes:rbac.authorization.k8s.io/v1"
_CLUSTER_ROLE = f"{_API}:ClusterRole"
_ROLE = f"{_API}:Role"
_CLUSTER_BINDING = f"{_API}:ClusterRoleBinding"
_BINDING = f"{_API}:RoleBinding"

_READING = frozenset({"get", "list", "watch", "*"})
_EVERYBODY = frozenset({"system:anonymous", "system:unauthenticated", "system:authenticated", "system:serviceaccounts"})
_OPEN_ROLES = frozenset({"system:basic-user", "system:discovery", "system:public-info-viewer"})
"""What Kubernetes itself gives everybody: names of APIs, versions, and what one may do oneself."""

_OF_KUBERNETES = frozenset(
    f"{group}.k8s.io"
    for group in (
        "admissionregistration",
        "apiextensions",
        "apiregistration",
        "authentication",
        "authorization",
        "certificates",
        "coordination",
        "discovery",
        "events",
        "flowcontrol.apiserver",
        "internal.apiserver",
        "networking",
        "node",
        "policy.networking",
        "rbac.authorization",
        "resource",
        "scheduling",
        "storage",
        "storagemigration",
    )
)
"""Groups with a dot in their names that each cluster has, or that rule over its network; others are an operator's."""
_INTO_PODS = {
    "pods/exec": frozenset({"create", "get", "*"}),
    "pods/attach": frozenset({"create", "get", "*"}),
    "pods/ephemeralcontainers": frozenset({"patch", "update", "*"}),
    "nodes/proxy": frozenset({"create", "get", "*"}),
}
"""What lets a command into a container, with the verbs that do so; kubelet takes a GET for that, too."""


def _grants(role: View) -> list[Block]:
    """The entries of a role."""
    return role.blocks("rules")


def _is_of_others(grant: Block) -> bool:
    """Whether an entry speaks of an operator's own objects only, and of nothing that Kubernetes brings along."""
    groups = grant.texts("apiGroups")
    return bool(groups) and all("." in group and group not in _OF_KUBERNETES for group in groups)


def _no_wildcard(role: View) -> Verdict:
    def one(grant: Block) -> Verdict:
        if _is_of_others(grant):
            return PASS
        for key in ("verbs", "resources", "nonResourceURLs"):
            if "*" in grant.texts(key):
                return allow(holds=False, message=f"{grant.at(key)} has *", path=grant.at(key))
        return PASS

    return each(_grants(role), one)


@RULES.rule(
    "k8s-rbac-no-wildcard",
    on=_CLUSTER_ROLE,
    reads=("rules[].verbs", "rules[].resources", "rules[].nonResourceURLs"),
    weight=CRITICAL,
    why="A role with * covers whatever the cluster learns later, too: a pod that is broken into with it owns every "
    "Secret and every node.",
    fix="List the verbs and resources in rules that are needed; kubectl auth can-i --list shows those in use.",
    peers="CKV_K8S_49 KSV-0044 KSV-0045 KSV-0046",
    cis=("EKS 4.1.3",),
)
def _no_wildcard_in_cluster_roles(role: View, _: Settings) -> Verdict:
    """A role for the whole cluster names its verbs and resources, but for an operator's own objects."""
    return _no_wildcard(role)


@RULES.rule(
    "k8s-rbac-role-no-wildcard",
    on=_ROLE,
    reads=("rules[].verbs", "rules[].resources"),
    weight=MEDIUM,
    why="A role with * in a namespace reads its Secrets and starts pods as any of its accounts.",
    fix="List the verbs and resources in rules that are needed.",
    peers="KSV-0044 KSV-0045 KSV-0046",
    cis=("EKS 4.1.3",),
)
def _no_wildcard_in_roles(role: View, _: Settings) -> Verdict:
    """A role of a namespace names its verbs and resources, but for an operator's own objects."""
    return _no_wildcard(role)


@RULES.rule(
    "k8s-rbac-no-secrets-read",
    on=_CLUSTER_ROLE,
    reads=("rules[].resources", "rules[].verbs", "rules[].apiGroups", "rules[].resourceNames"),
    joins=True,
    weight=HIGH,
    why="Who reads the Secrets of all namespaces has the tokens of every team, registry and cloud account in them.",
    fix="Name the Secrets in resourceNames, or bind the role with a RoleBinding in the namespaces that need it.",
    peers="CKV2_K8S_5 KSV-0041",
    cis=("EKS 4.1.2",),
)
def _no_secrets_of_all(role: View, _: Settings) -> Verdict:
    """No role reads the Secrets of all namespaces."""

    def one(grant: Block) -> Verdict:
        groups, resources = grant.texts("apiGroups"), grant.texts("resources")
        of_secrets = ({"", "*"} & set(groups)) and ({"secrets", "*"} & set(resources))
        reads = _READING & set(grant.texts("verbs"))
        if not of_secrets or not reads or grant.count("resourceNames"):
            return PASS
        message = f"{grant.at('resources')} has secrets, of every namespace"
        return allow(_is_bound_in_namespaces(role), message, path=grant.at("resources"))

    return each(_grants(role), one)


def _is_bound_in_namespaces(role: View) -> bool:
    """Whether the program binds a cluster's role, and only in namespaces."""
    metadata = role.block("metadata")
    name = None if metadata is None else metadata.text("name")
    kinds = {
        binding.type
        for binding in role.site.of_type(_BINDING, _CLUSTER_BINDING)
        if name is not None and _refers(binding) == ("ClusterRole", name)
    }
    return kinds == {_BINDING}


def _refers(binding: View) -> tuple[str | None, str | None]:
    reference = binding.block("roleRef")
    return (None, None) if reference is None else (reference.text("kind"), reference.text("name"))


@RULES.rule(
    "k8s-rbac-no-escalate",
    on=(_CLUSTER_ROLE, _ROLE),
    reads=("rules[].verbs", "rules[].resources", "rules[].resourceNames"),
    weight=CRITICAL,
    why="Whoever may bind, escalate, impersonate or make tokens makes an administrator of himself, whatever else the "
    "role says.",
    fix="Remove bind, escalate and impersonate from rules[].verbs, and serviceaccounts/token from rules[].resources, "
    "or limit them with resourceNames.",
    peers="CKV_K8S_157 CKV_K8S_158 CKV2_K8S_3 KSV-0050 KSV-0043",
    cis=("K8s 5.1.8",),
)
def _no_escalation(role: View, _: Settings) -> Verdict:
    """No role may bind, escalate, impersonate or make tokens of others than it names."""

    def one(grant: Block) -> Verdict:
        verbs = grant.texts("verbs")
        found = [verb for verb in verbs if verb in ("bind", "escalate", "impersonate")]
        limited = grant.count("resourceNames") > 0
        if not limited and role.type == _CLUSTER_ROLE and "serviceaccounts/token" in grant.texts("resources"):
            message = f"{grant.at('resources')} makes tokens of every account"
            return allow(not {"create", "*"} & set(verbs), message, path=grant.at("resources"))
        return allow(limited or not found, f"{grant.at('verbs')} has {', '.join(found)}", path=grant.at("verbs"))

    return each(_grants(role), one)


@RULES.rule(
    "k8s-rbac-no-exec",
    on=_CLUSTER_ROLE,
    reads=("rules[].resources", "rules[].verbs"),
    joins=True,
    weight=HIGH,
    why="Who runs commands in the pods of all namespaces has their tokens and data, and with nodes/proxy does so past "
    "the API server's audit log.",
    fix="Remove pods/exec, pods/attach, pods/ephemeralcontainers and nodes/proxy from resources in rules, or bind the "
    "role with a RoleBinding where it is needed; nodes/metrics is enough to read kubelet's figures.",
    peers="KSV-0053",
)
def _no_commands_everywhere(role: View, _: Settings) -> Verdict:
    """No role runs commands in the pods of all namespaces."""

    def one(grant: Block) -> Verdict:
        verbs = set(grant.texts("verbs"))
        if grant.count("resourceNames"):
            return PASS
        found = [each_ for each_ in grant.texts("resources") if verbs & _INTO_PODS.get(each_, frozenset())]
        message = f"{grant.at('resources')} has {', '.join(found)}, of every namespace"
        return allow(not found or _is_bound_in_namespaces(role), message, path=grant.at("resources"))

    return each(_grants(role), one)


@RULES.rule(
    "k8s-rbac-no-cluster-admin",
    on=_CLUSTER_BINDING,
    reads=("roleRef.name", "subjects[].kind", "subjects[].name"),
    weight=CRITICAL,
    why="A pod with the role cluster-admin hands the whole cluster to whoever breaks into it; system:masters cannot be "
    "withdrawn at all.",
    fix="Bind the account in subjects to a role that lists what it needs, and people to cluster-admin by name.",
    peers="CKV2_K8S_1 KSV-0111 KSV-0123",
    cis=("EKS 4.1.1",),
)
def _no_admin_but_people(binding: View, _: Settings) -> Verdict:
    """No workload is cluster-admin, only people and groups that are named."""
    if _refers(binding)[1] != "cluster-admin":
        return NOT_APPLICABLE

    def one(subject: Block) -> Verdict:
        kind, name = subject.text("kind"), subject.text("name") or ""
        wrong = kind == "ServiceAccount" or name.startswith("system:")
        return allow(not wrong, f"{subject.at('name')} is {name}, and cluster-admin", path=subject.at("name"))

    return each(binding.blocks("subjects"), one)


@RULES.rule(
    "k8s-rbac-no-everybody",
    on=(_CLUSTER_BINDING, _BINDING),
    reads=("roleRef.name", "subjects[].name"),
    weight=CRITICAL,
    why="On a managed cluster system:authenticated may be anyone with an account at the cloud, and system:anonymous is "
    "anyone at all.",
    fix="Name the groups, users or service accounts in subjects.",
    peers="KSV-0122 KSV-01011",
)
def _nothing_for_everybody(binding: View, _: Settings) -> Verdict:
    """No role is given to everybody, known or not."""
    if _refers(binding)[1] in _OPEN_ROLES:
        return NOT_APPLICABLE

    def one(subject: Block) -> Verdict:
        name = subject.text("name")
        return allow(name not in _EVERYBODY, f"{subject.at('name')} is {name}", path=subject.at("name"))

    return each(binding.blocks("subjects"), one)
