"""What a planner may write, and what is reported of what cannot be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from penstock.economics.sizing import quantities
from penstock.economics.sizing.request import SizingRequest, Task
from penstock.economics.sizing.request_fields import request_of
from penstock.economics.sizing.request_file import read_request
from penstock.errors import InvalidDescription


@pytest.mark.parametrize(
    ("text", "value"), [("70B", 70e9), ("1.4T", 1.4e12), ("350m", 350e6), ("8k", 8000), ("4_096", 4096)]
)
def test_counts_have_units(text: str, value: float) -> None:
    assert quantities.count(text) == pytest.approx(value)


@pytest.mark.parametrize(("text", "hours"), [("30d", 720), ("12h", 12), ("90min", 1.5), ("2w", 336)])
def test_times_have_units(text: str, hours: float) -> None:
    assert quantities.seconds(text) / 3600 == pytest.approx(hours)


@pytest.mark.parametrize("text", ["", "B", "-2B", "0", "1.2.3B", "7 apples", "nan", "1e999B"])
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not"):
        quantities.count(text)


@pytest.mark.parametrize("text", ["30", "5.5", "1m"])
def test_a_time_without_a_unit_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a time"):
        quantities.seconds(text)


@pytest.mark.parametrize(
    ("field", "text", "hint"),
    [
        ("parameters", "70", "Did you mean 70B?"),
        ("tokens", "5", "Did you mean 5B?"),
        ("deadline", "30", "Did you mean 30d?"),
        ("parameters", "1e40", "Give it as 70B or 1.4T."),
        ("tokens", "1e40", "Give it as 70B or 1.4T."),
    ],
)
def test_a_forgotten_unit_is_asked_for(field: str, text: str, hint: str) -> None:
    found = request_of({"parameters": "7B", field: text})

    assert not isinstance(found, SizingRequest)
    assert [(each.field, each.hint) for each in found] == [(field, hint)]


def test_everything_that_is_wrong_is_reported_at_once() -> None:
    found = request_of(
        {"parameters": "70X", "task": "lora", "cloud": "awz", "reserved": "0.8", "spot": "0.4", "nodes": "4"}
    )

    assert not isinstance(found, SizingRequest)
    assert {each.field for each in found} == {"parameters", "tokens", "cloud", "spot", "nodes"}


def test_a_mixture_of_experts_has_all_its_numbers() -> None:
    found = request_of({"parameters": "671B", "active": "37B"})

    assert not isinstance(found, SizingRequest)
    assert [each.field for each in found] == ["experts"]


def test_a_name_that_the_catalogue_lacks_has_its_neighbours() -> None:
    found = request_of({"parameters": "7B", "accelerator": "h1000"})

    assert not isinstance(found, SizingRequest)
    assert "h100" in found[0].message


def test_options_win_over_the_file(tmp_path: Path) -> None:
    file = tmp_path / "size.yaml"
    file.write_text("parameters: 7B\ntask: serve\nrequests-per-second: 5\n")
    request = read_request({"parameters": "13B"}, file)

    assert request.task is Task.SERVE
    assert request.shape.parameters == 13e9


def test_a_problem_of_the_file_has_its_line(tmp_path: Path) -> None:
    file = tmp_path / "size.yaml"
    file.write_text("parameters: 7B\n\ntokens: many\nlayers: [1]\n")
    with pytest.raises(InvalidDescription) as error:
        read_request({}, file)

    assert [(each.line, each.path) for each in error.value.findings] == [(4, "layers")]

    file.write_text("parameters: 7B\n\ntokens: many\n")
    with pytest.raises(InvalidDescription) as error:
        read_request({}, file)

    assert [(each.line, each.path) for each in error.value.findings] == [(3, "tokens")]


@pytest.mark.parametrize("text", ["[1, 2]", "a: b: c", "- x"])
def test_a_file_that_is_no_mapping_is_reported(tmp_path: Path, text: str) -> None:
    file = tmp_path / "size.yaml"
    file.write_text(text)

    with pytest.raises(InvalidDescription):
        read_request({"parameters": "7B"}, file)


@pytest.mark.parametrize(
    "fields",
    [
        {"task": "serve", "requests_per_second": "5", "deadline": "3d"},
        {"token_latency": "50ms"},
        {"mfu": "0"},
        {"years": "2"},
        {"precision": "int4"},
        {"experts": "8", "active": "2B", "experts_per_token": "8"},
        {"region": "us-east-1"},
        {"cloud": "aws", "region": "eastus"},
        {"machine_type": "p5.49xlarge"},
    ],
    ids="-".join,
)
def test_what_would_change_nothing_or_cannot_be_is_refused(fields: dict[str, str]) -> None:
    assert not isinstance(request_of({"parameters": "7B", **fields}), SizingRequest)
