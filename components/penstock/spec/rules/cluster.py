"""Rules on the cluster: its version, who administers it, and what an adopted one needs."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.catalog import kubernetes_versions
from penstock.spec.platform import Spec
from penstock.spec.problems import Problem
from penstock.spec.rules import known
from penstock.spec.rules.rule import CLOUDS, rule
from penstock.wording import listed


@rule("SPEC-050", reads=("cluster",), provider=CLOUDS)
def version_is_offered(spec: Spec) -> Iterator[Problem]:
    """The Kubernetes version is one that the cloud offers."""
    versions = kubernetes_versions.supported_versions(spec.cloud.provider, known.today())
    if spec.cluster.version is not None and spec.cluster.version not in versions:
        message = f"{known.offer(spec).kubernetes} does not offer Kubernetes {spec.cluster.version}."
        yield Problem(("cluster", "version"), message, f"Offered: {listed(versions)}.")
