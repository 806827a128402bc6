"""Identity on Kubernetes: what roles let accounts do in the cluster, and who has them."""

from __future__ import annotations

from penstock.graph.property_path import Location
from penstock.graph.values import Unknown
from penstock.graph.verdict import NOT_APPLICABLE, PASS, UNKNOWN, Outcome, Verdict, allow, each, fail, together
from penstock.graph.view import Block, View
from penstock.kubernetes.policies.roles import (
    BINDINGS,
    CLUSTER_BINDING,
    CLUSTER_ROLES,
    ROLES,
    ApiRight,
    grants_of,
    is_bound_in_namespaces,
    role_of,
)
from penstock.rules.checks import All, Is, Unlike, Where
from penstock.rules.levels import CRITICAL, HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.IDENTITY)

_ANYTHING = frozenset({"*", "/*"})
_READING = frozenset({"get", "list", "watch", "*"})
_EVERYBODY = frozenset({"system:anonymous", "system:unauthenticated", "system:authenticated", "system:serviceaccounts"})
_ADMINISTRATORS = frozenset({"cluster-admin", "admin", "edit"})
"""Roles of Kubernetes' own that start pods as any account of their namespaces (Using RBAC, user-facing roles)."""
_OPEN_ROLES = frozenset(
    {
        "system:basic-user",
        "system:discovery",
        "system:public-info-viewer",
        "system:service-account-issuer-discovery",
    }
)
"""What everybody may know: names of APIs, versions, what one may do oneself, and the keys that tokens are proved by."""

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
_RBAC = "rbac.authorization.k8s.io"
_TOKENS = ApiRight("", frozenset({"serviceaccounts/token", "*/token"}), frozenset({"create"}))
_SIGNERS = ApiRight("certificates.k8s.io", frozenset({"signers"}), frozenset({"approve"}))
_ESCALATE = ApiRight(_RBAC, frozenset({"roles", "clusterroles"}), frozenset({"bind", "escalate"}))
_BIND = ApiRight(_RBAC, frozenset({"rolebindings", "clusterrolebindings"}), frozenset({"bind"}))
"""Has no effect, as bind is a verb of roles, but shows what is meant."""
_ESCALATIONS = (_ESCALATE, ApiRight("", frozenset({"users", "groups", "serviceaccounts"}), frozenset({"impersonate"})))
_INTO_PODS = {
    "pods/exec": frozenset({"create", "get", "*"}),
    "pods/attach": frozenset({"create", "get", "*"}),
    "pods/ephemeralcontainers": frozenset({"patch", "update", "*"}),
    "nodes/proxy": frozenset({"create", "get", "*"}),
}
"""What lets a command into a container, with the verbs that do so; kubelet takes a GET for that, too."""
_ADMITTING = frozenset(
    {
        "mutatingadmissionpolicies",
        "mutatingadmissionpolicybindings",
        "mutatingwebhookconfigurations",
        "validatingadmissionpolicies",
        "validatingadmissionpolicybindings",
        "validatingwebhookconfigurations",
    }
)
"""Webhooks of each object that is to be created (Kubernetes API, admissionregistration.k8s.io); of * in a role
k8s-rbac-no-wildcard reports."""
_CHANGING = frozenset({"create", "update", "patch", "delete", "deletecollection", "*"})
_SIGNS_LOGINS = frozenset({"*", "kubernetes.io/*", "kubernetes.io/kube-apiserver-client"})
"""Signers whose certificates log in under any name (Kubernetes docs, Certificate Signing Requests)."""


def _is_of_others(grant: Block) -> bool:
    """Return whether an entry speaks of an operator's own objects only, and of nothing that Kubernetes brings along."""
    groups = grant.texts("apiGroups")
    return bool(groups) and all("." in group and group not in _OF_KUBERNETES for group in groups)


def _no_wildcard(role: View, *keys: str) -> Verdict:
    def one(grant: Block) -> Verdict:
        if _is_of_others(grant):
            return PASS
        for key in keys:
            found = [text for text in grant.texts(key) if text in _ANYTHING]
            if found:
                return fail(f"{grant.at(key)} has {found[0]}", path=grant.at(key))
        return PASS

    return each(grants_of(role), one)


@RULES.rule(
    on=CLUSTER_ROLES,
    severity=CRITICAL,
    rationale=(
        "A role with * covers whatever the cluster learns later, too: a pod that is broken into with it owns every "
        "Secret and every node."
    ),
    fix="List the resources in rules that are needed; kubectl auth can-i --list shows those in use.",
    peers="CKV_K8S_49 KSV-0044 KSV-0046 C-0187 KICS:6b896afb C-0035 C-0267",
    cis=("K8s 1.12: 5.1.3", "EKS 1.8: 4.1.3"),
)
def k8s_rbac_no_wildcard(role: View, _: Settings) -> Verdict:
    """A role for the whole cluster names its resources, but for an operator's own objects."""
    return together(
        (
            _no_wildcard(role, "resources", "nonResourceURLs"),
            each(role.locations("aggregationRule.clusterRoleSelectors[]"), _selects_some),
        )
    )


def _selects_some(selector: Location) -> Verdict:
    """Return whether a role takes in those of some labels only: an empty selector means cluster-admin's rules, too."""
    if isinstance(selector.value, Unknown):
        return UNKNOWN
    if selector.value:
        return NOT_APPLICABLE  # the roles that it includes are judged themselves
    return fail(f"{selector.path} is empty, and takes in the rules of every role", path=selector.path)


@RULES.rule(
    on=ROLES,
    severity=HIGH,
    rationale="A role with * in a namespace reads its Secrets and starts pods as any of its accounts.",
    fix="List the resources in rules that are needed.",
    peers="KSV-0044 KSV-0046 KSV-0112 CKV_K8S_49 C-0187 KICS:6b896afb",
    cis=("K8s 1.12: 5.1.3", "EKS 1.8: 4.1.3"),
)
def k8s_rbac_role_no_wildcard(role: View, _: Settings) -> Verdict:
    """A role of a namespace names its resources, but for an operator's own objects."""
    return _no_wildcard(role, "resources")


@RULES.rule(
    on=(*CLUSTER_ROLES, *ROLES),
    severity=MEDIUM,
    rationale="The verb * also covers those that nobody thinks of, such as deletecollection and impersonate.",
    fix="List the verbs in rules that are needed; kubectl auth can-i --list shows those in use.",
    peers="CKV_K8S_49 KSV-0044 KSV-0045 C-0187 KICS:6b896afb",
    cis=("K8s 1.12: 5.1.3", "EKS 1.8: 4.1.3"),
)
def k8s_rbac_no_wildcard_verbs(role: View, _: Settings) -> Verdict:
    """A role names its verbs, but for an operator's own objects."""
    return _no_wildcard(role, "verbs")


@RULES.rule(
    on=CLUSTER_ROLES,
    each_of=grants_of,
    joins=True,
    severity=HIGH,
    rationale=(
        "Who reads the Secrets of all namespaces has the tokens of every team, registry and cloud account in them."
    ),
    fix="Name the Secrets in resourceNames, or bind the role with a RoleBinding in the namespaces that need it.",
    peers="CKV2_K8S_5 KSV-0041 C-0015 C-0186 KICS:b7bca5c4 KICS:056ac60e",
    cis=("K8s 1.12: 5.1.2", "EKS 1.8: 4.1.2"),
)
def k8s_rbac_no_secrets_read(grant: Block) -> Verdict:
    """No role reads the Secrets of all namespaces."""
    groups, resources = grant.texts("apiGroups"), grant.texts("resources")
    of_secrets = ({"", "*"} & set(groups)) and ({"secrets", "*"} & set(resources))
    reads = _READING & set(grant.texts("verbs"))
    if not of_secrets or not reads or grant.count("resourceNames"):
        return PASS
    message = f"{grant.at('resources')} has secrets, of every namespace"
    return allow(is_bound_in_namespaces(grant.owner), message, path=grant.at("resources"))


@RULES.rule(
    on=(*CLUSTER_ROLES, *ROLES),
    severity=HIGH,
    rationale=(
        "An account that can bind, escalate, impersonate, make tokens or approve certificates makes itself an "
        "administrator, whatever else the role says."
    ),
    fix="Remove bind, escalate, impersonate and * from rules[].verbs, serviceaccounts/token from rules[].resources, "
    "and approve of signers that sign logins; or limit them with resourceNames.",
    peers="CKV_K8S_156 CKV_K8S_157 CKV_K8S_158 CKV2_K8S_3 KSV-0043 C-0053 C-0065 C-0191 C-0280 C-0282 "
    "KICS:8320826e KICS:9f85c3f6",
    cis=("K8s 1.12: 5.1.8", "K8s 1.12: 5.1.11", "K8s 1.12: 5.1.13", "EKS 1.8: 4.1.8", "EKS 1.8: 4.1.12"),
)
def k8s_rbac_no_escalate(role: View, _: Settings) -> Verdict:
    """No role may bind, escalate, impersonate, make tokens or approve certificates of others than it names."""
    is_of_cluster = role.type in CLUSTER_ROLES

    def one(grant: Block) -> Verdict:
        verbs, names = grant.texts("verbs"), set(grant.texts("resourceNames"))
        if is_of_cluster and not names and _TOKENS.found_in(grant):
            return fail(f"{grant.at('resources')} makes tokens of every account", path=grant.at("resources"))
        if is_of_cluster and (not names or _SIGNS_LOGINS & names) and _in_group(_SIGNERS, grant):
            return fail(
                f"{grant.at('verbs')} has {_said(verbs, _SIGNERS)}, of certificates for any name",
                path=grant.at("verbs"),
            )
        rights = _ESCALATIONS if is_of_cluster else (_ESCALATE,)
        wide = [right for right in rights if _in_group(right, grant)]
        literal = [right for right in (*_ESCALATIONS, _BIND) if right.found_in(grant) and right.verbs & set(verbs)]
        found = sorted({_said(verbs, right) for right in (*wide, *literal)})
        return allow(names or not found, f"{grant.at('verbs')} has {', '.join(found)}", path=grant.at("verbs"))

    return each(grants_of(role), one)


def _in_group(right: ApiRight, grant: Block) -> bool:
    """Return whether an entry grants a right, be it by * among the resources of the right's own group."""
    in_group = right.group in grant.texts("apiGroups") and "*" in grant.texts("resources")
    return bool(right.found_in(grant)) or (in_group and bool({*right.verbs, "*"} & set(grant.texts("verbs"))))


def _said(verbs: list[str], right: ApiRight) -> str:
    return ", ".join(verb for verb in verbs if verb in right.verbs) or f"*, and so {' and '.join(sorted(right.verbs))}"


@RULES.rule(
    on=CLUSTER_ROLES,
    each_of=grants_of,
    joins=True,
    severity=HIGH,
    rationale=(
        "Who runs commands in the pods of all namespaces has their tokens and data, and with nodes/proxy does so past "
        "the API server's audit log."
    ),
    fix="Remove pods/exec, pods/attach, pods/ephemeralcontainers and nodes/proxy from resources in rules, or bind the "
    "role with a RoleBinding where it is needed; nodes/metrics is enough to read kubelet's figures.",
    peers="KSV-0053 CKV2_K8S_2 KSV-0047 KSV-0054 C-0002 C-0279 KICS:c589f42c KICS:d45330fd",
    cis=("K8s 1.12: 5.1.10", "EKS 1.8: 4.1.10"),
)
def k8s_rbac_no_exec(grant: Block) -> Verdict:
    """No role runs commands in the pods of all namespaces."""
    verbs = set(grant.texts("verbs"))
    if grant.count("resourceNames"):
        return PASS
    found = [text for text in grant.texts("resources") if verbs & _verbs_into_pods(text)]
    message = f"{grant.at('resources')} has {', '.join(found)}, of every namespace"
    return allow(not found or is_bound_in_namespaces(grant.owner), message, path=grant.at("resources"))


def _verbs_into_pods(resource: str) -> frozenset[str]:
    """The verbs with which a resource lets a command into a container; */exec is exec of whatever has it."""
    of_any = resource.removeprefix("*/") if resource.startswith("*/") else None
    meant = (verbs for each_, verbs in _INTO_PODS.items() if resource == each_ or of_any == each_.partition("/")[2])
    return frozenset().union(*meant)


@RULES.rule(
    on=CLUSTER_ROLES,
    each_of=grants_of,
    severity=HIGH,
    rationale="Who changes what the API server asks about each new object reads every Secret that is written, puts "
    "containers of its own into pods, and turns off the policies that would refuse them.",
    fix="Name the configurations in resourceNames, as an operator does that renews the certificate of its own webhook, "
    "and let Pulumi or the chart make them.",
    peers="CKV_K8S_155 KSV-0114 C-0281",
    cis=("K8s 1.12: 5.1.12", "EKS 1.8: 4.1.11"),
)
def k8s_rbac_no_admission(grant: Block) -> Verdict:
    """No role changes webhooks and policies of admission but those it names."""
    groups, verbs = set(grant.texts("apiGroups")), set(grant.texts("verbs"))
    found = [text for text in grant.texts("resources") if text in _ADMITTING]
    if not {"admissionregistration.k8s.io", "*"} & groups or not found or not _CHANGING & verbs:
        return PASS
    limited = grant.count("resourceNames") > 0 and not {"create", "*"} & verbs  # a new one has no name to hold to
    return allow(limited, f"{grant.at('resources')} has {', '.join(found)}", path=grant.at("resources"))


@RULES.rule(
    on=CLUSTER_BINDING,
    severity=CRITICAL,
    rationale=(
        "A pod with the role cluster-admin hands the whole cluster to whoever breaks into it, and one with admin or "
        "edit in all namespaces starts pods as any account; system:masters cannot be withdrawn at all."
    ),
    fix="Bind the account in subjects to a role that lists what it needs, or to admin or edit by a RoleBinding, and "
    "people to cluster-admin by name.",
    peers="CKV2_K8S_1 KSV-0111 C-0035 C-0185 C-0272 KICS:249328b8",
    cis=("K8s 1.12: 5.1.1", "EKS 1.8: 4.1.1"),
)
def k8s_rbac_no_cluster_admin(binding: View, _: Settings) -> Verdict:
    """No workload is an administrator of all namespaces, only people and groups that are named."""
    role = role_of(binding)[1]
    if role not in _ADMINISTRATORS:
        return NOT_APPLICABLE

    def one(subject: Block) -> Verdict:
        kind, name = subject.text("kind"), subject.text("name") or ""
        wrong = kind == "ServiceAccount" or name.startswith("system:")
        return allow(not wrong, f"{subject.at('name')} is {name}, and {role}", path=subject.at("name"))

    return each(binding.blocks("subjects"), one)


@RULES.rule(
    on=BINDINGS,
    severity=CRITICAL,
    rationale=(
        "On a managed cluster system:authenticated may be anyone with an account at the cloud, and system:anonymous is "
        "anyone at all."
    ),
    fix="Name the groups, users or service accounts in subjects.",
    peers="KSV-0122 KSV-01011 C-0262 C-0265",
)
def k8s_rbac_no_everybody(binding: View, _: Settings) -> Verdict:
    """No role is given to everybody, known or not."""

    def one(subject: Block) -> Verdict:
        name = subject.text("name")
        return allow(name not in _EVERYBODY, f"{subject.at('name')} is {name}", path=subject.at("name"))

    said = each(binding.blocks("subjects"), one)
    return NOT_APPLICABLE if said.outcome is Outcome.FAIL and role_of(binding)[1] in _OPEN_ROLES else said


@RULES.rule(
    on=BINDINGS,
    each_of="subjects",
    severity=MEDIUM,
    rationale="Each pod of the namespace that names no account has the role then, the one of a stranger's chart, too.",
    fix="Create an account for the workload, and name it in subjects and in serviceAccountName of the pods.",
    peers="CKV_K8S_42 KICS:1e749bc9",
    cis=("K8s 1.12: 5.1.5", "EKS 1.8: 4.1.5"),
)
def k8s_rbac_no_default_sa(subject: Block) -> Verdict:
    """No role is given to the account default of a namespace."""
    wrong = subject.text("kind") == "ServiceAccount" and subject.text("name") == "default"
    return allow(not wrong, f"{subject.at('name')} is default", path=subject.at("name"))


_CONFIG_MAP = "kubernetes:core/v1:ConfigMap"
_MASTERS = r"(?s).*\bsystem:masters\b.*"
RULES.row(
    "k8s-aws-auth-no-masters",
    "No role or user of AWS is of the group system:masters.",
    on=(_CONFIG_MAP, f"{_CONFIG_MAP}Patch"),
    check=Where(
        Is("metadata.name", value="aws-auth"), All(Unlike("data.mapRoles", _MASTERS), Unlike("data.mapUsers", _MASTERS))
    ),
    severity=HIGH,
    rationale=(
        "The API server asks nobody what this group may do: no role bounds it, and no binding that is removed ends it."
    ),
    fix="Give people an access entry of EKS with an access policy, or map them to a group of your own in mapRoles and "
    "bind that.",
)
