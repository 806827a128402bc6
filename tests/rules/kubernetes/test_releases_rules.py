"""Helm releases: what Helm refuses."""

from __future__ import annotations

import pytest
from tests.manifests import pod, release
from tests.rulecases import Case, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome

OCI = "oci://registry.k8s.io/kueue/charts/kueue"
NO_REPOSITORY = {"repositoryOpts": None}

CASES = [
    Case("k8s-helm-chart-source", Outcome.PASS, release()),
    Case("k8s-helm-chart-source", Outcome.PASS, release(OCI, name="kueue", **NO_REPOSITORY)),
    Case("k8s-helm-chart-source", Outcome.FAIL, release(OCI, name="kueue"), path="repositoryOpts.repo", says="out"),
    Case("k8s-helm-chart-source", Outcome.FAIL, release(""), path="chart"),
    Case("k8s-helm-chart-source", Outcome.UNKNOWN, release(chart=UNKNOWN)),
    Case("k8s-helm-chart-source", Outcome.NOT_APPLICABLE, pod()),
    Case("k8s-helm-chart-repository", Outcome.PASS, release()),
    Case(
        "k8s-helm-chart-repository",
        Outcome.FAIL,
        release(**NO_REPOSITORY),
        path="repositoryOpts",
        says="repository_opts",
    ),
    Case(
        "k8s-helm-chart-repository",
        Outcome.FAIL,
        release("bitnami/redis", name="redis", **NO_REPOSITORY),
        path="repositoryOpts",
    ),
    Case("k8s-helm-chart-repository", Outcome.UNKNOWN, release(repositoryOpts=UNKNOWN)),
    Case("k8s-helm-chart-repository", Outcome.NOT_APPLICABLE, release("./charts/own", **NO_REPOSITORY)),
    Case("k8s-helm-chart-repository", Outcome.NOT_APPLICABLE, release(OCI, **NO_REPOSITORY)),
    Case("k8s-helm-release-name-valid", Outcome.PASS, release(name=None)),
    Case("k8s-helm-release-name-valid", Outcome.PASS, release(name="n" * 53)),
    Case("k8s-helm-release-name-valid", Outcome.FAIL, release(name="n" * 54), path="name", says="53"),
    Case("k8s-helm-release-name-valid", Outcome.FAIL, release(name="My_Release"), path="name"),
    Case("k8s-helm-release-name-valid", Outcome.UNKNOWN, release(name=UNKNOWN)),
    Case("k8s-helm-release-name-valid", Outcome.NOT_APPLICABLE, pod()),
    *(
        Case("k8s-helm-version-valid", Outcome.PASS, release(version=version))
        for version in (
            "v0.5.30",
            "1.2.3-rc.1+build",
            "^1.2",
            "1.x",
            ">= 1.2, < 2.0.0",
            "1.2 - 1.4",
            "~1.2 || 2.*",
            "88",
        )
    ),
    *(
        Case("k8s-helm-version-valid", Outcome.FAIL, release(version=version), path="version", says=version)
        for version in ("latest", "1.2.3.4", "version 1")
    ),
    Case("k8s-helm-version-valid", Outcome.UNKNOWN, release(version=UNKNOWN)),
    Case("k8s-helm-version-valid", Outcome.NOT_APPLICABLE, release()),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_rule_on_releases_says_what_helm_would(case: Case) -> None:
    check(case)
