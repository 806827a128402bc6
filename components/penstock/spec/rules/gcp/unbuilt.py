"""Rules on what is not built yet, for Google Cloud alone."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.spec.cloud import UNBUILT_CODE
from penstock.spec.platform import Spec
from penstock.spec.problems import Problem
from penstock.spec.rules.rule import rule
from penstock.spec.rules.unbuilt import not_yet


@rule(UNBUILT_CODE, reads=("cluster",), provider="gcp")
def adoption_is_built(spec: Spec) -> Iterator[Problem]:
    """An existing cluster is taken over only where Penstock can."""
    if spec.cluster.existing is not None:
        yield not_yet(("cluster", "existing"), "Adopting a cluster of Google Cloud", ())


@rule(UNBUILT_CODE, reads=("addons",), provider="gcp")
def gates_are_built(spec: Spec) -> Iterator[Problem]:
    """New nodes are not kept from work until they are tested: GKE keeps a pool's taints on its nodes."""
    if spec.addons.health is not None and spec.addons.health.gate:
        yield not_yet(("addons", "health", "gate"), "A health gate on Google Cloud", ())
