"""Namespaces of teams that nobody is let in to."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.graph.view import Block, Site, View
from penstock.kubernetes.rules.types import NAMESPACE, ROLE, ROLE_BINDING
from penstock.preconditions.kind import Kinds
from penstock.preconditions.precondition import Precondition

KINDS = Kinds()

_TEAM = "penstock.dev/team"
"""The label of the namespaces whose jobs wait in the queue of a team."""


@KINDS.kind("kubernetes-team-members", sources=("Kubernetes documentation, using RBAC authorization",))
def somebody_who_works_in_the_namespace_of_a_team(site: Site) -> Iterator[Precondition]:
    """Members of a team, where nothing in the program binds a role of its namespace to anybody."""
    bound = {_namespace(binding) for binding in site.of_type(ROLE_BINDING) if binding.blocks("subjects")}
    roles = {_namespace(role): _metadata(role).text("name") for role in site.of_type(ROLE)}
    for namespace in site.of_type(NAMESPACE):
        metadata = _metadata(namespace)
        labels, name = metadata.block("labels"), metadata.text("name")
        team = labels.text(_TEAM) if labels is not None else None
        if team is None or name in bound or name not in roles:
            continue
        yield Precondition(
            f"Members of team {team}",
            f"Nobody but administrators of the cluster may create jobs in namespace {name}.",
            f"kubectl create rolebinding members --namespace {name} --role {roles[name]} --group GROUP; or name groups "
            "or users of the team in the description.",
            namespace.urn,
        )


def _metadata(view: View) -> Block:
    return view.block("metadata") or Block({}, "metadata", view)


def _namespace(view: View) -> str | None:
    return _metadata(view).text("namespace")
