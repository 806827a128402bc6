"""Clusters that exist already, and the way to them."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.graph.view import View
from penstock.preconditions import need
from penstock.preconditions.kind import Kinds
from penstock.preconditions.precondition import Precondition

KINDS = Kinds()

_CONTENT = ("{", "apiVersion", "clusters:")
"""Signs of a kubeconfig written out, instead of the path of one."""


@KINDS.kind(
    "kubernetes-cluster",
    on="pulumi:providers:kubernetes",
    sources=("pulumi-kubernetes provider documentation: kubeconfig is a path or the contents of a file",),
)
def a_cluster_that_exists(provider: View) -> Iterator[Precondition]:
    """The cluster behind a kubeconfig that a provider names by its path or context."""
    named, context = provider.text("kubeconfig"), provider.text("context")
    if (not named and not context) or any(sign in (named or "") for sign in _CONTENT):
        return
    file = f"the kubeconfig {named}" if named else "the kubeconfig of whoever runs Pulumi"
    flags = (f" --kubeconfig {named}" if named else "") + (f" --context {context}" if context else "")
    yield Precondition(
        f"A cluster that exists, by {f'the context {context} of ' if context else ''}{file}",
        "The program creates no cluster, and every object goes there.",
        f"kubectl{flags} cluster-info",
        provider.urn,
        need.named("kubernetes-cluster", {"kubeconfig": named or "", "context": context or ""}),
    )
