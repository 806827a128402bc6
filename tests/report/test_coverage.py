"""A report says what nobody looked at."""

from __future__ import annotations

from pathlib import Path

import pulumi_aws as aws
import pulumi_kubernetes as k8s
import pulumi_random as random

from penstock.app.judge import judge_policies
from penstock.report.coverage import Coverage, coverage_of, document, lines
from penstock.rules.settings import Settings
from penstock.simulate.run import rehearse


def program() -> None:
    aws.ec2.Vpc("v", cidr_block="10.0.0.0/16")
    random.RandomPet("a")
    random.RandomPet("b")
    aws.ec2.get_subnet(id="subnet-0123456789abcdef0")
    aws.get_region()


def coverage(folder: Path) -> Coverage:
    run = rehearse(program, config={"aws:region": "us-east-1"})
    return coverage_of(
        run.graph,
        judgement=run.judgement,
        policies=judge_policies(run.graph, Settings(), beside=run.judgement),
        findings=run.findings,
        folder=folder,
    )


def test_what_no_rule_applies_to_is_counted_by_type(tmp_path: Path) -> None:
    found = coverage(tmp_path)

    assert found.resources == 3
    assert found.without_rule == {"random:index/randomPet:RandomPet": 2}
    assert "No provider rule applies to 2 × random:index/randomPet:RandomPet." in list(lines(found))


def test_look_ups_with_invented_results_are_counted(tmp_path: Path) -> None:
    """The region is the one that is configured."""
    assert coverage(tmp_path).lookups == {"aws:ec2/getSubnet:getSubnet": 1}


def test_policy_packs_of_a_project_are_named(tmp_path: Path) -> None:
    (tmp_path / "guards").mkdir()
    (tmp_path / "guards" / "PulumiPolicy.yaml").write_text("runtime: python\n")

    found = coverage(tmp_path)

    assert document(found)["policy_packs_not_run"] == ["guards"]
    assert "Not run: policy pack guards." in list(lines(found))


def operators() -> None:
    for name in ("a", "b"):
        k8s.apiextensions.CustomResource(name, api_version="example.com/v1", kind="Widget", spec={"size": 1})
    k8s.apiextensions.CustomResource(
        "c",
        api_version="example.com/v1",
        kind="Gadget",
        spec={"podTemplate": {"spec": {"containers": [{"name": "a", "image": "b:1"}]}}},
    )


def test_custom_kinds_whose_pods_no_rule_reads_are_not_judged(tmp_path: Path) -> None:
    run = rehearse(operators)
    policies = judge_policies(run.graph, Settings(), beside=run.judgement)

    found = coverage_of(run.graph, judgement=run.judgement, policies=policies, folder=tmp_path)

    assert found.unread == {"kubernetes:example.com/v1:Widget": 2}
    assert (found.without_policy or {})["kubernetes:example.com/v1:Widget"] == 2
    assert "Custom kinds whose pods no rule reads: 2 × kubernetes:example.com/v1:Widget." in list(lines(found))
    assert document(found)["unread_kinds"] == found.unread
