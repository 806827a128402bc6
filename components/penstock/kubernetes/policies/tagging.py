"""Labels on Kubernetes: whose a namespace is."""

from __future__ import annotations

from penstock.graph.verdict import NOT_APPLICABLE, Verdict, allow, each
from penstock.graph.view import View
from penstock.kubernetes.model import namespaces
from penstock.kubernetes.model.namespaces import NAMESPACE
from penstock.rules.levels import LOW, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.TAGS)


@RULES.rule(
    on=NAMESPACE,
    severity=LOW,
    rationale=(
        "The cost of shared GPUs is divided by the labels of namespaces: what has none is nobody's, and nobody turns "
        "it off."
    ),
    fix="Set the labels that required_tags lists in metadata.labels.",
)
def tag_k8s_labels(namespace: View, settings: Settings) -> Verdict:
    """A namespace has the labels that the settings require."""
    required = settings.parameters.required_tags
    if not required:
        return NOT_APPLICABLE
    labels = namespaces.labels_of(namespace)
    given = {key.casefold() for key in labels if labels.value(key) not in (None, "")}
    return each(
        required,
        lambda key: allow(key.casefold() in given, f"metadata.labels has no {key}", path="metadata.labels"),
    )
