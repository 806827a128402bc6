"""Pod Security Standards of namespaces, and role bindings."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.core.wording import inflect, listed
from penstock.graph.verdict import NOT_APPLICABLE, PASS, UNKNOWN, NotKnown, Verdict, allow, each, fail
from penstock.graph.view import Block, View
from penstock.kubernetes.facts import pod_security
from penstock.kubernetes.model.pods.templates import OWN_WORKLOADS, PodTemplate, templates, texts
from penstock.kubernetes.rules import inventory
from penstock.kubernetes.rules.misspelt import nearly_there
from penstock.kubernetes.rules.types import CLUSTER_ROLE, CLUSTER_ROLE_BINDING, NAMESPACE, ROLE, ROLE_BINDING
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_LABEL = "pod-security.kubernetes.io/"
_LEVELS = ("privileged", "baseline", "restricted")
_MODES = ("enforce", "audit", "warn")
_HOST = ("hostNetwork", "hostPID", "hostIPC")
_BASELINE_CAPABILITIES = frozenset(pod_security.allowed("capability", "baseline"))
_RESTRICTED_CAPABILITIES = frozenset(pod_security.allowed("capability", "restricted"))
_RESTRICTED_VOLUMES = frozenset(pod_security.allowed("volume", "restricted"))
_RBAC = "rbac.authorization.k8s.io"
_ROLES = {"Role": ROLE, "ClusterRole": CLUSTER_ROLE}
_ALWAYS_THERE = ("cluster-admin", "admin", "edit", "view")
"""Roles for users that every API server creates, beside its own, which begin with `system:`."""


@RULES.rule(
    on=NAMESPACE,
    severity=HIGH,
    rationale=(
        "The API server rejects a level that it does not know, and a mode that it does not know enforces nothing."
    ),
    fix="Use the modes enforce, audit and warn, with the levels privileged, baseline and restricted.",
    sources=("Kubernetes documentation, Pod Security Admission labels",),
)
def k8s_ns_pod_security_labels(namespace: View) -> Verdict:
    """The labels pod-security.kubernetes.io of a namespace have a mode and a level of Pod Security Admission."""
    labels = texts(namespace.block("metadata"), "labels")
    own = [key for key in labels if key.startswith(_LABEL) and not key.endswith("-version")]
    return each(own, lambda key: _level(key, labels[key]))


@RULES.rule(
    on=OWN_WORKLOADS,
    severity=HIGH,
    rationale="Pod Security Admission rejects the pods, so the workload never gets any.",
    fix=(
        "Remove the setting from the pod template, set runAsNonRoot, allowPrivilegeEscalation: false, "
        "capabilities.drop: [ALL] and seccompProfile for the level restricted, or use a namespace of a lower level."
    ),
    joins=True,
    sources=("Kubernetes documentation, Pod Security Standards",),
)
def k8s_pod_security_level_met(workload: View) -> Verdict:
    """Pods meet the Pod Security Standard that their namespace enforces."""
    namespace = inventory.namespace_object(workload)
    if namespace is None:
        return UNKNOWN
    level = texts(namespace.block("metadata"), "labels").get(f"{_LABEL}enforce", "privileged")
    if level not in _LEVELS or level == "privileged":
        return NOT_APPLICABLE
    return each(templates(workload), lambda pods: _keeps(pods, level))


@RULES.rule(
    on=(ROLE_BINDING, CLUSTER_ROLE_BINDING),
    severity=HIGH,
    rationale="The API server rejects the object.",
    fix=(
        "Set roleRef to a Role or ClusterRole of rbac.authorization.k8s.io, and kind, apiGroup and namespace of each "
        "subject as its kind requires."
    ),
    sources=("Kubernetes documentation, RBAC: RoleBinding",),
)
def k8s_rbac_binding_valid(binding: View) -> Verdict:
    """A binding names a Role or ClusterRole of the RBAC group, and ServiceAccounts, Users or Groups as subjects."""
    role = binding.block("roleRef")
    if role is None:
        return fail("roleRef is not set", hint="Give roleRef.", path="roleRef")
    kinds = ("ClusterRole",) if binding.type == CLUSTER_ROLE_BINDING else ("Role", "ClusterRole")
    if role.text("kind") not in kinds:
        return fail(f"roleRef.kind is {role.text('kind')!r}", hint=f"{' or '.join(kinds)}.", path="roleRef.kind")
    if role.text("apiGroup") not in (None, "", _RBAC):
        return fail(f"{role.text('apiGroup')!r} has no roles", hint=f"Use {_RBAC}.", path="roleRef.apiGroup")
    said = each(binding.blocks("subjects"), lambda subject: _subject(subject, binding.type))
    return PASS if said is NOT_APPLICABLE else said


@RULES.rule(
    on=(ROLE_BINDING, CLUSTER_ROLE_BINDING),
    severity=MEDIUM,
    rationale="The binding is accepted and grants nothing, so that its subjects are denied what they are bound for.",
    fix="Set roleRef.name to a role that exists: a Role in the namespace of the binding, or a ClusterRole.",
    joins=True,
    sources=("Kubernetes documentation, RBAC: RoleBinding",),
)
def k8s_rbac_role_exists(binding: View) -> Verdict:
    """The role of a binding is not a misspelt name of one that the program creates; others may exist before."""
    role = binding.block("roleRef")
    type_ = _ROLES.get(role.text("kind") or "") if role is not None else None
    if role is None or type_ is None or "name" not in role:
        return NOT_APPLICABLE
    name = role.text("name") or ""
    here = inventory.namespace(binding) if type_ == ROLE else ""
    places = inventory.lies_in(binding, type_, name)
    if here in places or (type_ == CLUSTER_ROLE and (name in _ALWAYS_THERE or name.startswith("system:"))):
        return PASS
    if not places:
        return nearly_there(binding, type_, role, "name", here)
    return fail(
        f"the Role {name} is in the namespace {places[0]}, and this binding is in {here}",
        hint=f"Create it in {here}.",
        path="roleRef.name",
    )


def _level(key: str, value: str) -> Verdict:
    mode = key.removeprefix(_LABEL)
    if mode not in _MODES:
        return fail(f"{mode} is not a mode", hint=f"One of {', '.join(_MODES)}.", path=f"metadata.labels.{key}")
    return allow(
        value in _LEVELS,
        f"{value!r} is not a level",
        hint=f"One of {', '.join(_LEVELS)}.",
        path=f"metadata.labels.{key}",
    )


_PRIVILEGED_ONLY = "Leave the setting out, or run these pods in a namespace of the level privileged."
_ALSO_BASELINE = (
    "Set runAsNonRoot, allowPrivilegeEscalation: false, capabilities.drop: [ALL] and seccompProfile, or use a "
    "namespace of the level baseline."
)


def _keeps(pods: PodTemplate, level: str) -> Verdict:
    def refuses(setting: tuple[str, str], hint: str) -> Verdict:
        what, path = setting
        return fail(f"the namespace enforces the level {level}, which refuses {what}", hint=hint, path=path)

    parts = [(part, _PRIVILEGED_ONLY) for part in (_of_host(pods), *map(_of_container, pods.containers))]
    if level == "restricted":
        whole = pods.spec.block("securityContext")
        of_restricted = [_of_volumes(pods), *(_of_restricted_container(each_, whole) for each_ in pods.containers)]
        parts += [(part, _ALSO_BASELINE) for part in of_restricted]
    said = each(parts, lambda part: each(_until_unknown(part[0]), lambda setting: refuses(setting, part[1])))
    return PASS if said is NOT_APPLICABLE else said


def _until_unknown(refused: Iterator[tuple[str, str]]) -> list[tuple[str, str]]:
    """The refused settings before the first that is not known yet.

    Raises:
        NotKnown: no setting is refused before that.
    """
    found: list[tuple[str, str]] = []
    try:
        for setting in refused:
            found.append(setting)  # noqa: PERF402 - keeps those before an exception
    except NotKnown:
        if not found:
            raise
    return found


def _of_host(pods: PodTemplate) -> Iterator[tuple[str, str]]:
    spec = pods.spec
    for key in _HOST:
        if spec.flag(key) is True:
            yield key, spec.at(key)
    for volume in spec.blocks("volumes"):
        if "hostPath" in volume:
            yield "volumes of the host", volume.at("hostPath")


def _of_container(container: Block) -> Iterator[tuple[str, str]]:
    security = container.block("securityContext")
    if security is not None and security.flag("privileged") is True:
        yield "privileged containers", security.at("privileged")
    added = [name for name in _capabilities(container, "add") if name not in _BASELINE_CAPABILITIES]
    if added:
        what = inflect(len(added), "capability", "capabilities")
        yield f"the {what} {listed(added)}", f"{container.at('securityContext')}.capabilities.add"
    for port in container.blocks("ports"):
        if port.integer("hostPort"):
            yield "ports of the host", port.at("hostPort")


def _of_volumes(pods: PodTemplate) -> Iterator[tuple[str, str]]:
    for volume in pods.spec.blocks("volumes"):
        for source in volume:
            if source not in ("name", "hostPath", *_RESTRICTED_VOLUMES) and source in volume:
                yield f"volumes of the kind {source}", volume.at(source)


def _of_restricted_container(container: Block, whole: Block | None) -> Iterator[tuple[str, str]]:
    own = container.block("securityContext")
    at = container.at("securityContext")
    if own is None or own.flag("allowPrivilegeEscalation") is not False:
        yield "containers that may gain privileges", f"{at}.allowPrivilegeEscalation"
    if not _is_set(own, whole, "runAsNonRoot"):
        yield "containers that may run as root", f"{at}.runAsNonRoot"
    if "ALL" not in _capabilities(container, "drop"):
        yield "containers that keep capabilities", f"{at}.capabilities.drop"
    added = set(_capabilities(container, "add"))
    if added - _RESTRICTED_CAPABILITIES and added <= _BASELINE_CAPABILITIES:
        yield "added capabilities", f"{at}.capabilities.add"
    if not any(block is not None and "seccompProfile" in block for block in (own, whole)):
        yield "containers without a seccomp profile", f"{at}.seccompProfile"


def _is_set(own: Block | None, whole: Block | None, key: str) -> bool:
    """Return whether a container, or else its pod, turns something on."""
    said = own.flag(key) if own is not None else None
    if said is None and whole is not None:
        said = whole.flag(key)
    return said is True


def _capabilities(container: Block, key: str) -> list[str]:
    security = container.block("securityContext")
    capabilities = security.block("capabilities") if security is not None else None
    return capabilities.texts(key) if capabilities is not None else []


def _subject(subject: Block, bound_by: str) -> Verdict:
    kind = subject.text("kind")
    if kind not in ("ServiceAccount", "User", "Group"):
        return fail(f"{kind!r} is not a subject", hint="ServiceAccount, User or Group.", path=subject.at("kind"))
    # Only a RoleBinding has a namespace of its own, in which an account without one is looked for.
    if kind == "ServiceAccount" and "namespace" not in subject and bound_by == CLUSTER_ROLE_BINDING:
        return fail("the service account has no namespace", hint="Say in which it is.", path=subject.at("namespace"))
    return allow(
        subject.text("apiGroup") in ((None, "") if kind == "ServiceAccount" else (None, "", _RBAC)),
        f"{subject.text('apiGroup')!r} has no subjects of the kind {kind}",
        hint="Leave apiGroup out." if kind == "ServiceAccount" else f"Use {_RBAC}.",
        path=subject.at("apiGroup"),
    )
