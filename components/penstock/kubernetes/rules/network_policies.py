"""Network policies: whether the cluster that they are given to enforces them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from penstock.graph.values import MAPPING
from penstock.graph.verdict import NOT_APPLICABLE, PASS, NotKnown, Verdict, each, fail
from penstock.graph.view import Site, View
from penstock.kubernetes.facts.charts import HELM_CHARTS
from penstock.kubernetes.rules import inventory
from penstock.kubernetes.rules.types import NETWORK_POLICIES, PROVIDER
from penstock.model.endpoints import policy_clusters, policy_engine
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_VALUES = ("networkpolicy", "networkpolicies")
"""Chart values that hold the network policies of a chart, in small letters."""


@RULES.rule(
    on=PROVIDER,
    severity=HIGH,
    rationale=(
        "The API server accepts NetworkPolicy objects on any cluster. Without an engine they have no effect: every pod "
        "reaches every other, of all teams, and nothing reports it."
    ),
    fix=(
        'Enable the cluster\'s engine: on EKS enableNetworkPolicy "true" in configurationValues of the add-on vpc-cni, '
        "on AKS networkProfile.networkPolicy, on GKE datapathProvider ADVANCED_DATAPATH. Or install Calico or Cilium."
    ),
    joins=True,
    sources=(
        "EKS user guide, Kubernetes network policies",
        "EKS user guide, network policies with EKS Auto Mode",
        "AKS REST, NetworkPolicy",
        "GKE documentation, network policy",
        "OCI documentation, pod networking",
        "pulumi-eks 3, Cluster: VpcCniOptions",
    ),
)
def k8s_netpol_enforced(provider: View) -> Verdict:
    """A cluster that is given network policies enforces them."""
    policies = provider.site.once(policies_by_provider).get(provider.urn)
    if not policies:
        return NOT_APPLICABLE
    clusters = policy_clusters(provider)
    if not clusters:
        raise NotKnown  # the program does not create the cluster

    def check(cluster: View) -> Verdict:
        engine = policy_engine(cluster)
        if engine.name:
            return PASS
        message = f"{_counted(policies, cluster)}: {engine.reason}"
        return fail(message, hint=engine.fix, path=engine.path, urn=engine.urn)

    return each(clusters, check)


def _counted(policies: list[str], cluster: View) -> str:
    if len(policies) == 1:
        return f"the network policy {policies[0]} of cluster {cluster.name} has no effect"
    return f"{len(policies)} network policies of cluster {cluster.name} have no effect, such as {policies[0]}"


def policies_by_provider(site: Site) -> dict[str, list[str]]:
    """The names of the network policies by the first provider of their cluster."""
    found: dict[str, list[str]] = {}
    for view in site.of_type(*NETWORK_POLICIES, *HELM_CHARTS):
        if view.type not in HELM_CHARTS or any(_asks_for_policies(view.given("values"))):
            found.setdefault(inventory.server(view), []).append(view.name)
    return found


def _asks_for_policies(values: Any) -> Iterator[bool]:
    """Yield True for each part of a chart's values that turns its network policies on."""
    if not isinstance(values, MAPPING):
        return
    for key, value in values.items():
        if key.casefold() in _VALUES and isinstance(value, Mapping):
            yield from (True for switch in ("enabled", "create") if value.get(switch) is True)
        elif isinstance(value, Mapping):
            yield from _asks_for_policies(value)
