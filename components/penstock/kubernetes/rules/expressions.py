"""Expressions that choose nodes and pods: an operator, and as many values as it takes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from penstock.graph.verdict import NOT_APPLICABLE, Verdict, allow, each, fail, together
from penstock.graph.view import Block, View
from penstock.kubernetes.facts.label_forms import is_key
from penstock.kubernetes.model.pods.templates import OWN_WORKLOADS, PodTemplate, templates
from penstock.kubernetes.rules.types import (
    DAEMON_SET,
    DEPLOYMENT,
    DISRUPTION_BUDGET,
    JOB,
    NETWORK_POLICY,
    REPLICA_SET,
    STATEFUL_SET,
)
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_ANY, _NONE, _ONE = "List the values.", "Leave values out.", "Give one value."
_OF_LABELS: Final = {"In": _ANY, "NotIn": _ANY, "Exists": _NONE, "DoesNotExist": _NONE}
_OF_NODES: Final = {**_OF_LABELS, "Gt": _ONE, "Lt": _ONE}
_OF_FIELDS: Final = {"In": _ONE, "NotIn": _ONE}

_REQUIRED: Final = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED: Final = "preferredDuringSchedulingIgnoredDuringExecution"

_CHOOSING_PODS: Final = tuple(
    f"{term}.{selector}"
    for kind in ("podAffinity", "podAntiAffinity")
    for term in (f"affinity.{kind}.{_REQUIRED}[]", f"affinity.{kind}.{_PREFERRED}[].podAffinityTerm")
    for selector in ("labelSelector", "namespaceSelector")
)
_SPREADING: Final = "topologySpreadConstraints[].labelSelector"
_POLICY: Final = (
    "podSelector",
    *(
        f"{way}[].{peer}[].{selector}"
        for way, peer in (("ingress", "from"), ("egress", "to"))
        for selector in ("podSelector", "namespaceSelector")
    ),
)
_OWN: Final = {
    NETWORK_POLICY: _POLICY,
    **dict.fromkeys((DEPLOYMENT, REPLICA_SET, STATEFUL_SET, DAEMON_SET, JOB, DISRUPTION_BUDGET), ("selector",)),
}
"""The selectors in the spec of an object itself, by its type."""

_NUMBER: Final = re.compile(r"[-+]?\d+")


@RULES.rule(
    on=OWN_WORKLOADS,
    each_of=templates,
    severity=HIGH,
    rationale="The API server rejects the object.",
    fix=(
        "List values for In and NotIn, leave them out for Exists and DoesNotExist, and give a single whole number for "
        "Gt and Lt; in matchFields, give metadata.name with In or NotIn and one name."
    ),
    sources=("kubernetes/kubernetes validation: ValidateNodeSelectorTerm",),
)
def k8s_node_affinity_operands(pods: PodTemplate) -> Verdict:
    """An expression of a node affinity has a label key and as many values as its operator takes."""
    node = pods.spec.block("affinity.nodeAffinity")
    if node is None:
        return NOT_APPLICABLE
    required = node.block(_REQUIRED)
    if required is not None and not required.count("nodeSelectorTerms"):
        return fail(
            "the required affinity has no terms",
            hint="List a term, or leave it out.",
            path=required.at("nodeSelectorTerms"),
        )
    return each(_terms(pods), _term)


@RULES.rule(
    on=OWN_WORKLOADS,
    each_of=templates,
    severity=MEDIUM,
    rationale="The object is accepted, and the term matches no node, so that its pods stay pending.",
    fix="Give Gt and Lt a whole number in quotes, such as ['80'].",
    sources=("Kubernetes API reference, NodeSelectorRequirement: values",),
)
def k8s_node_affinity_number(pods: PodTemplate) -> Verdict:
    """The value of Gt and Lt in a node affinity is a whole number."""
    return each(_bounds(pods), _bound)


@RULES.rule(
    on=(*OWN_WORKLOADS, DISRUPTION_BUDGET, NETWORK_POLICY),
    severity=HIGH,
    rationale="The API server rejects the object.",
    fix="List values for In and NotIn, and leave them out for Exists and DoesNotExist.",
    sources=("kubernetes/apimachinery validation: ValidateLabelSelectorRequirement",),
)
def k8s_label_selector_operands(view: View) -> Verdict:
    """An expression of a label selector has a label key and as many values as its operator takes."""
    return each(
        (one for selector in _selectors(view) for one in selector.blocks("matchExpressions")),
        lambda expression: _expression(expression, _OF_LABELS),
    )


def _terms(pods: PodTemplate) -> Iterator[Block]:
    yield from pods.spec.blocks_at(f"affinity.nodeAffinity.{_REQUIRED}.nodeSelectorTerms[]")
    yield from pods.spec.blocks_at(f"affinity.nodeAffinity.{_PREFERRED}[].preference")


def _term(term: Block) -> Verdict:
    return together(
        (
            each(term.blocks("matchFields"), _field),
            each(term.blocks("matchExpressions"), lambda expression: _expression(expression, _OF_NODES)),
        )
    )


def _field(expression: Block) -> Verdict:
    key = expression.text("key")
    if key != "metadata.name":
        return fail(f"{key!r} is not a field of nodes", hint="Give metadata.name.", path=expression.at("key"))
    return _expression(expression, _OF_FIELDS)


def _expression(expression: Block, operators: dict[str, str]) -> Verdict:
    key, operator, count = expression.text("key"), expression.text("operator"), expression.count("values")
    if operator not in operators:
        return fail(
            f"{operator!r} is not an operator" if operator else "the expression has no operator",
            hint=f"One of {', '.join(operators)}.",
            path=expression.at("operator"),
        )
    if not key or not is_key(key):
        return fail(
            f"{key!r} is not a label key" if key else "the expression has no key",
            hint="Such as node.kubernetes.io/instance-type.",
            path=expression.at("key"),
        )
    hint = operators[operator]
    return allow(
        {_ANY: count > 0, _NONE: count == 0, _ONE: count == 1}[hint],
        f"operator {operator} has {count} values",
        hint=hint,
        path=expression.at("values"),
    )


def _bounds(pods: PodTemplate) -> Iterator[Block]:
    for term in _terms(pods):
        for expression in term.blocks("matchExpressions"):
            if expression.text("operator") in ("Gt", "Lt") and expression.count("values") == 1:
                yield expression


def _bound(expression: Block) -> Verdict:
    value = expression.texts("values")[0]
    return allow(
        _NUMBER.fullmatch(value),
        f"operator {expression.text('operator')} compares with {value!r}, which is not a whole number",
        hint="Such as '80'.",
        path=expression.at("values[0]"),
    )


def _selectors(view: View) -> Iterator[Block]:
    spec = view.block("spec")
    if spec is not None:
        for path in _OWN.get(view.type, ()):
            yield from spec.blocks_at(path)
    if view.type in OWN_WORKLOADS:
        for pods in templates(view):
            for path in (*_CHOOSING_PODS, _SPREADING):
                yield from pods.spec.blocks_at(path)
