"""The network policy engine of an existing cluster."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.graph.view import View
from penstock.kubernetes.rules.network_policies import policies_by_provider
from penstock.kubernetes.rules.types import PROVIDER
from penstock.model.endpoints import policy_clusters
from penstock.preconditions.kind import Kinds
from penstock.preconditions.precondition import Precondition

KINDS = Kinds()


@KINDS.kind(
    "kubernetes-policy-engine",
    on=PROVIDER,
    sources=("Kubernetes documentation, network policies: prerequisites",),
)
def an_engine_in_an_existing_cluster(provider: View) -> Iterator[Precondition]:
    """An engine in a cluster that the program gives network policies and does not create."""
    policies = provider.site.once(policies_by_provider).get(provider.urn)
    if not policies or policy_clusters(provider):
        return
    count = "a network policy" if len(policies) == 1 else f"{len(policies)} network policies"
    yield Precondition(
        f"A network policy engine in the existing cluster behind {provider.text('context') or provider.name}",
        f"The program creates {count}, which have no effect without one: pods of all namespaces reach each other.",
        "kubectl get daemonsets --all-namespaces shows calico-node, cilium or another engine, and k3s has its own; "
        "on EKS: aws eks describe-addon --addon-name vpc-cni --query addon.configurationValues --cluster-name CLUSTER",
        provider.urn,
    )
