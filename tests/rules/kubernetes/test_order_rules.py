"""Objects that must be in a cluster first: versions, namespaces and definitions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.manifests import namespace
from tests.programs import Program, graph_of

from penstock.kubernetes.facts.charts import RELEASE
from penstock.rules.judge import judge
from penstock.rules.levels import RuleKind
from penstock.rules.settings import Settings


def release_in(there: Any) -> Program:
    """A Helm release in a namespace."""
    return {
        "it": (RELEASE, {"name": "it", "chart": "it", "namespace": there, "repositoryOpts": {"repo": "https://charts"}})
    }


@pytest.mark.parametrize(("from_one_file", "codes"), [(True, set()), (False, {"k8s-namespace-created-first"})])
def test_what_stands_in_one_manifest_with_its_namespace_is_left_to_the_sdk(
    from_one_file: bool, codes: set[str]
) -> None:
    graph = graph_of({**namespace(), **release_in("team"), "file": ("kubernetes:yaml:ConfigFile", {})})
    (file,) = graph.of_type("kubernetes:yaml:ConfigFile")
    inside = {urn: replace(one, parent=file.urn) for urn, one in graph.resources.items() if from_one_file}
    whole = replace(graph, resources={**graph.resources, **inside, file.urn: replace(file, custom=False)})

    assert {finding.code for finding in judge(whole, Settings(), RuleKind.PROVIDER).findings} == codes
