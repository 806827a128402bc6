"""Fault rules: what they mean, and what is wrong with those that mean nothing."""

from __future__ import annotations

import pytest
from tests.graphs import CLUSTER, VPC, graph_of, resource

from penstock.catalog import faults as catalogue
from penstock.core.errors import UnusableFaults
from penstock.graph.graph import Options, Timeouts
from penstock.timeline.faults import met_by, parse_faults

NODE_GROUP = "aws:eks/nodeGroup:NodeGroup"

SUBNETS = [
    resource("aws:ec2/subnet:Subnet", f"s{zone}", inputs={"availabilityZone": f"us-east-1{zone}"}) for zone in "ab"
]
TRAIN = resource(
    NODE_GROUP,
    "p-train",
    using={"subnetIds": SUBNETS[:1]},
    inputs={"instanceTypes": ["p5.48xlarge"], "scalingConfig": {"desiredSize": 2}},
)
EMPTY = resource(NODE_GROUP, "p-batch", inputs={"scalingConfig": {"desiredSize": 0}})
NETWORK = resource(VPC, "p[1]")
CLUSTER_ = resource(CLUSTER, "p-main")
COMPONENT = resource("my:index:Pool", "p-component", custom=False)
GRAPH = graph_of(*SUBNETS, TRAIN, EMPTY, NETWORK, CLUSTER_, COMPONENT)


def chosen(*rules: str) -> list[str]:
    return [f"{rule.kind} {GRAPH[rule.pattern].name}" for rule in parse_faults(rules).chosen(GRAPH).rules]


@pytest.mark.parametrize(
    "pattern",
    [
        "*-main",
        "p-main",
        "eks/cluster",
        "Cluster",
        "aws:eks/cluster:Cluster",
        "aws:eks/cluster:*",
        "eks/cluster:Cluster",
        CLUSTER_.urn,
        "urn:*::p-main",
    ],
)
def test_a_pattern_means_types_parts_of_types_names_and_urns(pattern: str) -> None:
    assert chosen(f"crash:{pattern}") == ["crash p-main"]


def test_a_name_with_the_signs_of_patterns_means_itself_by_its_urn() -> None:
    assert chosen(f"denied:{NETWORK.urn}") == ["denied p[1]"]


def test_only_what_can_meet_a_fault_is_chosen() -> None:
    assert chosen("no_capacity:*") == ["no_capacity p-train"]
    assert "denied p-component" not in chosen("denied:*")


def test_rules_add_up() -> None:
    assert chosen("quota:Vpc", "crash:p-main") == ["quota p[1]", "crash p-main"]


def test_what_was_chosen_chooses_the_same_again() -> None:
    rules = parse_faults(["denied:*", "crash:p-main"]).chosen(GRAPH).rules

    assert parse_faults([str(rule) for rule in rules]).chosen(GRAPH).rules == rules


def test_a_seed_chooses_the_same_each_time_and_seeds_differ() -> None:
    once, again = (chosen("seed=42") for _ in range(2))

    assert once == again
    assert len({tuple(chosen(f"seed={seed}")) for seed in range(20)}) > 5


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("no_capacty:*", "Did you mean no_capacity?"),
        ("earthquake:*", "Known: throttling, no_capacity, quota, denied, timeout, crash."),
        ("crash", "KIND:PATTERN"),
        ("crash:", "KIND:PATTERN"),
        ("", "KIND:PATTERN"),
        ("seed=many", "whole number"),
    ],
)
def test_a_rule_of_the_wrong_form_is_refused_before_anything_runs(rule: str, words: str) -> None:
    with pytest.raises(UnusableFaults, match=r".") as reported:
        parse_faults([rule])

    assert words in str(reported.value)


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("crash:p-mian", "p-main"),
        ("crash:nothing-like-it", "matches nothing"),
        ("no_capacity:p-batch", "cannot meet no_capacity"),
        ("no_capacity:p-batch", "p-train"),
        ("denied:p-component", "cannot meet denied"),
    ],
)
def test_a_rule_that_matches_nothing_is_refused_and_names_what_is_near(rule: str, words: str) -> None:
    with pytest.raises(UnusableFaults) as reported:
        parse_faults([rule]).chosen(GRAPH)

    assert words in str(reported.value)


def test_a_rule_for_an_empty_program_is_refused() -> None:
    with pytest.raises(UnusableFaults, match="Nothing in this program can meet it"):
        parse_faults(["denied:*"]).chosen(graph_of())


def test_a_lack_of_capacity_names_the_machine_and_the_zone() -> None:
    fault = met_by(TRAIN, GRAPH, "no_capacity")

    assert fault is not None
    assert "p5.48xlarge" in fault.message
    assert "us-east-1a" in fault.message
    assert "us-east-1b" not in fault.message


def test_a_time_out_is_that_of_the_resource() -> None:
    slow = resource(VPC, "v", options=Options(timeouts=Timeouts(create="1h30m")))
    fault = met_by(slow, graph_of(slow), "timeout")

    assert fault is not None
    assert fault.reported_after_s == 5400
    assert "1h30m" in fault.message


def test_every_kind_can_be_reported_of_every_resource_that_meets_it() -> None:
    for kind in catalogue.fault_kinds():
        for each in GRAPH:
            fault = met_by(each, GRAPH, kind)
            assert fault is None or ("{" not in fault.message and fault.reported_after_s > 0)


def asked(rule: str, times: int, operation: str = "create") -> list[bool]:
    faults = parse_faults([rule])
    answers = (faults.on(VPC, "v", f"urn:x::{VPC}::v", operation) for _ in range(times))
    return [answer is not None for answer in answers]


def test_a_provider_that_is_throttled_is_let_through_after_some_tries() -> None:
    answers = asked("throttling:v", 10)
    refusals = answers.count(True)

    assert 0 < refusals < 10
    assert answers == [True] * refusals + [False] * (10 - refusals)


def test_a_crash_happens_once() -> None:
    assert asked("crash:v", 3) == [True, False, False]


@pytest.mark.parametrize("kind", ["quota", "denied", "timeout"])
def test_other_faults_stay(kind: str) -> None:
    assert asked(f"{kind}:v", 3) == [True, True, True]


def test_a_fault_meets_the_operations_that_it_can() -> None:
    assert asked("quota:v", 1, "delete") == [False]
    assert asked("denied:v", 1, "delete") == [True]


def test_a_second_run_meets_what_stays() -> None:
    rules = parse_faults(["crash:a", "quota:b", "throttling:c", "denied:d"]).again().rules

    assert [rule.kind for rule in rules] == ["quota", "denied"]


@pytest.mark.parametrize(
    ("rules", "said"),
    [(["seed=1", "seed=2"], "second seed"), (["::"], "not a fault rule"), ([":x"], "not a fault rule")],
)
def test_rules_that_say_nothing_or_too_much_are_refused(rules: list[str], said: str) -> None:
    with pytest.raises(UnusableFaults, match=said):
        parse_faults(rules)


POOL = resource(
    "gcp:container/nodePool:NodePool",
    "g-train",
    inputs={"nodeCount": 2, "nodeLocations": ["us-central1-a"], "nodeConfig": {"machineType": "a3-megagpu-8g"}},
)
EMPTY_POOL = resource(
    "gcp:container/nodePool:NodePool",
    "g-batch",
    inputs={"autoscaling": {"minNodeCount": 0}, "nodeConfig": {"machineType": "a3-megagpu-8g"}},
)
SCRATCH = resource("gcp:lustre/instance:Instance", "g-scratch", options=Options(timeouts=Timeouts(create="120m")))
GOOGLE = graph_of(POOL, EMPTY_POOL, SCRATCH)


def test_a_stockout_of_google_names_the_machine_and_the_zone() -> None:
    fault = met_by(POOL, GOOGLE, "no_capacity")

    assert fault is not None
    assert fault.message.startswith("GCE_STOCKOUT: ")
    assert "(us-central1-a)" in fault.message
    assert "a3-megagpu-8g" in fault.message


@pytest.mark.parametrize("kind", ["no_capacity", "quota"])
def test_a_pool_of_google_that_starts_empty_lacks_no_machines(kind: str) -> None:
    fault = met_by(EMPTY_POOL, GOOGLE, kind)

    assert fault is None


def test_too_many_requests_to_google_only_take_longer() -> None:
    fault = met_by(POOL, GOOGLE, "throttling")

    assert fault is not None
    assert fault.retried
    assert fault.message.startswith("rateLimitExceeded: ")


def test_after_a_time_out_gke_is_waited_for_and_lustre_is_in_the_way() -> None:
    pool, scratch = met_by(POOL, GOOGLE, "timeout"), met_by(SCRATCH, GOOGLE, "timeout")

    assert pool is not None
    assert scratch is not None
    assert pool.facts.leaves
    assert not scratch.facts.leaves
    assert "name is taken" in scratch.facts.second_run
    assert scratch.reported_after_s == 120 * 60
