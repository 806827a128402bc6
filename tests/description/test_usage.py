"""`penstock:usage`: amounts as numbers or bounds, and every mistake with its place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from penstock.core.errors import InvalidDescription
from penstock.description import json_schema
from penstock.description.usage import Usage, parse_usage
from penstock.simulate.environment import find_environment


def problems(block: Any) -> dict[str, str]:
    with pytest.raises(InvalidDescription) as raised:
        parse_usage(block)
    return {f"{each.path}": each.message for each in raised.value.findings}


def test_a_number_is_certain_and_bounds_are_not() -> None:
    usage = parse_usage({"storage": {"data": {"gb": 5, "reads": {"low": 1, "expected": 2, "high": 3}}}})
    data = usage.storage["data"]

    assert data.gb is not None
    assert data.reads is not None
    assert (data.gb.low, data.gb.expected, data.gb.high) == (5, 5, 5)
    assert (data.reads.low, data.reads.expected, data.reads.high) == (1, 2, 3)
    assert data.writes is None, "unknown is unknown"


@pytest.mark.parametrize(
    ("block", "path", "message"),
    [
        (3, "penstock:usage", "Usage is a block"),
        ({"storage": {"d": {"gb": -4}}}, "penstock:usage.storage.d.gb", "at least 0"),
        ({"storage": {"d": {"gb": "many"}}}, "penstock:usage.storage.d.gb", "A number or {low, expected, high}"),
        ({"storage": {"d": {"tb": 4}}}, "penstock:usage.storage.d.tb", "no field 'tb'"),
        (
            {"network": {"nat_gb": {"low": 3, "expected": 2, "high": 4}}},
            "penstock:usage.network.nat_gb",
            "not in order",
        ),
        ({"pools": {"a": {"spot": 0.5}}}, "penstock:usage.pools.a", "do not add up to 1"),
        ({"pools": {"a": {"commitment": "2y"}}}, "penstock:usage.pools.a.commitment", "'2y' is not allowed"),
        ({"pools": {"a": {"hours": 731}}}, "penstock:usage.pools.a.hours", "at most 730"),
        ({"jobs": {"j": {"pool": "a", "nodes": 1}}}, "penstock:usage.jobs.j.hours", "missing"),
        (
            {"jobs": {"j": {"pool": "a", "nodes": 1, "hours": 2, "storage": {"s": 1}}}},
            "penstock:usage.jobs.j.storage.s",
            "not declared below storage",
        ),
    ],
)
def test_a_mistake_is_named_with_its_path(block: Any, path: str, message: str) -> None:
    found = problems(block)

    assert list(found) == [path]
    assert message in found[path]


def test_all_mistakes_come_at_once_with_their_lines(tmp_path: Path) -> None:
    (tmp_path / "Pulumi.yaml").write_text("name: p\nruntime: python\n")
    (tmp_path / "__main__.py").write_text("")
    (tmp_path / "Pulumi.dev.yaml").write_text(
        "config:\n"
        "  penstock:usage:\n"
        "    storage:\n"
        "      data: {gb: -1}\n"
        "    network:\n"
        "      egres_gb: 4\n"
    )  # fmt: skip

    with pytest.raises(InvalidDescription) as raised:
        find_environment(str(tmp_path), "dev")

    found = [(each.line, each.column, each.path) for each in raised.value.findings]
    assert found == [(4, 14, "penstock:usage.storage.data.gb"), (6, 7, "penstock:usage.network.egres_gb")]


def test_the_schema_of_stack_files_has_it() -> None:
    schema = json_schema()

    assert schema["properties"]["config"]["properties"]["penstock:usage"] == {"$ref": "#/$defs/Usage"}
    assert set(schema["$defs"]["Usage"]["properties"]) == set(Usage.model_fields)
    assert "UsageAmount" in schema["$defs"]
