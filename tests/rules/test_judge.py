"""Judging provider rules: levels, waivers, one finding for one misconfiguration, and rules that raise."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from tests.programs import Program, graph_of

from penstock.app.judge import judge_policies
from penstock.core.findings import Finding, Severity, Source
from penstock.graph.graph import STACK_TYPE
from penstock.rules import registry
from penstock.rules.judge import INTERNAL, Report, judge
from penstock.rules.levels import RuleKind
from penstock.rules.settings import Settings

TODAY = date(2026, 11, 22)
TEMPLATE = "aws:ec2/launchTemplate:LaunchTemplate"
ODD_VPC: Program = {"net": ("aws:ec2/vpc:Vpc", {"cidrBlock": "10.0.0.0/8"})}
WAIVER = {
    "rule": "aws-vpc-cidr-size",
    "urn": "*::net",
    "reason": "The table of Penstock is out of date.",
    "owner": "network",
    "expires": "2026-12-31",
}


def report(program: Program, *, today: date = TODAY, **settings: Any) -> Report:
    """The report of the provider rules on a program."""
    return judge(graph_of(program), Settings.model_validate(settings), RuleKind.PROVIDER, today=today)


def levels(found: Report) -> dict[str, Severity]:
    return {finding.code: finding.severity for finding in found.findings}


def test_what_a_provider_refuses_blocks() -> None:
    assert levels(report(ODD_VPC)) == {"aws-vpc-cidr-size": Severity.ERROR}


@pytest.mark.parametrize("name", ["aws-vpc-cidr-size", "provider"])
def test_a_provider_rule_can_be_lowered_by_its_id_or_with_all_others(name: str) -> None:
    assert levels(report(ODD_VPC, rules={name: "advisory"})) == {"aws-vpc-cidr-size": Severity.WARNING}
    assert levels(report(ODD_VPC, rules={name: "disabled"})) == {}


def test_what_lowers_policies_lowers_no_provider_rule() -> None:
    by_severity = dict.fromkeys(("critical", "high", "medium", "low"), "advisory")

    assert levels(report(ODD_VPC, enforcement=by_severity)) == {"aws-vpc-cidr-size": Severity.ERROR}


def test_a_provider_rule_can_be_waived_until_a_day() -> None:
    found = report(ODD_VPC, waivers=[WAIVER])

    assert found.findings == ()
    (waived,) = found.of("waived")
    assert waived.waiver is not None
    assert waived.waiver.owner == "network"


def test_a_waiver_that_has_expired_excuses_no_provider_rule() -> None:
    found = report(ODD_VPC, waivers=[WAIVER], today=date(2027, 1, 1))

    assert levels(found) == {"aws-vpc-cidr-size": Severity.ERROR, "POLICY-002": Severity.WARNING}


def test_a_waiver_of_a_provider_rule_is_judged_once() -> None:
    settings = Settings.model_validate({"packs": (), "waivers": [{**WAIVER, "urn": "*::other"}]})
    graph = graph_of(ODD_VPC)

    provider = judge(graph, settings, RuleKind.PROVIDER, today=TODAY)
    policies = judge_policies(graph, settings, today=TODAY, beside=provider)

    assert [each.code for each in (*provider.findings, *policies.findings)].count("POLICY-003") == 1


def interfaces(count: int) -> Program:
    """A launch template of which every interface has the same mistake."""
    each = {"interfaceType": "efa", "associatePublicIpAddress": "true"}
    listed = [{**each, "networkCardIndex": card, "deviceIndex": min(card, 1)} for card in range(count)]
    return {"train": (TEMPLATE, {"instanceType": "p5.48xlarge", "networkInterfaces": listed})}


def of_public_addresses(findings: tuple[Finding, ...]) -> list[Finding]:
    return [finding for finding in findings if "associatePublicIpAddress" in (finding.path or "")]


def test_32_interfaces_with_one_mistake_are_one_finding_with_32_places() -> None:
    (finding,) = of_public_addresses(report(interfaces(32)).findings)

    assert len(finding.places) == 32
    assert finding.path == finding.places[0]
    assert finding.places[31] == "networkInterfaces[31].associatePublicIpAddress"
    assert finding.message.endswith("(and at 31 more places)")


GROUP = "aws:ec2/securityGroup:SecurityGroup"


def world_open(*rules: tuple[str, int, str]) -> list[Finding]:
    """What policies find wrong with a group whose rules let address ranges reach a port by a protocol."""
    ingress = [
        {"protocol": protocol, "fromPort": port, "toPort": port, "cidrBlocks": [source], "description": "d"}
        for protocol, port, source in rules
    ]
    program: Program = {"s": (GROUP, {"vpcId": "vpc-1", "description": "d", "ingress": ingress, "egress": []})}
    settings = Settings.model_validate({"packs": ("baseline",)})
    found = judge_policies(graph_of(program), settings, today=TODAY).findings
    return [finding for finding in found if "whole internet" in finding.message]


def test_32_openings_that_differ_in_their_port_only_are_one_finding_with_32_places() -> None:
    (finding,) = world_open(*(("tcp", 20 + each, "0.0.0.0/0") for each in range(32)))

    assert len(finding.places) == 32
    assert "TCP 20 " in finding.message
    assert finding.message.endswith("(and at 31 more places)")


def test_openings_that_differ_in_more_than_numbers_stay_findings_of_their_own() -> None:
    found = world_open(("tcp", 22, "0.0.0.0/0"), ("udp", 22, "0.0.0.0/0"), ("tcp", 22, "0.0.0.0/1"))

    assert len(found) == 3


def test_names_and_addresses_that_differ_in_a_digit_are_different_misconfigurations() -> None:
    types = ("p5.48xlarge", "p4.24xlarge")
    group: Program = {"g": ("aws:eks/nodeGroup:NodeGroup", {"instanceTypes": list(types)})}
    parameters = {"allowed_machine_types": ["g6.xlarge"]}
    settings = Settings.model_validate({"packs": ("cost",), "parameters": parameters})

    found = judge_policies(graph_of(group), settings, today=TODAY).findings
    messages = [finding.message for finding in found if finding.code == "cost-instance-allowlist"]

    assert len(messages) == 2
    assert all(name in "".join(messages) for name in types)


@pytest.mark.parametrize(
    ("rules", "codes"),
    [
        ({}, ["cost-max-gpus-eks"]),
        ({"cost-max-gpus-eks": "disabled"}, ["cost-max-gpus-asg", "cost-max-gpus-asg"]),
    ],
)
def test_accelerators_beyond_the_limit_are_reported_once(rules: dict[str, str], codes: list[str]) -> None:
    types = {"launchTemplate": {"overrides": [{"instanceType": "p5.48xlarge"}]}}
    group = {"minSize": 0, "maxSize": 5, "mixedInstancesPolicy": types, "vpcZoneIdentifiers": ["subnet-1"]}
    groups: Program = dict.fromkeys(("a", "b"), ("aws:autoscaling/group:Group", group))
    settings = {"packs": ("cost",), "rules": rules, "parameters": {"max_accelerators": 32}}

    found = judge_policies(graph_of(groups), Settings.model_validate(settings), today=TODAY).findings

    assert [finding.code for finding in found if "max-gpus" in finding.code] == codes


def test_an_address_on_an_efa_only_interface_is_reported_by_one_rule() -> None:
    program = interfaces(32)
    for card in program["train"][1]["networkInterfaces"][1:]:
        card["interfaceType"] = "efa-only"

    found = of_public_addresses(report(program).findings)

    assert {finding.code: len(finding.places) for finding in found} == {
        "aws-efa-only-no-address": 31,
        "aws-lt-public-ip-single-interface": 0,
    }


def test_one_misconfiguration_is_reported_by_one_of_provider_rule_and_policy() -> None:
    graph = graph_of(interfaces(32))
    settings = Settings.model_validate({"packs": ("baseline",)})

    provider = judge(graph, settings, RuleKind.PROVIDER, today=TODAY)
    policies = judge_policies(graph, settings, today=TODAY, beside=provider)

    assert len(of_public_addresses((*provider.findings, *policies.findings))) == 1
    assert [each.rule.id for each in policies.of("covered")] == ["aws-lt-no-public-ip"]
    assert of_public_addresses(judge_policies(graph, settings, today=TODAY).findings)


def test_a_rule_that_raises_is_a_finding_with_its_id_and_its_resource(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise LookupError("hunter2")

    (broken,) = [rule for rule in registry.provider_rules("aws") if rule.id == "aws-vpc-cidr-size"]
    monkeypatch.setattr(type(broken.check), "judge", fails)

    (finding, *_) = [each for each in report(ODD_VPC).findings if "aws-vpc-cidr-size" in each.message]

    assert (finding.code, finding.severity, finding.source) == (INTERNAL, Severity.ERROR, Source.CLOUD)
    assert finding.urn is not None
    assert finding.urn.endswith("::net")
    assert "hunter2" not in f"{finding.message} {finding.hint}"
    assert "LookupError at test_judge.py" in finding.message


def test_what_a_program_only_looks_up_is_judged_by_no_rule() -> None:
    graph = graph_of(ODD_VPC)
    looked_up = replace(graph, resources={urn: replace(each, external=True) for urn, each in graph.resources.items()})

    assert judge(looked_up, Settings(), RuleKind.PROVIDER, today=TODAY).findings == ()


@pytest.mark.parametrize(
    ("day", "codes"),
    [
        (date(2026, 3, 1), set()),
        (date(2026, 11, 22), {"aws-eks-version-standard-support"}),
        (date(2027, 3, 24), {"aws-eks-version-offered"}),
    ],
)
def test_dates_of_a_provider_are_compared_with_today(day: date, codes: set[str]) -> None:
    cluster: Program = {"it": ("aws:eks/cluster:Cluster", {"name": "training", "version": "1.32"})}

    found = {finding.code for finding in report(cluster, today=day).findings if finding.path == "version"}

    assert found == codes


def test_a_provider_is_judged_by_the_rules_of_its_own_package() -> None:
    found = registry.rules_on("pulumi:providers:gcp", RuleKind.PROVIDER)

    assert "gcp-location-known" in {rule.id for rule in found}


def test_the_policies_on_the_clouds_of_a_program_are_all_that_judge_it() -> None:
    types = sorted({type_ for rule in registry.policies() for type_ in rule.on} - {STACK_TYPE})
    of_all = {type_: registry.rules_on(type_, RuleKind.POLICY) for type_ in types}

    for type_, rules in of_all.items():
        assert registry.rules_on(type_, RuleKind.POLICY, frozenset(("random",))) == rules


def test_a_program_without_a_cloud_is_judged_by_what_is_of_no_provider() -> None:
    found = {rule.id for rule in registry.policies(())}

    assert {"pulumi-no-plaintext-outputs", "res-protect-stateful"} <= found
    assert not [id_ for id_ in found if id_.startswith(("aws-", "azure-", "gcp-"))]
