"""Containers of tasks are judged although their image is not known yet."""

from __future__ import annotations

import json

import pytest
from tests.programs import IT, graph_of

from penstock.app.judge import judge_policies
from penstock.graph.values import PartlyHidden
from penstock.rules.settings import Settings

IMAGE = f"{PartlyHidden.WORD}:v1"
STRICT = Settings.model_validate({"packs": ["regulated"]})


@pytest.mark.parametrize(
    ("rule", "container", "outcome"),
    [
        ("aws-container-not-privileged", {"name": "a", "image": IMAGE, "privileged": True}, "fail"),
        ("aws-container-not-privileged", {"image": IMAGE, "privileged": True}, "fail"),
        ("aws-container-not-privileged", {"name": "a", "image": IMAGE}, "pass"),
        ("aws-ecs-ro-rootfs", {"name": "a", "image": IMAGE}, "fail"),
        ("aws-image-no-latest", {"name": "a", "image": IMAGE}, "unknown"),
    ],
)
def test_a_container_is_judged_whatever_its_image_will_be(rule: str, container: object, outcome: str) -> None:
    written = PartlyHidden(json.dumps([container]))
    graph = graph_of({IT: ("aws:ecs/taskDefinition:TaskDefinition", {"containerDefinitions": written})})

    report = judge_policies(graph, STRICT)

    passed = not any(answer.rule.id == rule for found in ("fail", "unknown") for answer in report.of(found))
    assert passed if outcome == "pass" else any(answer.rule.id == rule for answer in report.of(outcome))
