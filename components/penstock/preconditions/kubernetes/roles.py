"""Roles that a program creates and binds to nobody."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.preconditions.kind import Kinds
from penstock.preconditions.precondition import Precondition
from penstock.resources.view import Site
from penstock.rules.kubernetes.types import ROLE, ROLE_BINDING

KINDS = Kinds()


@KINDS.kind("kubernetes-role-members", sources=("Kubernetes documentation, using RBAC authorization",))
def somebody_who_has_a_role(site: Site) -> Iterator[Precondition]:
    """Somebody who has a role of a namespace that nothing in the program binds."""
    bound = {
        (metadata.text("namespace"), role.text("name"))
        for binding in site.of_type(ROLE_BINDING)
        if (metadata := binding.block("metadata")) is not None
        if (role := binding.block("roleRef")) is not None and binding.blocks("subjects")
    }
    for role in site.of_type(ROLE):
        metadata = role.block("metadata")
        namespace, name = (metadata.text("namespace"), metadata.text("name")) if metadata is not None else (None, None)
        if namespace is None or name is None or (namespace, name) in bound:
            continue
        yield Precondition(
            f"Members of the role {name} in namespace {namespace}",
            "Nothing binds it, so that nobody but administrators of the cluster may do what it allows.",
            f"kubectl create rolebinding {name} --namespace {namespace} --role {name} --group GROUP",
            role.urn,
        )
