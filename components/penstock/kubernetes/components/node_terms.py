"""The nodes that agents of an add-on keep to, by their labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def required(nodes: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    """The affinity for nodes that have all labels of any of these, as a chart takes it."""
    terms = [
        {"matchExpressions": [{"key": key, "operator": "In", "values": [value]} for key, value in labels.items()]}
        for labels in nodes
    ]
    return affinity(terms)


def without(label: str) -> dict[str, Any]:
    """The affinity for nodes that lack a label."""
    return affinity([{"matchExpressions": [{"key": label, "operator": "DoesNotExist"}]}])


def affinity(terms: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The affinity for nodes that any of these terms chooses."""
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": list(terms)}}}
