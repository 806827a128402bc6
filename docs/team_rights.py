"""The page on who may do what in the namespace of a team, from the roles that a platform registers."""

from __future__ import annotations

from collections.abc import Iterator

from docs.markdown import page, table

from penstock import description
from penstock.platform import Platform
from penstock.testing import rehearse

_READ = {"get", "list", "watch"}
_TEAM = "vision"
_DESCRIPTION = {
    "environment": "prod",
    "cloud": {"provider": "kubernetes"},
    "cluster": {"kubeconfig": "cluster"},
    "node_pools": [{"name": "train", "accelerator": "h100", "nodes": 2, "labels": {"pool": "train"}}],
    "addons": {"queueing": {"teams": [{"name": _TEAM, "groups": ["members"]}]}, "training": {}, "ray": {}},
}


def team_rights_page() -> str:
    """Return the page."""
    return page(
        "Rights of a team's members",
        "Generated from the Role `team-member` that each team of `addons.queueing` gets in its namespace, here with "
        "`training` and `ray` enabled. Kinds that are not listed, such as secrets, nodes, queues of the cluster, "
        "flavors and runtimes, are closed to them, and so is every other namespace.",
        table(("Kind", "API group", "Members may"), _rows()),
        "Ask the cluster with `kubectl auth can-i create jobs --namespace TEAM --as anyone --as-group GROUP`.",
    )


def _rows() -> Iterator[tuple[str, str, str]]:
    graph = rehearse(lambda: Platform(description.parse(_DESCRIPTION))).graph
    for role in graph.of_type("kubernetes:rbac.authorization.k8s.io/v1:Role"):
        if role.inputs["metadata"]["namespace"] != _TEAM:
            continue
        for rule in role.inputs["rules"]:
            (group,) = rule["apiGroups"]
            for kind in rule["resources"]:
                yield f"`{kind}`", f"`{group}`" if group else "core", _words(rule["verbs"])


def _words(verbs: list[str]) -> str:
    """The verbs; the three of reading are one."""
    reading = ["read"] if set(verbs) >= _READ else [verb for verb in verbs if verb in _READ]
    return ", ".join((*reading, *(verb for verb in verbs if verb not in _READ)))
