"""An assessment with something of every kind, for the forms of a report."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from tests.graphs import graph_of, resource

from penstock.app.judge import judge_policies
from penstock.core.findings import Finding, Severity, Source
from penstock.graph.graph import SourceLocation
from penstock.graph.values import UNKNOWN
from penstock.graph.verdict import UNKNOWN as UNDETERMINED
from penstock.report.assessment import Assessment, Home
from penstock.rules import registry
from penstock.rules.judge import Answer, Report, judge
from penstock.rules.levels import Category, RuleKind
from penstock.rules.settings import Settings

VOLUME = "aws:ebs/volume:Volume"
TEXTS = st.text(st.characters(exclude_categories=()))
"""Any text that JSON can bring: halves of characters, too, which no file can hold."""

REASON = "scratch | for @ml-team, see #12"


def report(**settings: Any) -> Report:
    """What policies say of four volumes: one breaks a rule, one is excused, one cannot be reported, one is right."""
    flags = {"plain": False, "excused": False, "doubtful": UNKNOWN, "right": True}
    volumes = [
        replace(resource(VOLUME, name, inputs={"encrypted": flag}), place=SourceLocation("storage.py", 7))
        for name, flag in flags.items()
    ]
    waiver = {
        "rule": "aws-ebs-encrypted",
        "urn": "*::excused",
        "reason": REASON,
        "owner": "ml",
        "expires": "2027-01-31",
    }
    asked = {"packs": (), "rules": {"aws-ebs-encrypted": "mandatory"}, "waivers": (waiver,), **settings}
    return judge_policies(graph_of(*volumes), Settings.model_validate(asked), today=date(2026, 11, 21))


def provider_report(**settings: Any) -> Report:
    """What provider rules say of a network that is too large; a waiver excuses it."""
    network = resource("aws:ec2/vpc:Vpc", "net", inputs={"cidrBlock": "10.0.0.0/8"})
    waiver = {
        "rule": "aws-vpc-cidr-size",
        "urn": "*::net",
        "reason": "The table is out of date.",
        "owner": "network",
        "expires": "2027-01-31",
    }
    found = Settings.model_validate({"waivers": (waiver,), **settings})
    return judge(graph_of(network), found, RuleKind.PROVIDER, today=date(2026, 11, 21))


def assessment(*, folder: Path | None = None, **settings: Any) -> Assessment:
    """A whole one: a policy that blocks, a cloud rule that advises, and a budget that is overrun."""
    policies = report(**settings)
    home = Home(folder / "Pulumi.dev.yaml", folder) if folder else None
    (rule,) = [rule for rule in registry.provider_rules("aws") if rule.id == "aws-ebs-size-range"]
    undetermined = Answer(rule, resource(VOLUME, "doubtful"), UNDETERMINED)
    counts = Counter({(Category.PROVIDER, "pass"): 5, (Category.PROVIDER, "unknown"): 1})
    judgement = Report(Settings(), (undetermined,), counts, ())
    return Assessment(
        environment="dev",
        cloud="aws",
        findings=(CLOUD, BUDGET, *policies.findings),
        judgement=judgement,
        policies=policies,
        home=home,
    )


CLOUD = Finding(
    code="aws-vpc-cidr-size",
    severity=Severity.WARNING,
    source=Source.CLOUD,
    message="10 is no range of addresses",
    hint="write it as 10.0.0.0/16",
    urn="urn:pulumi:s::p::aws:ec2/vpc:Vpc::net",
    path="cidrBlock",
    file="network.py",
    line=3,
)
BUDGET = Finding(
    code="BUDGET-001", severity=Severity.WARNING, source=Source.BUDGET, message="it costs more than allowed"
)
