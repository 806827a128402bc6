"""A total that leaves something out is the least, has no upper bound, and names what it leaves out."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cost.unpriced import UNHEARD, take_prices_away
from tests.descriptions import GCP_TRAINING, TRAINING, changed
from tests.graphs import graph_of as graph
from tests.graphs import resource

from penstock.app.assess import overview_of
from penstock.catalog.prices import Price
from penstock.core.findings import Finding
from penstock.cost import Cost, by_component, cost_of
from penstock.cost.bill import Line, Unpriced, UnpricedMachines, line
from penstock.cost.budget import over_budget
from penstock.cost.change import cost_change
from penstock.cost.total_words import doubt_words, total_words, usd
from penstock.graph.graph import Graph, Resource
from penstock.report import cost as report_cost
from penstock.report import html, markdown
from penstock.report import json as report_json
from penstock.report.cost_change import in_words
from penstock.report.overview import Overview
from penstock.report.stack_verdict import verdict_of
from penstock.simulate.run import Rehearsal
from penstock.simulate.run import rehearse as run
from penstock.testing import rehearse

US_EAST_1 = resource("pulumi:providers:aws", "here", inputs={"region": "us-east-1"})
INSTANCE = "aws:ec2/instance:Instance"
BUDGET = "aws:budgets/budget:Budget"
H100 = "p5.48xlarge"
A_MONTH = Price(usd=1.0, unit="month", source="list", as_of="2026-11", unverified=())
MACHINES = Unpriced("urn::train", "16 × x99", machines=UnpricedMachines("x99", 16, 8, "us-east-1"))


def paid(usd: float, **price: Any) -> Line:
    """A line of so many dollars."""
    found = line(resource(INSTANCE, "web"), "web", usd, replace(A_MONTH, **price))
    assert isinstance(found, Line)
    return found


LINES = st.lists(st.floats(0, 1e6).map(paid), max_size=4).map(tuple)
MISSING = st.builds(
    Unpriced,
    urn=st.sampled_from(["urn::a", "urn::b"]),
    why=st.just("by the hour: no price known"),
    missing=st.sampled_from(["price", "amount", "use", "elsewhere"]),
    machines=st.none() | st.builds(UnpricedMachines, st.just("x99"), st.integers(0, 64), st.integers(0, 8)),
)


def instance(name: str, machine_type: str) -> Resource:
    inputs = {"instanceType": machine_type, "rootBlockDevice": {"volumeSize": 8}}
    return replace(resource(INSTANCE, name, inputs=inputs), provider=f"{US_EAST_1.urn}::id")


def graph_of(*resources: Resource) -> Graph:
    return graph(US_EAST_1, *resources)


def budget(usd: float) -> Resource:
    inputs = {"limitAmount": str(usd), "limitUnit": "USD", "timeUnit": "MONTHLY", "budgetType": "COST"}
    return resource(BUDGET, "monthly", inputs=inputs)


def judged(graph: Graph) -> list[Finding]:
    return [each for each in over_budget(cost_of(graph), graph) if each.code != "BUDGET-002"]


def seen(rehearsal: Rehearsal) -> Overview:
    return overview_of(rehearsal, environment="dev", cloud="aws")


@given(lines=LINES, unpriced=st.lists(MISSING, max_size=4).map(tuple), more=MISSING)
def test_what_has_no_figure_never_lowers_a_total_and_never_completes_it(
    lines: tuple[Line, ...], unpriced: tuple[Unpriced, ...], more: Unpriced
) -> None:
    before, after = Cost(lines, unpriced), Cost(lines, (*unpriced, more))

    assert after.monthly_usd == before.monthly_usd
    assert after.low_usd == before.low_usd
    assert before.high_usd is not None or after.high_usd is None
    assert before.is_complete or not after.is_complete


@given(
    types=st.lists(st.sampled_from(["m7i.large", "p5.48xlarge", "t3.medium", UNHEARD]), max_size=3),
    limit=st.sampled_from([1, 50, 5_000, 1e9]),
)
def test_a_machine_without_a_price_never_turns_a_finding_into_a_pass(types: list[str], limit: float) -> None:
    machines = [instance(f"m{number}", each) for number, each in enumerate(types)]
    before = graph_of(*machines, budget(limit))
    after = graph_of(*machines, instance("further", UNHEARD), budget(limit))

    assert cost_of(after).monthly_usd >= cost_of(before).monthly_usd
    assert judged(after)
    if judged(before) and judged(before)[0].code == "BUDGET-001":
        assert judged(after)[0].code == "BUDGET-001"


def test_the_largest_omission_is_named_first_machines_by_their_accelerators() -> None:
    few = Unpriced("urn::few", "2 × y", machines=UnpricedMachines("y", 2, 8))
    many = Unpriced("urn::many", "40 × z", machines=UnpricedMachines("z", 40))
    cache = Unpriced("urn::cache", "by the hour: no price known")

    assert total_words(Cost((paid(5),), (cache, many, few, MACHINES))) == (
        "at least 5.00 USD a month, no figure for 16 × x99 (128 accelerators) and 3 more"
    )
    assert total_words(Cost((), (cache,))) == "cost not known, no figure for cache (by the hour: no price known)"
    assert total_words(Cost((paid(5),), ())) == "about 5.00 USD a month"
    assert total_words(Cost((), ())) == "no cost is known"


@pytest.mark.parametrize("missing", ["use", "elsewhere"])
def test_what_may_be_nothing_leaves_a_total_complete(missing: Any) -> None:
    found = Cost((paid(5),), (Unpriced("urn::bucket", "objects, by use", missing=missing),))

    assert found.is_complete
    assert found.high_usd == 5


def test_a_pool_that_starts_empty_has_no_upper_bound_and_is_not_omitted() -> None:
    found = Cost((paid(5),), (Unpriced("urn::idle", "0 × x99", machines=UnpricedMachines("x99", 0, 8)),))

    assert found.is_complete
    assert found.high_usd is None


def test_the_share_of_doubtful_prices_is_shown_in_money() -> None:
    lines = (paid(80), paid(15, unverified=("usd",)), paid(4.5, stale=True), paid(0.5, unverified=("region",)))

    assert doubt_words(Cost(lines, ())) == (
        "15 % of it (15.00 USD) rests on guesses, less than 1 % (0.50 USD) on prices of other regions, "
        "4 % (4.50 USD) on prices past their shelf life"
    )
    assert doubt_words(Cost((paid(80),), ())) == ""


def _with_four(budget_usd: float = 10_000_000) -> dict[str, Any]:
    """The description of a platform that starts four machines with H100."""
    return {**changed("node_pools.1.nodes", {"min": 4, "max": 4}), "budget": {"monthly_usd": budget_usd}}


@pytest.fixture
def without_h100(monkeypatch: pytest.MonkeyPatch) -> Overview:
    """The rehearsal of a platform whose machines with H100 have no price."""
    take_prices_away(monkeypatch, [H100])
    return seen(rehearse(_with_four()))


OMITTED = "no figure for 4 × p5.48xlarge (32 accelerators)"


def test_every_format_says_the_same_of_an_incomplete_total(without_h100: Overview) -> None:
    cost, graph = without_h100.cost, without_h100.graph
    known = usd(cost.monthly_usd)
    document = json.loads(report_json.render(without_h100))["cost"]
    verdict = verdict_of(without_h100)

    assert document["monthly_usd"] == round(cost.monthly_usd, 2)
    assert (document["high_usd"], document["complete"], document["omitted"]) == (None, False, OMITTED)
    assert (verdict.monthly_usd, verdict.omits) == (cost.monthly_usd, OMITTED)
    for text in (
        markdown.render(without_h100).splitlines()[3],
        html.page.render(without_h100),
        report_cost.markdown(report_cost.Bill("dev", "p", cost, "component", by_component(cost, graph), (), ())),
    ):
        assert f"at least {known} USD a month, {OMITTED}" in text.replace("**", "").replace("At", "at")
    assert f"at least {known}" in [*report_cost.short_table(cost, graph)][-2]
    assert OMITTED in [*report_cost.short_table(cost, graph)][-2]


def test_a_component_with_machines_without_a_price_is_in_the_short_table(without_h100: Overview) -> None:
    rows = [*report_cost.short_table(without_h100.cost, without_h100.graph)]

    assert "train" in rows[1]
    assert OMITTED in rows[1]


# ---------------------------------------------------------------------- budgets


def test_a_budget_that_nobody_can_judge_blocks_a_description(monkeypatch: pytest.MonkeyPatch) -> None:
    take_prices_away(monkeypatch, [H100])
    graph = rehearse(_with_four(10_000_000)).graph
    (error,) = judged(graph)

    assert (error.code, error.blocks) == ("BUDGET-003", True)
    assert "p5.48xlarge" in error.message
    assert "aws/prices.csv" in error.hint
    assert "us-east-1" in error.hint


def test_a_budget_that_the_known_part_exceeds_is_exceeded(monkeypatch: pytest.MonkeyPatch) -> None:
    take_prices_away(monkeypatch, [H100])
    (error,) = judged(rehearse(_with_four(10)).graph)

    assert error.code == "BUDGET-001"
    assert "at least" in error.message


def test_a_budget_of_google_says_which_of_its_files_takes_the_price(monkeypatch: pytest.MonkeyPatch) -> None:
    machine_type = "a3-megagpu-8g"
    take_prices_away(monkeypatch, [machine_type])
    wanted = changed("node_pools.1", {"name": "train", "machine_type": machine_type, "nodes": 2}, GCP_TRAINING)
    (error,) = judged(rehearse({**wanted, "budget": {"monthly_usd": 10_000_000}}).graph)

    assert error.code == "BUDGET-003"
    assert "16 accelerators" in error.message
    assert "gcp/prices.csv" in error.hint
    assert "penstock catalog refresh gcp" in error.hint


def test_a_budget_of_another_program_warns_where_a_machine_has_no_price() -> None:
    (warning,) = judged(graph_of(instance("web", UNHEARD), budget(1_000)))

    assert (warning.code, warning.blocks) == ("BUDGET-003", False)


def test_a_resource_without_a_price_that_is_no_machine_leaves_a_budget_judged() -> None:
    cache = Cost((paid(5),), (Unpriced("urn::cache", "by the hour: no price known"),))

    assert not list(over_budget(cache, graph_of(budget(1_000))))


def test_pools_that_may_start_machines_without_a_price_are_a_note() -> None:
    idle = Cost((paid(5),), (Unpriced("urn::idle", "0 × x99", machines=UnpricedMachines("x99", 0, 8)),))
    (note,) = over_budget(idle, graph_of(budget(1_000)))

    assert (note.code, note.severity.value) == ("BUDGET-002", "info")
    assert "is not known" in note.message


# ---------------------------------------------------------------------- changes


def words_of_change(before: Graph, after: Graph) -> str:
    return in_words(cost_change(cost_of(before), before, cost_of(after), after))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ([instance("web", "p5.48xlarge")], [instance("web", UNHEARD)]),
        ([instance("web", UNHEARD)], [instance("web", "t3.medium")]),
        ([instance("web", "t3.medium"), instance("db", UNHEARD)], [instance("web", "t3.medium")]),
        ([], [instance("web", UNHEARD)]),
    ],
)
def test_a_change_with_a_machine_without_a_price_is_not_known(before: list[Resource], after: list[Resource]) -> None:
    old, new = graph_of(*before), graph_of(*after)
    change = cost_change(cost_of(old), old, cost_of(new), new)

    assert change.difference_usd is None
    assert change.share is None
    words = in_words(change)
    assert "not known" in words
    assert "at least" in words
    assert "%" not in words
    assert " less " not in words
    assert report_cost.change_document(change)["difference_usd"] is None


def test_a_machine_without_a_price_on_both_sides_leaves_the_difference_of_the_rest() -> None:
    before = graph_of(instance("old", UNHEARD), instance("web", "m7i.large"))
    after = graph_of(instance("old", UNHEARD), instance("web", "m7i.2xlarge"))
    change = cost_change(cost_of(before), before, cost_of(after), after)

    assert change.difference_usd
    assert change.difference_usd > 0
    assert "at least" in in_words(change)
    assert "%" not in in_words(change)


def test_more_machines_without_a_price_are_no_stay() -> None:
    def pool(count: int) -> Graph:
        sizes = {"minSize": count, "maxSize": count, "desiredCapacity": count}
        template = {"instanceType": UNHEARD, "blockDeviceMappings": [{"ebs": {"volumeSize": 8}}]}
        held = resource("aws:ec2/launchTemplate:LaunchTemplate", "t", inputs=template)
        inputs = {**sizes, "launchTemplate": {"id": held.id}, "availabilityZones": ["us-east-1a"]}
        return graph_of(held, resource("aws:autoscaling/group:Group", "p", inputs=inputs))

    assert "not known" in words_of_change(pool(2), pool(4))


def test_a_known_change_has_both_figures_and_the_share() -> None:
    before, after = graph_of(instance("web", "m7i.large")), graph_of(instance("web", "m7i.2xlarge"))

    assert " more (" in words_of_change(before, after)
    assert "%" in words_of_change(before, after)


def test_a_rehearsal_of_a_training_platform_is_complete() -> None:
    assert cost_of(run(lambda: None).graph).is_complete
    assert cost_of(rehearse(TRAINING).graph).is_complete


def test_a_capacity_block_is_paid_as_a_whole_and_blocks_no_budget() -> None:
    pools = {"name": "train", "accelerator": "h100", "nodes": {"min": 0, "max": 4}, "capacity": "capacity_block"}
    block = {**pools, "reservation": "cr-0123456789abcdef0", "zone": "us-east-1a"}
    graph_with_block = rehearse({**changed("node_pools.1", block), "budget": {"monthly_usd": 900_000}}).graph
    found = cost_of(graph_with_block)

    assert total_words(found).endswith("no figure for 4 × p5.48xlarge (32 accelerators)")
    assert found.high_usd is None
    assert not judged(graph_with_block)
    reserved = rehearse(changed("node_pools.1", {**block, "capacity": "reserved", "nodes": 4})).graph
    assert cost_change(cost_of(reserved), reserved, found, graph_with_block).difference_usd is None
