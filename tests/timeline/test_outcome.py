"""What a run with faults leaves behind."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.graphs import CLUSTER, SUBNET, VPC, graph_of, graphs, resource

from penstock.catalog import faults as catalogue
from penstock.catalog import latencies
from penstock.graph.graph import Graph
from penstock.timeline.faults import met_by, parse_faults
from penstock.timeline.needs import waits
from penstock.timeline.outcome import FaultOutcome, play
from penstock.timeline.timeline import schedule

SECONDS = {type_: latencies.latency_of(type_).median_s for type_ in (VPC, SUBNET, CLUSTER)}

# The network is there after 17 s; its subnet 4 s later; the cluster, which needs neither, long after both.
NETWORK = resource(VPC, "network")
PART = resource(SUBNET, "part", using={"vpcId": [NETWORK]})
MAIN = resource(CLUSTER, "main")
LATE = resource(VPC, "late", after=[MAIN])
GRAPH = graph_of(NETWORK, PART, MAIN, LATE)


def names(urns: object) -> list[str]:
    return [str(urn).rsplit("::", 1)[-1] for urn in urns]  # type: ignore[attr-defined]


def played(*rules: str, graph: Graph = GRAPH) -> FaultOutcome:
    return play(graph, parse_faults(rules))


def test_after_a_failure_what_is_under_way_ends_and_nothing_more_is_started() -> None:
    outcome = played("denied:part")

    assert names(outcome.failed) == ["part"]
    assert names(outcome.created) == ["network", "main"]
    assert names(outcome.not_started) == ["late"]
    assert outcome.ended_s == SECONDS[CLUSTER]


def test_what_depends_on_a_failure_is_not_started() -> None:
    outcome = played("denied:network")

    assert names(outcome.not_started) == ["part", "late"]


def test_a_crash_leaves_open_what_was_under_way() -> None:
    outcome = played("crash:main")

    assert names(outcome.in_flight) == ["main"]
    assert names(outcome.created) == ["network", "part"]
    assert outcome.ended_s == SECONDS[CLUSTER] / 2
    assert "pulumi refresh" in outcome.second_run[MAIN.urn]


def test_a_look_up_that_a_crash_cuts_short_leaves_nothing_open() -> None:
    looked_up = resource(CLUSTER, "there", external=True)
    outcome = played("crash:quick", graph=graph_of(looked_up, resource("aws:s3/bucket:Bucket", "quick")))

    assert names(outcome.in_flight) == ["quick"]


def test_throttling_delays_and_fails_nothing() -> None:
    outcome = played("throttling:main")

    assert len(outcome.created) == len(GRAPH)
    assert names(outcome.delayed) == ["main"]
    assert outcome.lost_s > 0
    assert not outcome.second_run
    assert not outcome.findings()


def test_what_failed_and_what_was_cut_short_are_findings_that_block() -> None:
    outcome = played("denied:part", "crash:main")

    assert [(finding.code, finding.blocks) for finding in outcome.findings()] == [
        ("FAULT-002", True),
        ("FAULT-003", True),
    ]


def test_the_time_lost_is_that_of_both_runs_beyond_one() -> None:
    undisturbed = schedule(GRAPH).makespan_s
    outcome = played("crash:late")

    assert outcome.ended_s == SECONDS[CLUSTER] + SECONDS[VPC] / 2
    assert outcome.lost_s == pytest.approx(outcome.ended_s + SECONDS[VPC] - undisturbed)


def test_the_rules_of_an_outcome_play_it_again() -> None:
    outcome = played("seed=7")

    assert played(*outcome.rules) == outcome


@st.composite
def faulty(draw: st.DrawFn) -> tuple[Graph, list[str]]:
    graph = draw(graphs())
    could = [
        f"{kind}:{each.urn}"
        for kind in catalogue.fault_kinds()
        for each in graph
        if met_by(each, graph, kind) is not None
    ]
    return graph, draw(st.lists(st.sampled_from(could), max_size=4)) if could else []


@given(faulty(), st.integers(1, 5))
def test_every_resource_meets_one_fate_and_nothing_stands_on_what_failed(
    case: tuple[Graph, list[str]], parallel: int
) -> None:
    graph, rules = case
    outcome = play(graph, parse_faults(rules), parallel=parallel)
    created, failed = set(outcome.created), set(outcome.failed)
    fates = [*outcome.created, *outcome.failed, *outcome.not_started, *outcome.in_flight]

    assert sorted(fates) == sorted(graph.resources)
    assert outcome.second_run.keys() == graph.resources.keys() - created
    for urn, needs in waits(graph).items():
        if urn in created | failed | outcome.in_flight.keys():
            assert needs <= created
    assert outcome.lost_s >= -1e-6 or parallel < len(graph)


@given(graphs(), st.integers(1, 5))
def test_without_faults_everything_stands_and_nothing_is_lost(graph: Graph, parallel: int) -> None:
    outcome = play(graph, parse_faults([]), parallel=parallel)

    assert set(outcome.created) == set(graph.resources)
    assert outcome.lost_s == 0
    assert outcome.ended_s == schedule(graph, parallel=parallel).makespan_s
