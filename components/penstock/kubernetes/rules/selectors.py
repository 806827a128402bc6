"""Selectors: what labels they choose."""

from __future__ import annotations

from collections.abc import Mapping

from penstock.graph.view import Block
from penstock.kubernetes.model.pods.templates import texts


def chooses(selector: Block, labels: Mapping[str, str]) -> bool:
    """Return whether a label selector (matchLabels and matchExpressions) selects these labels."""
    return all(labels.get(key) == value for key, value in texts(selector, "matchLabels").items()) and all(
        _holds(expression, labels) for expression in selector.blocks("matchExpressions")
    )


def _holds(expression: Block, labels: Mapping[str, str]) -> bool:
    key, values = expression.text("key") or "", expression.texts("values")
    match expression.text("operator"):
        case "In":
            return labels.get(key) in values
        case "NotIn":
            return labels.get(key) not in values
        case "Exists":
            return key in labels
        case _:
            return key not in labels
