"""`penstock size` as a planner meets it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

Run = Callable[..., tuple[int, str, str]]

SMALL = ("--parameters", "2B", "--sequence", "2048", "--cloud", "aws")


def test_the_answer_comes_first(penstock: Run) -> None:
    status, text, _ = penstock("size", *SMALL)

    assert status == 0
    assert text.splitlines()[2].startswith("1 × p5.48xlarge (8 × NVIDIA H100 SXM) of aws in us-east-1, done in ")


def test_the_first_screen_has_what_is_asked_most(penstock: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    _, text, _ = penstock("size", *SMALL)
    screen = text.splitlines()[:24]

    starts = {line[:14].strip() for line in screen}
    assert {"time", "cost", "memory", "why this one"} <= starts
    assert any(line.startswith("Below: SCALE") for line in screen)


@pytest.mark.parametrize("columns", [60, 80, 140])
def test_a_report_is_as_wide_as_the_terminal(penstock: Run, monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    _, text, _ = penstock("size", *SMALL)

    assert max(map(len, text.splitlines())) <= columns


def test_one_machine_type_does_it(penstock: Run) -> None:
    _, text, _ = penstock("size", *SMALL, "--machine-type", "p5.48xlarge")

    assert "(1 machine type does it)" in text


def test_json_is_for_machines(penstock: Run) -> None:
    status, text, _ = penstock("size", *SMALL, "--format", "json")
    body = json.loads(text)

    assert status == 0
    assert body["request"]["shape"]["parameters"] == 2e9
    assert {"machine_type", "usd", "hours", "mfu"} <= set(body["choices"][0])


def test_every_problem_is_reported_at_once_with_its_option(penstock: Run) -> None:
    status, text, said = penstock("size", "--parameters", "two", "--task", "sing", "--deadline", "soon")

    assert (status, text) == (2, "")
    assert [line.split()[0] for line in said.splitlines() if "[SIZE-001]" in line] == [
        "--parameters",
        "--task",
        "--deadline",
    ]


def test_fields_of_a_file_are_read(penstock: Run, tmp_path: Path) -> None:
    file = tmp_path / "size.yaml"
    file.write_text("parameters: 2B\ncloud: aws\nlayers: 24\nhidden: 2560\nbatch: 1M\n")
    status, text, _ = penstock("size", file)

    assert status == 0
    assert "24 layers, hidden 2560" in text


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("parameters: 2B\ncloud: [aws\n", "size.yaml:3:1"),
        ("parameters: 2B\n\tcloud: aws\n", "size.yaml:2:1"),
        ("\n- parameters\n", "size.yaml:2:1"),
    ],
)
def test_what_is_no_yaml_is_refused_with_its_line(penstock: Run, tmp_path: Path, text: str, place: str) -> None:
    file = tmp_path / "size.yaml"
    file.write_text(text)
    status, out, said = penstock("size", file)

    assert (status, out) == (2, "")
    assert f"{place}  [SIZE-001]" in said
    (finding,) = json.loads(penstock("size", file, "--format", "json")[1])["findings"]
    assert f"size.yaml:{finding['line']}:{finding['column']}" == place


def test_a_deadline_that_no_machine_meets_is_status_1(penstock: Run) -> None:
    status, text, _ = penstock("size", "--parameters", "405B", "--deadline", "1h", "--cloud", "aws")

    assert status == 1
    assert "No machine of the catalogue does this" in text


def test_a_load_that_nobody_sells_machines_for_is_status_1(penstock: Run) -> None:
    status, text, _ = penstock("size", "--parameters", "7B", "--task", "serve", "--requests-per-second", "1e9")

    assert status == 1
    reason = " ".join(text.split("\n\n")[1].split())
    assert "needs more than 50,944 accelerators, which nobody sells together" in reason


def test_the_reason_leads_where_a_deadline_would_not_help(penstock: Run) -> None:
    status, text, _ = penstock("size", "--parameters", "7B", "--accelerator", "v100")

    assert status == 1
    assert "this: NVIDIA V100 is not modelled" in text
    assert "Raise the deadline" not in text


def test_the_advice_is_what_would_help(penstock: Run) -> None:
    fp8 = penstock("size", "--parameters", "7B", "--precision", "fp8", "--accelerator", "a100")[1].splitlines()[2]
    small = penstock("size", "--parameters", "70B", "--accelerators", "8", "--accelerator", "l4")[1].splitlines()[2]

    assert "has no FP8. Take --precision bf16" in fp8
    assert "does not fit on 8 accelerators" in small
    assert "deadline" not in fp8 + small


def test_a_latency_that_is_too_short_names_one_that_is_not(penstock: Run) -> None:
    load = ("--parameters", "70B", "--task", "serve", "--requests-per-second", "5", "--machine-type", "p5.48xlarge")
    status, text, _ = penstock("size", *load, "--token-latency", "2ms")
    least = " ".join(text.split()).split("Raise --token-latency to ")[1].split(" or more")[0]

    assert status == 1
    assert penstock("size", *load, "--token-latency", least)[0] == 0


def test_the_commitment_is_in_the_file(penstock: Run, tmp_path: Path) -> None:
    file = tmp_path / "Pulumi.large.yaml"
    request = ("--parameters", "70B", "--tokens", "1.4T", "--cloud", "aws", "--accelerator", "h100")
    status, _, _ = penstock("size", *request, "--reserved", "0.6", "--spot", "0.2", "--write", file)

    assert status == 0
    usage = yaml.safe_load(file.read_text())["config"]["penstock:usage"]
    assert usage == {"pools": {"train-reserved": {"commitment": "1y"}}}


def test_a_description_is_written_once(penstock: Run, tmp_path: Path) -> None:
    file = tmp_path / "Pulumi.small.yaml"
    status, _, said = penstock("size", *SMALL, "--write", file)

    assert status == 0
    assert f"Wrote {file}" in said
    platform = yaml.safe_load(file.read_text())["config"]["penstock:platform"]
    assert platform["name"] == "small"
    assert platform["node_pools"][1] == {"name": "train", "machine_type": "p5.48xlarge", "nodes": 1}

    status, _, said = penstock("size", *SMALL, "--write", file)

    assert status == 2
    assert "is not overwritten" in said


def test_a_platform_that_would_be_too_large_is_not_written(penstock: Run, tmp_path: Path) -> None:
    file = tmp_path / "Pulumi.large.yaml"
    request = ("--parameters", "70B", "--tokens", "15T", "--cloud", "aws", "--accelerator", "h100")
    status, _, said = penstock("size", *request, "--write", file)

    assert status == 2
    assert "cannot be written as one platform" in said
    assert not file.exists()


def test_a_platform_is_called_as_the_clouds_take_it(penstock: Run, tmp_path: Path) -> None:
    status, _, said = penstock("size", *SMALL, "--write", tmp_path / "Pulumi.Train_1.yaml")

    assert status == 2
    assert "'Train_1'" in said
    assert "lower-case" in said


def test_a_machine_has_the_accelerator_that_is_asked_for(penstock: Run) -> None:
    status, _, said = penstock("size", "--parameters", "7B", "--machine-type", "p5.48xlarge", "--accelerator", "a100")

    assert status == 2
    assert "p5.48xlarge has h100, not a100" in said


@pytest.mark.parametrize("name", ["stack.yaml", "Pulumi.yaml", "Pulumi.a.b.yaml"])
def test_what_is_written_is_called_as_a_stack_file(penstock: Run, tmp_path: Path, name: str) -> None:
    status, _, said = penstock("size", *SMALL, "--write", tmp_path / name)

    assert status == 2
    assert "Pulumi.NAME.yaml" in said


def test_servers_of_ones_own_are_compared_in_plain_numbers(penstock: Run) -> None:
    status, out, _ = penstock(
        "size", "--parameters", "7B", "--cloud", "aws", "--accelerators", "64", "--on-premises", "--format", "json"
    )

    own = json.loads(out)["on_premises"]
    assert status == 0
    assert own["capex_usd"] == pytest.approx(sum(own["capex"].values()))
    assert own["break_even_use"]["reserved_3y"] > own["break_even_use"]["on_demand"]
    storage = own["compared_with"]["storage_month_usd"] * 12 / (own["servers"] * 8760)
    assert own["server_hour_usd"] - storage == pytest.approx(
        own["break_even_use"]["on_demand"] * own["compared_with"]["hour_usd"]
    )
    years = own["three_years_usd"]
    assert years["own"] == pytest.approx(own["capex_usd"] + 3 * own["opex_usd_per_year"])
    assert years["reserved_3y"] < years["on_demand"]


def test_a_limit_of_the_first_token_rules_machines_out(penstock: Run) -> None:
    load = ("--parameters", "70B", "--task", "serve", "--requests-per-second", "5", "--cloud", "aws")
    status, text, _ = penstock("size", *load, "--first-token", "2ms")
    least = " ".join(text.split()).split("Raise --first-token to ")[1].split(" or more")[0]

    assert status == 1
    status, text, _ = penstock("size", *load, "--first-token", least)
    assert status == 0
    assert f"{least.removesuffix('ms')} ms allowed" in " ".join(text.split())
