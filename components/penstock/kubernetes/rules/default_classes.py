"""Classes that objects get which name none: of storage, and of ingresses."""

from __future__ import annotations

from penstock.graph.verdict import NOT_APPLICABLE, PASS, UNKNOWN, NotKnown, Verdict, fail
from penstock.graph.view import View
from penstock.kubernetes.model.pods.templates import texts
from penstock.kubernetes.rules import inventory
from penstock.kubernetes.rules.types import INGRESS_CLASS, STORAGE_CLASS
from penstock.rules.levels import MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_MARKS = {
    STORAGE_CLASS: (
        "storageclass.kubernetes.io/is-default-class",
        "storageclass.beta.kubernetes.io/is-default-class",
    ),
    INGRESS_CLASS: ("ingressclass.kubernetes.io/is-default-class",),
}
"""The annotations that mark a default, any of which will do."""


@RULES.rule(
    on=STORAGE_CLASS,
    severity=MEDIUM,
    rationale=(
        "Claims that name no class get the default class that was created last, so the order of a deployment decides "
        "where data lies and whether it is encrypted."
    ),
    fix="Leave the annotation storageclass.kubernetes.io/is-default-class on one class of the cluster.",
    joins=True,
    sources=("Kubernetes documentation, Storage Classes: default StorageClass",),
)
def k8s_storage_class_one_default(view: View) -> Verdict:
    """At most one storage class of a cluster is its default."""
    return _alone(view)


@RULES.rule(
    on=INGRESS_CLASS,
    severity=MEDIUM,
    rationale=(
        "Older API servers reject an Ingress that names no class; others give it the default class that was created "
        "last, so the order of a deployment decides which controller serves it."
    ),
    fix="Leave the annotation ingressclass.kubernetes.io/is-default-class on one class of the cluster.",
    joins=True,
    sources=(
        "Kubernetes documentation, Ingress: Default IngressClass",
        "kubernetes/kubernetes admission: defaultingressclass",
    ),
)
def k8s_ingress_class_one_default(view: View) -> Verdict:
    """At most one ingress class of a cluster is its default."""
    return _alone(view)


def _alone(view: View) -> Verdict:
    if not _is_default(view):
        return NOT_APPLICABLE
    here, undetermined = inventory.server(view), False
    for other in view.site.of_type(view.type):
        if other.urn == view.urn:  # the first of two is right, as far as one can say
            break
        try:
            if inventory.server(other) == here and _is_default(other):
                return fail(
                    f"{inventory.name(other)} is the default class of the cluster already",
                    hint="Take the annotation off one of them.",
                    path="metadata.annotations",
                )
        except NotKnown:
            undetermined = True
    return UNKNOWN if undetermined else PASS


def _is_default(view: View) -> bool:
    given = texts(view.block("metadata"), "annotations")
    return any(given.get(mark) == "true" for mark in _MARKS[view.type])
