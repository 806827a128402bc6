"""Rules on what is not built yet, for Google Cloud alone."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.description.platform import Spec
from penstock.description.problems import Problem
from penstock.description.rules.rule import rule
from penstock.description.rules.unbuilt import UNBUILT_CODE, not_yet


@rule(UNBUILT_CODE, reads=("cluster",), provider="gcp")
def adoption_is_built(spec: Spec) -> Iterator[Problem]:
    """An existing cluster is taken over only where Penstock can."""
    if spec.cluster.existing is not None:
        yield not_yet(("cluster", "existing"), "Adopting a cluster of Google Cloud", ())
