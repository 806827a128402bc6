"""Rules on what runs on a node before any pod: its image, labels and taints."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.core.wording import listed, quoted
from penstock.description.node_pool import NodePoolSpec
from penstock.description.platform import SYSTEM_POOL, Spec
from penstock.description.problems import Problem
from penstock.description.rules import known
from penstock.description.rules.rule import CLOUDS, pool_rule
from penstock.kubernetes.facts import label_forms
from penstock.providers import built_clouds

_OWN_PREFIXES = ("kubelet.kubernetes.io", "node.kubernetes.io")
"""The prefixes under kubernetes.io that a node may give itself (Kubernetes documentation, NodeRestriction)."""

_KEY_HINT = "A name of up to 63 letters, digits, '-', '_' and '.', if need be after a domain and '/'."


@pool_rule("SPEC-084", reads=("cluster",), provider=CLOUDS)
def system_pool_takes_any_pod(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """A pool of the name `system` in a new cluster runs the cluster's own pods, DNS and drivers among them."""
    if pool.name == SYSTEM_POOL and spec.cluster.existing is None and not known.takes_any_pod(pool, spec):
        message = "The pool system runs the cluster's own pods, but has no node for them at all times."
        yield Problem((), message, "Set a machine type without accelerators, no taints, and at least one node.")


@pool_rule("SPEC-087", reads=("cloud",))
def labels_are_labels(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """Labels have keys and values that Kubernetes takes, and none that only the control plane may set on new nodes."""
    created = spec.cloud.provider in built_clouds()
    for key, value in pool.labels.items():
        path = ("labels", key)
        prefix = key.rpartition("/")[0]
        if not label_forms.is_key(key):
            yield Problem(path, f"{quoted(key)} is not a valid label key.", _KEY_HINT)
        elif created and prefix.endswith(("kubernetes.io", "k8s.io")) and not prefix.endswith(_OWN_PREFIXES):
            hint = f"Use a domain of your own, or one of {listed(_OWN_PREFIXES)}."
            yield Problem(path, f"A kubelet may not set a label under {prefix} on its node.", hint)
        if not label_forms.is_value(value):
            hint = "Use up to 63 letters, digits, '-', '_' and '.', beginning and ending with a letter or digit."
            yield Problem(path, f"{quoted(value)} is not a valid label value.", hint)


@pool_rule("SPEC-088")
def taints_are_taints(pool: NodePoolSpec, _: Spec) -> Iterator[Problem]:
    """Taints have keys and values that Kubernetes takes, and a key each effect once."""
    seen = set()
    for index, taint in enumerate(pool.taints):
        if not label_forms.is_key(taint.key):
            yield Problem(("taints", index, "key"), f"{quoted(taint.key)} is not a valid taint key.", _KEY_HINT)
        if not label_forms.is_value(taint.value):
            yield Problem(
                ("taints", index, "value"),
                f"{quoted(taint.value)} is not a valid taint value.",
                "The form is that of labels.",
            )
        if (taint.key, taint.effect) in seen:
            message = f"{quoted(taint.key)} has the effect {taint.effect} twice."
            yield Problem(("taints", index), message, "Kubernetes allows one value for a key and an effect.")
        seen.add((taint.key, taint.effect))
