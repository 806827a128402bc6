"""GPUs that several pods share."""

from __future__ import annotations

from typing import Any

import pytest
from tests.manifests import release
from tests.rulecases import Case, Program, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome

PATH = "values.config.map.default"


def shared(text: Any) -> Program:
    """NVIDIA's plugin with a configuration."""
    return release(values={"config": {"map": {"default": text}}})


def sliced(replicas: Any, way: str = "timeSlicing") -> str:
    """A configuration that shares every GPU."""
    return (
        f"version: v1\nsharing:\n  {way}:\n    resources:\n      - name: nvidia.com/gpu\n        replicas: {replicas}\n"
    )


OPERATOR = release("gpu-operator", values={"devicePlugin": {"config": {"data": {"a100": sliced(1, "mps")}}}})

CASES = [
    Case("k8s-gpu-sharing-replicas", Outcome.PASS, shared(sliced(2))),
    Case("k8s-gpu-sharing-replicas", Outcome.FAIL, shared(sliced(1)), path=PATH, says="2 or more"),
    Case("k8s-gpu-sharing-replicas", Outcome.FAIL, shared(sliced("many")), path=PATH, says="many"),
    Case(
        "k8s-gpu-sharing-replicas",
        Outcome.FAIL,
        shared(sliced(2).replace("name:", "nome:")),
        path=PATH,
        says="nvidia.com/gpu",
    ),
    Case("k8s-gpu-sharing-replicas", Outcome.FAIL, OPERATOR, path="values.devicePlugin.config.data.a100"),
    Case("k8s-gpu-sharing-replicas", Outcome.UNKNOWN, shared(UNKNOWN)),
    Case("k8s-gpu-sharing-replicas", Outcome.NOT_APPLICABLE, shared("version: v1")),
    Case("k8s-gpu-sharing-replicas", Outcome.NOT_APPLICABLE, shared("a: [")),
    Case("k8s-gpu-sharing-replicas", Outcome.NOT_APPLICABLE, release()),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_rule_on_sharing_says_what_the_plugin_would(case: Case) -> None:
    check(case)
