"""Labels that node pools give their nodes."""

from __future__ import annotations

from collections.abc import Callable

from penstock.gcp.facts import node_labels
from penstock.gcp.model.gke import POOLS, gke_pools
from penstock.graph.verdict import NOT_APPLICABLE, Verdict, allow, each, fail, together
from penstock.graph.view import Block, View
from penstock.kubernetes.facts.label_forms import is_key, is_value
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)


@RULES.rule(
    on=POOLS,
    severity=HIGH,
    rationale="GKE rejects malformed labels, and labels that it manages itself.",
    fix=(
        "Use keys and values of up to 63 letters, digits, -, _ and . in nodeConfig.labels, with keys in a domain of "
        "your own."
    ),
    sources=(
        "Kubernetes Engine API v1, discovery document, NodeConfig.labels",
        "labels of GKE (catalogue, gcp_node_labels)",
    ),
)
def gcp_gke_node_labels(view: View) -> Verdict:
    """Node labels have the form that Kubernetes requires, and none is a label that only GKE may set."""

    def check(labels: Block, key: str) -> Verdict:
        path = labels.at(key)
        if not is_key(key):
            hint = "Use up to 63 letters, digits, -, _ and ., if need be after a domain and /."
            return fail(f"{key!r} is not a key of a label", hint=hint, path=path)
        if node_labels.refused(key):
            hint = "Leave it out, or choose a key in a domain of your own, such as example.com/role."
            return fail(f"GKE sets {key} itself and refuses it here", hint=hint, path=path)
        value = labels.text(key) or ""
        hint = "Use up to 63 letters, digits, -, _ and ., a letter or digit first and last."
        return allow(is_value(value), f"{value!r} is not a value of a label", hint=hint, path=path)

    return _each_label(view, check)


@RULES.rule(
    on=POOLS,
    severity=MEDIUM,
    rationale="The label then has two values, and which of them a node gets is undetermined.",
    fix="Leave the label out of nodeConfig.labels.",
    sources=(
        "Kubernetes Engine API v1, discovery document, NodeConfig.labels",
        "labels of GKE (catalogue, gcp_node_labels)",
    ),
)
def gcp_gke_node_labels_managed(view: View) -> Verdict:
    """A node pool does not set labels that GKE sets on nodes itself."""

    def check(labels: Block, key: str) -> Verdict:
        if node_labels.refused(key):
            return NOT_APPLICABLE  # reported by another rule
        message = f"GKE gives nodes the label {key} itself"
        return allow(not node_labels.given(key), message, hint="Leave it out.", path=labels.at(key))

    return _each_label(view, check)


def _each_label(view: View, check: Callable[[Block, str], Verdict]) -> Verdict:
    configs = [config for pool in gke_pools(view) if (config := pool.config) is not None]
    blocks = [labels for config in configs if (labels := config.block("labels")) is not None]
    return together(_asked(labels, check) for labels in blocks)


def _asked(labels: Block, check: Callable[[Block, str], Verdict]) -> Verdict:
    return each(labels, lambda key: check(labels, key))
