"""Remedies change what they must, where a person has asked for it; and a bug of a rule stops nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from unittest.mock import Mock

import pytest
from google.protobuf.struct_pb2 import Struct
from pulumi.runtime.proto import analyzer_pb2 as rpc
from tests.pack import engine
from tests.pack.engine import Engine
from tests.programs import graph_of

from penstock.graph.graph import Graph
from penstock.graph.values import UNKNOWN, Secret
from penstock.graph.verdict import Verdict
from penstock.graph.view import View
from penstock.pack.servicer import Pack
from penstock.rules import registry
from penstock.rules.checks import Is
from penstock.rules.levels import CRITICAL, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings
from penstock.simulate.wire import from_wire

TYPE = "aws:ebs/volume:Volume"
RULES = RuleSet(Category.AT_REST)


def encrypted(inputs: Mapping[str, Any], settings: Settings) -> dict[str, Any]:  # noqa: ARG001 - as remedies are
    return {**inputs, "encrypted": True}


def broken(inputs: Mapping[str, Any], settings: Settings) -> dict[str, Any]:
    raise LookupError(inputs["tags"], settings)


for id_, remedy in (("fixed", encrypted), ("not-fixed", broken), ("left-alone", None)):
    RULES.row(
        id_,
        "A volume is encrypted.",
        on=(TYPE, "aws:s3/bucket:Bucket"),
        check=Is("encrypted", value=True),
        severity=CRITICAL,
        rationale="So.",
        fix="Mend it.",
        remedy=remedy,
    )


@RULES.rule(on="aws:efs/fileSystem:FileSystem", severity=CRITICAL, rationale="So.", fix="Mend it.")
def failing(it: View, settings: Settings) -> Verdict:  # noqa: ARG001 - as rules are
    """A rule of ours has a bug."""
    raise LookupError(it.urn)


@pytest.fixture
def pack(monkeypatch: pytest.MonkeyPatch) -> Engine:
    """The pack in this process, with these rules alone."""
    found = tuple(RULES)
    monkeypatch.setattr(registry, "rules_of", lambda _: found)
    monkeypatch.setattr(registry, "rules_on", lambda type_, *_: tuple(rule for rule in found if type_ in rule.on))
    served, asked = Pack({}), Mock()
    for name in ("ConfigureStack", "GetAnalyzerInfo", "Configure", "Analyze", "AnalyzeStack", "Remediate"):
        setattr(asked, name, lambda request, name=name: getattr(served, name)(request, Mock()))
    running = Engine(asked)
    running.stack(packs=["baseline"])
    return running


def volume(**inputs: Any) -> Graph:
    return graph_of({"it": (TYPE, inputs)})


def remedies(pack: Engine, graph: Graph) -> list[rpc.Remediation]:
    (it,) = graph
    return list(pack.pack.Remediate(engine.request(it, graph)).remediations)


def test_nothing_is_changed_unless_a_person_asks_for_it(pack: Engine) -> None:
    pack.configure(all="mandatory")

    assert remedies(pack, volume()) == []


def test_a_remedy_changes_what_it_must_and_nothing_else(pack: Engine) -> None:
    pack.configure(fixed="remediate", left_alone="remediate")
    inputs = {"size": 10, "kmsKeyId": UNKNOWN, "tags": Secret({"token": "hunter2"})}

    (remedy,) = remedies(pack, volume(**inputs))

    assert remedy.policyName == "fixed"
    assert from_wire(remedy.properties) == {**inputs, "encrypted": True}


@pytest.mark.parametrize("given", [{"all": "remediate"}, {"encryption_at_rest": "remediate"}], ids=str)
def test_remedies_can_be_asked_for_together(pack: Engine, given: dict[str, Any]) -> None:
    pack.configure(**given)

    assert [each.policyName for each in remedies(pack, volume())] == ["fixed"]  # no other finds anything wrong then


def test_a_remedy_that_fails_is_reported_and_stops_nothing(pack: Engine) -> None:
    pack.configure(not_fixed="remediate")

    (reported,) = remedies(pack, volume(tags="hunter2"))

    assert reported.diagnostic == "the remediation failed: LookupError"
    assert not reported.properties.fields


def test_what_is_right_or_unknown_or_waived_is_left_alone(pack: Engine) -> None:
    pack.configure(fixed="remediate")
    assert remedies(pack, volume(encrypted=True)) == []
    assert remedies(pack, volume(encrypted=UNKNOWN)) == []

    waiver = {"rule": "fixed", "urn": "*", "reason": "scratch", "owner": "me", "expires": "2999-12-31"}
    pack.configure(fixed="remediate", penstock={"waivers": [waiver]})
    assert remedies(pack, volume()) == []


def test_what_goes_by_a_former_name_is_left_alone(pack: Engine) -> None:
    """Its properties have other names, too."""
    pack.configure(fixed="remediate")

    assert remedies(pack, graph_of({"it": ("aws:s3/bucketV2:BucketV2", {})})) == []
    assert remedies(pack, graph_of({"it": ("aws:s3/bucket:Bucket", {})})) != []


def test_what_is_still_broken_after_its_remedy_blocks(pack: Engine) -> None:
    pack.configure(all="advisory", fixed="remediate", not_fixed="remediate")

    reported = {each.policyName: each.enforcementLevel for each in pack.registered(volume())}

    assert reported == {"fixed": rpc.MANDATORY, "not-fixed": rpc.MANDATORY, "left-alone": rpc.ADVISORY}
    pack.configure(all="remediate", fixed="advisory")
    assert [each.policyName for each in remedies(pack, volume(tags={}))] == ["not-fixed"]


def test_a_rule_that_raises_is_reported_with_its_id_and_stops_nothing(pack: Engine) -> None:
    graph = graph_of({"it": ("aws:efs/fileSystem:FileSystem", {})})

    (found,) = pack.registered(graph)

    assert found.policyName == "failing"
    assert "rule failing raised LookupError at test_remedies.py" in found.message
    assert pack.finished(graph) == []


def test_a_bug_of_the_pack_itself_is_reported_and_stops_nothing(pack: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("penstock.pack.records.site", Mock(side_effect=LookupError("hunter2")))

    (reported,) = pack.registered(volume())

    assert reported.message == "this was not judged, for the pack itself failed: LookupError"
    assert reported.enforcementLevel == rpc.ADVISORY


def test_properties_of_a_form_that_nobody_knows_are_unknown(pack: Engine) -> None:
    odd = Struct()
    odd.update({"encrypted": {"4dabf18193072939515e22adb298388d": "5cf8f73096256a8f31e491e813e4eb8e"}})

    assert not pack.pack.Analyze(rpc.AnalyzeRequest(type=TYPE, urn="urn:pulumi:s::p::t::n", properties=odd)).diagnostics
