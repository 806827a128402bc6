"""Residency on Kubernetes: what data a namespace may hold, and where."""

from __future__ import annotations

from penstock.kubernetes.model.namespaces import NAMESPACE
from penstock.rules.checks import All, Given
from penstock.rules.levels import MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.RESIDENCY)

RULES.row(
    "k8s-data-class-label",
    "A namespace says how confidential its data is, and where it may lie.",
    on=NAMESPACE,
    check=All(Given('metadata.labels."data-classification"'), Given('metadata.labels."data-region"')),
    severity=MEDIUM,
    rationale="Without it neither people nor admission policies know whether a pod may read a data set there.",
    fix="Set the labels data-classification and data-region.",
)
