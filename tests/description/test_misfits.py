"""Errors of the models are reported in the words of the description."""

from __future__ import annotations

import pytest
from tests.descriptions import GONE, TRAINING, changed, complaints

from penstock.catalog.tables import rows
from penstock.core.errors import InvalidDescription
from penstock.core.findings import Finding
from penstock.description import parse
from penstock.description.addon import all_addons

pytestmark = pytest.mark.slow


def findings(description: object) -> tuple[Finding, ...]:
    with pytest.raises(InvalidDescription) as caught:
        parse(description)  # type: ignore[arg-type]
    return caught.value.findings


@pytest.mark.parametrize(
    ("path", "value", "code", "where"),
    [
        ("colour", "blue", "SPEC-010", "colour"),
        ("node_pools.1.acelerator", "h100", "SPEC-010", "node_pools[1].acelerator"),
        ("storage.1.size", 3, "SPEC-010", "storage[1].size"),
        ("environment", GONE, "SPEC-011", "environment"),
        ("cloud.provider", GONE, "SPEC-011", "cloud.provider"),
        ("storage.0.kind", GONE, "SPEC-011", "storage[0].kind"),
        ("storage.1.capacity_tib", GONE, "SPEC-011", "storage[1].capacity_tib"),
        ("cluster.version", 1.33, "SPEC-012", "cluster.version"),
        ("cloud.account", 123456789012, "SPEC-012", "cloud.account"),
        ("cluster.admins", "me", "SPEC-012", "cluster.admins"),
        ("node_pools", None, "SPEC-012", "node_pools"),
        ("node_pools", {}, "SPEC-012", "node_pools"),
        ("node_pools.1.reservation", None, "SPEC-012", "node_pools[1].reservation"),
        ("budget", None, "SPEC-012", "budget"),
        ("addons.secrets", None, "SPEC-012", "addons.secrets"),
        ("addons.queueing", None, "SPEC-012", "addons.queueing"),
        ("storage.0.kind", None, "SPEC-012", "storage[0].kind"),
        ("tags", {"team": None}, "SPEC-012", "tags.team"),
        ("cluster.admins", [None], "SPEC-012", "cluster.admins[0]"),
        ("budget.monthly_usd", True, "SPEC-012", "budget.monthly_usd"),
        ("budget.monthly_usd", "250000", "SPEC-012", "budget.monthly_usd"),
        ("storage.1.capacity_tib", "19.2", "SPEC-012", "storage[1].capacity_tib"),
        ("storage.3.capacity_tib", True, "SPEC-012", "storage[3].capacity_tib"),
        ("storage.0.versioning", "false", "SPEC-012", "storage[0].versioning"),
        ("storage.0.versioning", 1, "SPEC-012", "storage[0].versioning"),
        ("storage.0.protect", "no", "SPEC-012", "storage[0].protect"),
        ("network.private_endpoints", "off", "SPEC-012", "network.private_endpoints"),
        ("node_pools.0", "system", "SPEC-012", "node_pools[0]"),
        ("node_pools.0.nodes", True, "SPEC-012", "node_pools[0].nodes"),
        ("node_pools.0.nodes", "16", "SPEC-012", "node_pools[0].nodes"),
        ("node_pools.0.nodes", {"min": "1", "max": 2}, "SPEC-012", "node_pools[0].nodes.min"),
        ("storage.1.capacity_tib", float("inf"), "SPEC-012", "storage[1].capacity_tib"),
        ("storage.1.throughput_mbps_per_tib", 125.5, "SPEC-012", "storage[1].throughput_mbps_per_tib"),
        ("environment", "production", "SPEC-013", "environment"),
        ("storage.0.kind", "buckt", "SPEC-013", "storage[0].kind"),
        ("node_pools.1.capacity", "reservd", "SPEC-013", "node_pools[1].capacity"),
        ("node_pools.0.nodes", 0, "SPEC-014", "node_pools[0].nodes"),
        ("budget.monthly_usd", -1, "SPEC-014", "budget.monthly_usd"),
        ("name", "a" * 41, "SPEC-014", "name"),
        ("cloud.region", "us-east-1" * 9, "SPEC-014", "cloud.region"),
        ("name", "Platform", "SPEC-015", "name"),
        ("network.cidr", "10.0.0.0/33", "SPEC-015", "network.cidr"),
        ("network.cidr", "10.40.0.0/255.255.0.0", "SPEC-015", "network.cidr"),
        ("network.cidr", 12345, "SPEC-015", "network.cidr"),
        ("network.allowed_cidrs", ["10.9.0.0"], "SPEC-015", "network.allowed_cidrs[0]"),
        ("budget.alert_emails", ["me"], "SPEC-015", "budget.alert_emails[0]"),
        ("budget.alert_emails", ["me@example.com"] * 11, "SPEC-014", "budget.alert_emails"),
    ],
)
def test_a_value_that_does_not_fit_is_reported_by_code_and_path(
    path: str, value: object, code: str, where: str
) -> None:
    assert complaints(changed(path, value)) == [(code, where)]


@pytest.mark.parametrize(
    ("path", "value", "advice"),
    [
        ("node_pools.1.acelerator", "h100", "Did you mean accelerator?"),
        ("node_pools.1.capacity", "reservd", "Did you mean reserved?"),
        ("storage.0.kind", "Bucket", "Did you mean bucket?"),
        ("network.cidr", "10.40.1.0/16", "Did you mean 10.40.0.0/16?"),
        ("network.cidr", "10.40.0.0/255.255.0.0", "Did you mean 10.40.0.0/16?"),
        ("network.cidr", "10.40.0.0", "an address and a length"),
        ("cloud.account", 12345678901, "in quotes"),
        ("node_pools.0.nodes", "many", "{min: 0, max: 16}"),
        ("name", "Platform", "lower-case letters"),
    ],
)
def test_the_hint_says_what_would_be_right(path: str, value: object, advice: str) -> None:
    (finding,) = findings(changed(path, value))

    assert advice in finding.hint


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("node_pools.0.nodes", "16", "A number or {min, max} belongs here, not '16'."),
        ("cluster.admins", [None], "item 1 has no value."),
        ("cloud.account", 12345678901, "Text belongs here, not a number."),
        ("budget.alert_emails", ["me@example.com"] * 11, "11 items are here; the most is 10."),
    ],
)
def test_the_message_says_what_belongs_here(path: str, value: object, message: str) -> None:
    (finding,) = findings(changed(path, value))

    assert finding.message == message


def test_no_message_speaks_of_python() -> None:
    everything_wrong = dict.fromkeys(TRAINING, 3) | {"tags": [1], "owner": {}, "waivers": "x", "colour": 1}

    texts = [str(finding).lower() for finding in findings(everything_wrong)]

    jargon = ("pydantic", "dict", "tuple", "model", "instance", "str ", "input", "http", "nonetype")
    assert not [text for text in texts if any(word in text for word in jargon)]


def test_a_broken_block_does_not_hide_what_is_wrong_elsewhere() -> None:
    description = changed("node_pools.0.nodes", "many", changed("node_pools.1.accelerator", "h1000"))
    description["storage"][1]["capacity_tib"] = 19.3
    description["colour"] = "blue"

    found = complaints(description)

    assert {path for _, path in found} == {
        "node_pools[0].nodes",
        "node_pools[1].accelerator",
        "storage[1].capacity_tib",
        "colour",
    }


def test_a_mistake_in_one_add_on_does_not_hide_those_of_others() -> None:
    wrong = changed("addons", {"slurm": {"pools": ["nopool"]}, "observability": {"retention_days": "none"}}, TRAINING)

    assert {each.path for each in findings(wrong)} >= {"addons.slurm.pools[0]", "addons.observability.retention_days"}


def test_what_a_broken_add_on_lacks_is_not_missed_by_others() -> None:
    """Its block is there, whatever is wrong in it."""
    right = {"health": {}, "observability": {"retention_days": 9}}
    wrong = {"health": {}, "observability": {"retention_days": "none"}}

    parse(changed("addons", right, TRAINING))
    assert [each.path for each in findings(changed("addons", wrong, TRAINING))] == [
        "addons.observability.retention_days"
    ]


def test_a_field_that_nobody_knows_does_not_hide_what_is_wrong_beside_it() -> None:
    described = changed("node_pools.1.accelerator", "h1000", changed("node_pools.1.colour", "blue"))

    assert {finding.path for finding in findings(described)} == {"node_pools[1].accelerator", "node_pools[1].colour"}


def test_what_has_a_misspelt_field_is_not_judged_as_if_it_were_left_out() -> None:
    described = changed("node_pools.1.acelerator", "h100", changed("node_pools.1.accelerator", GONE))

    assert [finding.path for finding in findings(described)] == ["node_pools[1].acelerator"]


def test_a_broken_bucket_is_not_also_reported_as_missing() -> None:
    assert complaints(changed("storage.0.kind", "buckt")) == [("SPEC-013", "storage[0].kind")]


def test_data_that_contains_itself_is_refused() -> None:
    endless: dict[str, object] = {}
    endless["tags"] = endless

    assert ("SPEC-005", "tags") in complaints(endless)


def test_a_number_that_nobody_can_read_is_refused() -> None:
    assert complaints(changed("name", 10**5000)) == [("SPEC-012", "name")]


@pytest.mark.parametrize("description", [None, 3, "text", [], [TRAINING]])
def test_what_is_no_block_is_refused_whole(description: object) -> None:
    (finding,) = findings(description)

    assert finding.code == "SPEC-012"


@pytest.mark.parametrize("value", ["${AWS_REGION}", "$AWS_REGION"])
def test_variables_are_reported_once_and_not_as_another_mistake(value: str) -> None:
    (found,) = findings(changed("cloud.region", value))
    assert (found.code, found.path) == ("SPEC-015", "cloud.region")
    assert "not expanded" in found.message


def test_a_dollar_in_other_text_is_no_variable() -> None:
    found = complaints(changed("tags", {"cost": "5 $", "price": "$5", "pattern": "a-${b}"}))
    assert {code for code, _ in found} == {"SPEC-105"}


def test_one_mistake_is_one_finding() -> None:
    pool = findings(changed("node_pools.0.nodes", -1))
    assert [each.path for each in pool] == ["node_pools[0].nodes"]
    lustre = changed("storage.1.capacity_gb", 20, changed("storage.1.capacity_tib", GONE))
    assert [each.path for each in findings(lustre)] == ["storage[1].capacity_gb"]


def test_an_unknown_field_with_a_secret_is_reported_as_both() -> None:
    found = findings(changed("addons.secrets.huggingface", "hf_abcdefghijklmnopqrstuvwxyz0123456789"))
    assert [each.code for each in found] == ["SPEC-016", "SPEC-010"]
    assert not any("hf_abc" in each.message + each.hint for each in found)


def test_no_add_on_is_listed_as_missing() -> None:
    assert {row["name"] for row in rows("missing_addons")}.isdisjoint(each.name for each in all_addons())
