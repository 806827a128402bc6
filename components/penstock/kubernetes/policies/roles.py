"""Roles of Kubernetes: the rights that their entries grant, and the namespaces in which they are bound."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from typing_extensions import override

from penstock.graph.verdict import PASS, NotKnown, Verdict, allow, each
from penstock.graph.view import Block, View
from penstock.kubernetes.model import namespaces
from penstock.rules.checks import Check
from penstock.rules.settings import Settings

API: Final = "kubernetes:rbac.authorization.k8s.io/v1"
CLUSTER_ROLE: Final = f"{API}:ClusterRole"
ROLE: Final = f"{API}:Role"
CLUSTER_ROLES: Final = (CLUSTER_ROLE, f"{API}:ClusterRolePatch")
ROLES: Final = (ROLE, f"{API}:RolePatch")
CLUSTER_BINDING: Final = f"{API}:ClusterRoleBinding"
BINDING: Final = f"{API}:RoleBinding"
BINDINGS: Final = (CLUSTER_BINDING, BINDING, f"{API}:ClusterRoleBindingPatch", f"{API}:RoleBindingPatch")

WRITING: Final = frozenset({"create", "update", "patch", "delete", "deletecollection"})


@dataclass(frozen=True, slots=True)
class ApiRight:
    """Verbs on resources of one API group."""

    group: str
    resources: frozenset[str]
    verbs: frozenset[str]

    def found_in(self, grant: Block) -> list[str]:
        """Return the resources that an entry names and on which it grants one of the verbs.

        The resource * is left to the rules about wildcards.
        """
        if not {self.group, "*"} & set(grant.texts("apiGroups")) or not {*self.verbs, "*"} & set(grant.texts("verbs")):
            return []
        return [resource for resource in grant.texts("resources") if resource in self.resources]


@dataclass(frozen=True, slots=True, init=False)
class NotEverywhere(Check):
    """A role grants none of these rights in all namespaces: it names the objects, or is only bound in namespaces."""

    rights: tuple[ApiRight, ...]

    def __init__(self, *rights: ApiRight) -> None:
        object.__setattr__(self, "rights", rights)

    @property
    @override
    def joins(self) -> bool:
        return True

    @override
    def reads(self, type_: str) -> tuple[str, ...]:
        return tuple(f"rules[].{key}" for key in ("apiGroups", "resources", "verbs", "resourceNames"))

    @override
    def judge(self, it: Block, settings: Settings) -> Verdict:
        def one(grant: Block) -> Verdict:
            if grant.count("resourceNames"):
                return PASS
            found = [resource for right in self.rights for resource in right.found_in(grant)]
            verbs = ", ".join(grant.texts("verbs"))
            message = f"{grant.at('resources')} has {', '.join(found)}, of every namespace, with {verbs}"
            return allow(not found or is_bound_in_namespaces(it.owner), message, path=grant.at("resources"))

        return each(grants_of(it), one)


def grants_of(role: Block) -> list[Block]:
    """The entries of a role."""
    return role.blocks("rules")


def is_bound_in_namespaces(role: View) -> bool:
    """Return whether the program binds a cluster's role, and only in namespaces.

    Raises:
        NotKnown: the name of the role is not known, or which role a binding gives.
    """
    kinds = {binding.type for binding in role.site.of_type(BINDING, CLUSTER_BINDING) if _binds(binding, role)}
    return kinds == {BINDING}


def role_of(binding: View) -> tuple[str | None, str | None]:
    """The kind and the name of the role that a binding gives."""
    reference = binding.block("roleRef")
    return (None, None) if reference is None else (reference.text("kind"), reference.text("name"))


def _binds(binding: View, role: View) -> bool:
    named = binding.sources("roleRef", CLUSTER_ROLE, ROLE)
    if named:
        return role.urn in {each_.urn for each_ in named}
    kind, bound = role_of(binding)
    if kind != "ClusterRole" or bound is None:
        return False
    try:
        return bound == namespaces.name_of(role)
    except NotKnown:
        if namespaces.is_named_by_pulumi(role) and role.name not in bound:
            return False
        raise
