"""An audit of a stack as it stands says of it what a rehearsal of its program said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.environments import rehearsed
from tests.simulate.test_exported_state import exported

from penstock.app.audit import audit
from penstock.app.judge import judge_policies
from penstock.rules import registry
from penstock.rules.judge import Report
from penstock.rules.levels import Enforcement

STACKS = Path(__file__).parents[2] / "stacks"


def said(report: Report) -> set[tuple[str, str, str]]:
    return {(answer.rule.id, answer.resource.urn, answer.outcome) for answer in report.answers}


@pytest.mark.parametrize("environment", ["aws-dev", "gcp-serve"])
def test_what_stands_is_judged_as_what_was_rehearsed(environment: str, tmp_path: Path) -> None:
    graph = rehearsed(environment).graph
    export, config = tmp_path / "export.json", tmp_path / "Pulumi.any.yaml"
    export.write_text(json.dumps(exported(graph, sealed=True)))
    every = {rule.id: Enforcement.ADVISORY.value for rule in registry.policies()}
    config.write_text(json.dumps({"config": {"penstock:policies": {"environment": "prod", "rules": every}}}))

    reported = audit(export, config)

    assert reported.policies is not None
    assert said(reported.policies) == said(judge_policies(graph, reported.policies.settings))
    assert not [finding for finding in reported.findings if finding.code.startswith("STATE-")]
