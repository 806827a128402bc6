"""What a planner may write, and what is reported of what cannot be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from penstock.core.errors import InvalidDescription
from penstock.sizing import quantities
from penstock.sizing.ranking import ranking_of
from penstock.sizing.request import SizingRequest, Task
from penstock.sizing.request_fields import request_of
from penstock.sizing.request_file import read_request


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
        ("dataset", "10", "Did you mean 10TB?"),
        ("mfu", "38", "Did you mean 38%?"),
        ("mfu", "0", "A utilisation such as 0.38 or 38%."),
        ("mfu", "1.5", "A utilisation such as 0.38 or 38%."),
        ("mfu", "150", "A utilisation such as 0.38 or 38%."),
        ("reserved", "1.5", "A share such as 0.6 or 60%."),
        ("deadline", "0", ""),
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


@pytest.mark.parametrize(
    ("fields", "hint"),
    [
        ({"task": "serving"}, "Did you mean serve?"),
        ({"task": "training"}, "Did you mean train?"),
        ({"task": "fine-tune"}, "Did you mean finetune?"),
        ({"task": "qlora"}, "Did you mean lora? QLoRA is lora with precision nf4 or int4."),
        ({"precision": "bfloat16"}, "Did you mean bf16?"),
        ({"recompute": "auto-select"}, "Did you mean auto?"),
    ],
    ids=lambda value: "-".join(value.values()) if isinstance(value, dict) else "",
)
def test_a_word_that_is_near_has_its_neighbour(fields: dict[str, str], hint: str) -> None:
    found = request_of({"parameters": "7B", **fields})

    assert not isinstance(found, SizingRequest)
    assert [each.hint for each in found if each.field in fields] == [hint]


@pytest.mark.parametrize(
    ("lines", "fields"),
    [
        (("parameters: 70X", "task: serving", "layers: [1]"), {"parameters", "task", "layers"}),
        (("parameters: 7B", "cloud: awz", "machine_type: p5.49xlarge", "tokens: many"), {"cloud", "tokens"}),
        (("parameters: 7B", "accelerator: h1000", "years: 2", "batch: {}"), {"accelerator", "years", "batch"}),
        (("parameters: 7B", "region: us-mars-1", "cloud: aws", "nodes: 3"), {"region", "nodes"}),
        (("task: serve", "parameters: 7B", "first_token: 200", "precision: nf4"), {"first_token", "precision"}),
    ],
)
def test_every_mistake_of_a_file_is_reported_at_its_line(
    tmp_path: Path, lines: tuple[str, ...], fields: set[str]
) -> None:
    file = tmp_path / "size.yaml"
    file.write_text("\n".join(lines))
    with pytest.raises(InvalidDescription) as error:
        read_request({}, file)

    found = {each.path: each.line for each in error.value.findings}
    assert fields <= set(found)
    assert all(lines[(found[each] or 0) - 1].startswith(each) for each in fields)


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

    assert [(each.line, each.path) for each in error.value.findings] == [(4, "layers"), (3, "tokens")]

    file.write_text("parameters: 7B\n\ntokens: many\n")
    with pytest.raises(InvalidDescription) as error:
        read_request({}, file)

    assert [(each.line, each.path) for each in error.value.findings] == [(3, "tokens")]


@pytest.mark.parametrize("text", ["[1, 2]", "a: b: c", "- x", "[" * 3000])
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
        {"precision": "fp4"},
        {"task": "serve", "requests_per_second": "5", "precision": "nf4"},
        {"task": "finetune", "tokens": "1B", "precision": "nf4"},
        {"first_token": "200ms"},
        {"task": "serve", "requests_per_second": "5", "first_token": "200"},
        {"experts": "8", "active": "2B", "experts_per_token": "8"},
        {"region": "us-east-1"},
        {"cloud": "aws", "region": "eastus"},
        {"machine_type": "p5.49xlarge"},
        {"machine_type": "p5.48xlarge", "cloud": "gcp"},
        {"task": "serve", "requests_per_second": "5", "token_latency": "50"},
        {"hidden": "4097", "heads": "32"},
        {"heads": "64", "kv_heads": "128"},
        {"layers": "200", "hidden": "16384"},
        {"task": "lora", "tokens": "1B", "hidden": "4096", "lora_rank": "5000"},
        {"batch": "1000", "sequence": "8192"},
        {"batch": "4M", "micro_batch": "1000000"},
        {"accelerators": "60000"},
        {"active": "1M", "experts": "8", "experts_per_token": "4"},
    ],
    ids="-".join,
)
def test_what_would_change_nothing_or_cannot_be_is_refused(fields: dict[str, str]) -> None:
    assert not isinstance(request_of({"parameters": "7B", **fields}), SizingRequest)


@pytest.mark.parametrize(("text", "latency_s"), [("50ms", 0.05), ("0.5s", 0.5), ("1 s", 1.0)])
def test_latencies_have_units(text: str, latency_s: float) -> None:
    assert quantities.latency(text) == pytest.approx(latency_s)


@pytest.mark.parametrize(
    "shape",
    [
        {"parameters": "7B", "layers": "32", "hidden": "4096", "heads": "32", "kv_heads": "8"},
        {"parameters": "2.5B", "layers": "18", "hidden": "2048", "heads": "8", "kv_heads": "1", "vocabulary": "256128"},
        {"parameters": "405B", "layers": "126", "hidden": "16384", "heads": "128", "kv_heads": "8"},
        {
            "parameters": "671B",
            "active": "37B",
            "experts": "256",
            "experts_per_token": "8",
            "layers": "61",
            "hidden": "7168",
        },
        {"parameters": "176B", "layers": "70", "hidden": "14336", "heads": "112", "vocabulary": "250880"},
    ],
    ids=lambda shape: shape["parameters"],
)
def test_shapes_of_published_models_are_plausible(shape: dict[str, str]) -> None:
    assert isinstance(request_of(shape), SizingRequest)


def test_a_machine_type_is_sold_by_one_cloud_and_a_misspelt_one_has_a_neighbour() -> None:
    elsewhere = request_of({"parameters": "7B", "machine_type": "p5.48xlarge", "cloud": "gcp"})
    misspelt = request_of({"parameters": "7B", "machine_type": "p5.48xlarg"})

    assert not isinstance(elsewhere, SizingRequest)
    assert not isinstance(misspelt, SizingRequest)
    assert "of aws, not of gcp" in elsewhere[0].message
    assert misspelt[0].hint == "Did you mean p5.48xlarge?"


def test_a_field_that_is_given_twice_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "size.yaml"
    file.write_text("parameters: 7B\nparameters: 8B\n")

    with pytest.raises(InvalidDescription, match="given twice"):
        read_request({}, file)


def test_no_machine_does_it_that_takes_longer_than_a_deadline_that_is_given() -> None:
    given = {"parameters": "7B", "accelerator": "h100", "accelerators": "64"}
    late, in_time = (request_of({**given, **more}) for more in ({"deadline": "1d"}, {}))

    assert isinstance(late, SizingRequest)
    assert isinstance(in_time, SizingRequest)
    assert ranking_of(late).choices == ()
    assert all(
        "longer than the deadline" in each.why for each in ranking_of(late).excluded if each.kind == "impossible"
    )
    assert ranking_of(in_time).choices
