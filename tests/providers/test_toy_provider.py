"""A cloud that Penstock never heard of is registered, and everything that is shared sees it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

import pytest
from docs import generate, rule_pages
from tests.programs import Program, graph_of
from tests.providers.toy import sdk
from tests.providers.toy.record import PROVIDER as TOY

from penstock import cost
from penstock.app.assess import overview_of
from penstock.app.judge import judge_policies
from penstock.catalog import holdings
from penstock.catalog.former_types import present
from penstock.catalog.sources import source_url
from penstock.core.errors import InvalidDescription
from penstock.description import json_schema, parse
from penstock.description.nodes import nodes_of
from penstock.providers import Provider, priced_clouds, register, sized_clouds, unregister
from penstock.report import json as json_report
from penstock.rules.levels import Enforcement
from penstock.rules.settings import Parameters, Settings
from penstock.testing import rehearse

DESCRIPTION: Mapping[str, Any] = {
    "environment": "dev",
    "cloud": {"provider": "toy", "region": "shelf"},
    "node_pools": [{"name": "train", "accelerator": "whistle", "nodes": 2}],
}


@pytest.fixture(autouse=True)
def toy() -> Iterator[Provider]:
    """The toy cloud, registered."""
    register(TOY)
    yield TOY
    unregister(TOY.name)


def codes(description: Mapping[str, Any]) -> dict[str, str]:
    """What is wrong with a description, by code."""
    with pytest.raises(InvalidDescription) as refused:
        parse(description)
    return {finding.code: finding.message for finding in refused.value.findings}


def plain_program() -> None:
    """A plain program, of resources alone."""
    sdk.Pool("wagons", machine_type="train-8", machines=9)
    sdk.Chest("attic", size=21)


def test_a_description_is_held_to_the_rules_of_all_clouds() -> None:
    elsewhere = {**DESCRIPTION, "cloud": {"provider": "toy", "region": "attic"}}

    assert codes(elsewhere) == {"SPEC-030": "'attic' is not a region of Toy Cloud."}
    assert "SPEC-061" in codes({**DESCRIPTION, "node_pools": [{"name": "a", "accelerator": "h100", "nodes": 1}]})
    assert "SPEC-075" in codes(
        {**DESCRIPTION, "node_pools": [{"name": "a", "accelerator": "whistle", "nodes": 1, "fabric": "efa"}]}
    )
    assert "SPEC-022" in codes(
        {**DESCRIPTION, "node_pools": [{"name": "a", "accelerator": "whistle", "nodes": 1, "gcp": {"queued": True}}]}
    )


def test_a_description_is_held_to_the_rules_of_the_cloud_alone() -> None:
    assert codes({**DESCRIPTION, "name": "lego"}) == {"SPEC-900": "lego is a brand."}


def test_a_cloud_that_is_not_registered_is_refused() -> None:
    unregister(TOY.name)
    try:
        assert "'toy' is not allowed here." in codes(DESCRIPTION).values()
    finally:
        register(TOY)


def test_the_schema_lists_the_cloud_after_those_of_penstock() -> None:
    provider = json_schema()["$defs"]["CloudSpec"]["properties"]["provider"]

    assert provider["enum"] == ["aws", "gcp", "azure", "kubernetes", "toy"]


def test_a_platform_is_composed_of_the_resources_of_the_cloud() -> None:
    rehearsal = rehearse(DESCRIPTION)

    pools = {pool.name: pool.inputs for pool in rehearsal.graph.of_type(sdk.POOL)}
    assert pools == {
        "platform-dev-system": {"machineType": "brick-1", "machines": 3},
        "platform-dev-train": {"machineType": "train-8", "machines": 2},
    }
    assert rehearsal.findings == ()


def test_the_simulated_cloud_answers() -> None:
    (pool,) = rehearse(plain_program).graph.of_type(sdk.POOL)

    assert (pool.id, pool.outputs["address"]) == ("pool-wagons", "wagons.toy.example")


def test_a_provider_rule_speaks_of_any_program() -> None:
    (finding,) = rehearse(plain_program).findings

    assert (finding.code, finding.path) == ("toy-pool-size", "machines")
    assert finding.message == "9 machines do not fit into a pool"


def test_a_precondition_is_listed_of_any_program() -> None:
    (needed,) = rehearse(plain_program).preconditions

    assert (needed.what, needed.how) == ("A key to the attic", "Ask whoever has the toys.")
    assert needed.resource.endswith("::attic")


def test_the_types_of_the_sdk_are_checked() -> None:
    wrong: Any = "many"

    found = rehearse(lambda: sdk.Pool("wagons", machine_type="train-8", machines=wrong)).findings

    assert "TYPE-003" in {finding.code for finding in found}


def test_the_cost_has_a_line_for_what_the_cloud_prices() -> None:
    bill = cost.cost_of(rehearse(plain_program).graph)

    assert {line.what: line.monthly_usd for line in bill.lines} == {"chest": 42.0}


def test_a_source_of_the_cloud_has_its_page() -> None:
    assert source_url("toy price list, chests") == "https://toy.example/prices"


def test_the_schedule_knows_which_pools_start_accelerators() -> None:
    pytest.importorskip("penstock.model.pools", reason="pools are read by the model")
    from penstock.graph.view import Site
    from penstock.timeline import accelerators

    started: Any = accelerators.started
    graph = rehearse(DESCRIPTION).graph

    assert [urn.rpartition("::")[2] for urn in started(Site(graph))] == ["platform-dev-train"]


def test_the_json_report_has_the_resources_the_finding_and_the_cost() -> None:
    whole = overview_of(rehearse(plain_program), environment="dev", cloud="toy")

    document = json.loads(json_report.render(whole))

    assert document["cloud"] == "toy"
    assert sdk.POOL in [resource["type"] for resource in document["resources"]]
    assert [finding["code"] for finding in document["findings"]] == ["toy-pool-size"]
    assert document["cost"]["monthly_usd"] == 42.0


def test_the_reference_pages_list_its_rules() -> None:
    assert "Toy Cloud" in rule_pages.rules_page()
    assert "toy-pool-size" in rule_pages.rules_page()
    assert "AWS, Google Cloud, Azure, Toy Cloud" in generate.codes_page()
    assert "The name of a toy platform is no brand." in generate.codes_page()


def test_the_nodes_of_a_description_are_those_of_the_cloud() -> None:
    nodes = {each.pool: each for each in nodes_of(parse(DESCRIPTION))}

    assert nodes["train"].devices == {"toy.example/whistle": 8}
    assert nodes["train"].selector == {"toy.example/pool": "train"}
    assert nodes["system"].devices == {}


def test_sizing_and_price_services_leave_out_a_cloud_without_them() -> None:
    assert sized_clouds() == ("aws", "gcp", "azure")
    assert priced_clouds() == ("aws", "azure", "gcp")


def outcome(rule: str, settings: Settings, *, beside: Program = MappingProxyType({}), **inputs: Any) -> str:
    """The outcome of a policy for a chest with these inputs."""
    report = judge_policies(graph_of({"attic": (sdk.CHEST, inputs), **beside}), settings)
    if rule in report.passed_by_rule:
        return "pass"
    return next(each.outcome for each in report.answers if each.rule.id == rule)


def test_required_tags_are_written_as_the_cloud_writes_them() -> None:
    settings = Settings(
        rules={"tag-required-toy": Enforcement.ADVISORY}, parameters=Parameters(required_tags=("Owner",))
    )

    assert outcome("tag-required-toy", colours={"owner": "me"}, settings=settings) == "pass"
    assert outcome("tag-required-toy", colours={"Owner": "me"}, settings=settings) == "fail"


@pytest.mark.parametrize(
    ("place", "residency", "expected"),
    [
        ("shelf", "tl", "pass"),
        ("shelf-a", "tl", "pass"),
        ("shelf", "de", "fail"),
        ("attic", "de", "pass"),
        ("house", "de", "fail"),
        ("cellar", "de", "unknown"),
    ],
)
def test_a_residency_is_held_against_the_places_of_the_cloud(place: str, residency: str, expected: str) -> None:
    pool: Program = {"pool": (sdk.POOL, {"machineType": "train-8", "machines": 1})}
    settings = Settings(residency=residency)

    assert outcome("toy-chest-place", beside=pool, place=place, settings=settings) == expected


def test_a_relation_of_the_cloud_exempts_from_its_policies() -> None:
    assert outcome("toy-chest-place", place="shelf", settings=Settings(residency="de")) == "exempt"


def test_the_cloud_says_what_holds_data_and_what_types_were_called() -> None:
    holding = holdings.holding_of(sdk.CHEST)

    assert holding is not None
    assert holding.lost == "every toy in it"
    assert present("toy:storage/box:Box") == sdk.CHEST
