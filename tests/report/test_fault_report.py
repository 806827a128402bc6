"""What a person and a machine read of a rehearsal with faults."""

from __future__ import annotations

from tests.graphs import CLUSTER, VPC, graph_of, resource

from penstock.report import faults
from penstock.timeline.faults import parse_faults
from penstock.timeline.outcome import FaultOutcome, play

MAIN = resource(CLUSTER, "main")
GRAPH = graph_of(resource(VPC, "network"), MAIN, resource(VPC, "late", after=[MAIN]))


def outcome(*rules: str) -> FaultOutcome:
    return play(GRAPH, parse_faults(rules))


def test_a_failed_run_is_reported_with_what_is_left_to_do() -> None:
    text = " ".join(faults.lines(outcome("denied:main")))

    assert "1 created, 1 failed, 1 not started" in text
    assert "2 resources left to create" in text


def test_a_run_that_was_only_slowed_down_needs_no_second_one() -> None:
    text = " ".join(faults.lines(outcome("throttling:main")))

    assert "No second run is needed" in text
    assert "failed" not in text
    assert "The provider retried 1 resource." in text


def test_machines_read_the_fate_of_each_resource() -> None:
    document = faults.document(outcome("crash:main"))
    fates = {each["urn"].rsplit("::", 1)[-1]: each for each in document["resources"]}

    assert {name: each["outcome"] for name, each in fates.items()} == {
        "network": "stands",
        "main": "in_flight",
        "late": "not_started",
    }
    assert fates["main"]["kind"] == "crash"
    assert "refresh" in fates["main"]["second_run"]
    assert fates["network"]["second_run"] is None
    assert document["rules"] == [f"crash:{MAIN.urn}"]
