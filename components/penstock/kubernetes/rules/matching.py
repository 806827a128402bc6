"""Matches of pods and nodes: labels that a pod asks for, and taints that it tolerates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal

from penstock.graph.verdict import NotKnown
from penstock.graph.view import Block
from penstock.kubernetes.model.pods.templates import PodTemplate, texts
from penstock.kubernetes.rules.node_offer import NodeOffer, NodeTaint

_GIVEN_BY_OTHERS = ("kubernetes.io", "k8s.io", "nvidia.com", "karpenter.sh", "k8s-sigs.io")
"""Domains under which kubelets and add-ons label nodes, beside what the pool says."""

_NUMERIC = ("Gt", "Lt")
_PAIR = 2

KEPT_BY_THE_NODE = ("cpu", "memory")
"""Of these every node keeps some for itself, so that no pod gets all of them."""


def asks_for_labels(spec: Block) -> bool:
    """Return whether pods ask for labels of their node."""
    return bool(texts(spec, "nodeSelector")) or bool(_terms(spec))


def has_labels(offer: NodeOffer, spec: Block) -> bool | None:
    """Return whether some node of a pool has all labels that pods ask for; None where undetermined."""
    found = [_in(offer, key, (value,)) for key, value in texts(spec, "nodeSelector").items()]
    terms = _terms(spec)
    if terms:
        found.append(_either(_all(_holds(offer, each) for each in _expressions(term)) for term in terms))
    return _all(found)


def is_selected(offer: NodeOffer, spec: Block) -> bool | None:
    """Return whether some node of a pool has the labels of the selector alone; None where undetermined."""
    return _all([_in(offer, key, (value,)) for key, value in texts(spec, "nodeSelector").items()])


def unmet(offers: list[NodeOffer], spec: Block) -> str:
    """The labels that pods ask for and no pool has, or else all that they ask for, for a message."""
    selector = texts(spec, "nodeSelector")
    alone = {key: value for key, value in selector.items() if not any(_in(each, key, (value,)) for each in offers)}
    if alone or not _terms(spec):
        wanted = alone or selector
        return " and ".join(f"{key}={value}" for key, value in wanted.items())
    return "the labels that the affinity requires" + (" beside those of the selector" if selector else "")


def untolerated(offer: NodeOffer, pods: PodTemplate) -> list[NodeTaint]:
    """The taints of a pool that keep pods off for good.

    Raises:
        NotKnown: its taints are not known.
    """
    if offer.taints is None:
        raise NotKnown
    tolerations = pods.spec.blocks("tolerations")
    admitted = [name for name, value in pods.requests.items() if value] if offer.admits_requests else []
    return [
        taint
        for taint in offer.taints
        if taint.effect in ("NoSchedule", "NoExecute")
        and not taint.goes_by_itself
        and not (taint.key in admitted and taint.effect == "NoSchedule")
        and not any(tolerates(each, taint) for each in tolerations)
    ]


def tolerates(toleration: Block, taint: NodeTaint) -> bool:
    """Return whether a toleration is for a taint."""
    key, effect = toleration.text("key"), toleration.text("effect")
    if effect and effect != taint.effect:
        return False
    if toleration.text("operator") == "Exists":
        return not key or key == taint.key
    return key == taint.key and (toleration.text("value") or "") == taint.value


def fits(offer: NodeOffer, requests: Mapping[str, Decimal]) -> bool | None:
    """Return whether a node has room for a pod; None where undetermined."""
    found = [room_for(offer, name, value) for name, value in requests.items()]
    return False if False in found else None if None in found else True


def room_for(offer: NodeOffer, name: str, value: Decimal) -> bool | None:
    """Return whether a node has that much of a resource; None where undetermined."""
    if not value:
        return True
    has = offer.capacity.get(name)
    if has is None:
        return None
    return value < has if name in KEPT_BY_THE_NODE else value <= has


def affinity_excludes(labels: Mapping[str, str], spec: Block) -> bool:
    """Return whether the required node affinity of pods excludes every node with these labels, whatever its others."""
    terms = _terms(spec)
    return bool(terms) and all(
        any(
            not _holds_for(labels[key], expression)
            for expression in term.blocks("matchExpressions")
            if (key := expression.text("key") or "") in labels
        )
        for term in terms
    )


def _holds_for(value: str, expression: Block) -> bool:
    """Return whether a label of this value meets an expression."""
    values = expression.texts("values")
    match expression.text("operator"):
        case "In":
            return value in values
        case "NotIn":
            return value not in values
        case "Exists":
            return True
        case "DoesNotExist":
            return False
        case operator:
            both = [value, *values]
            numbers = [int(each) for each in both if each.lstrip("-").isdigit()]
            return len(numbers) == len(both) == _PAIR and (
                numbers[0] > numbers[1] if operator == "Gt" else numbers[0] < numbers[1]
            )


def _terms(spec: Block) -> list[Block]:
    affinity = spec.block("affinity")
    node = affinity.block("nodeAffinity") if affinity is not None else None
    required = node.block("requiredDuringSchedulingIgnoredDuringExecution") if node is not None else None
    return required.blocks("nodeSelectorTerms") if required is not None else []


def _expressions(term: Block) -> list[Block | None]:
    """A term's condition on labels; None for a condition on other fields of a node."""
    return [*term.blocks("matchExpressions"), *(None for _ in term.blocks("matchFields"))]


def _holds(offer: NodeOffer, expression: Block | None) -> bool | None:
    if expression is None or expression.text("operator") in _NUMERIC:
        return None
    key, values = expression.text("key") or "", tuple(expression.texts("values"))
    match expression.text("operator"):
        case "In":
            return _in(offer, key, values)
        case "NotIn":
            if _has(offer, key) is False:
                return True
            held = offer.labels.get(key)
            return bool(held - set(values)) if held else None
        case "Exists":
            return _has(offer, key)
        case _:
            has = _has(offer, key)
            return None if has is None else not has


def _has(offer: NodeOffer, key: str) -> bool | None:
    """Return whether nodes have a label, whatever its value; one without any value is one that they surely lack."""
    if key in offer.labels:
        held = offer.labels[key]
        return held is None or bool(held)
    return None if _may_have(offer, key) else False


def _in(offer: NodeOffer, key: str, values: tuple[str, ...]) -> bool | None:
    held = offer.labels.get(key)
    if held is not None:
        return not held.isdisjoint(values)
    return None if key in offer.labels or _may_have(offer, key) else False


def _may_have(offer: NodeOffer, key: str) -> bool:
    """Return whether a label that the pool does not list may be on its nodes all the same."""
    return offer.other_labels or key.partition("/")[0].endswith((*_GIVEN_BY_OTHERS, *offer.label_domains))


def _all(found: Iterator[bool | None] | list[bool | None]) -> bool | None:
    values = list(found)
    return False if False in values else None if None in values else True


def _either(found: Iterator[bool | None]) -> bool | None:
    values = list(found)
    return True if True in values else None if None in values else False
