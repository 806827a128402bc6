"""Reviewed reports: what a planner reads of the well-known cases. `--accept` writes them anew, for a person to read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.sizing.requests import asked

from penstock.report.sizing.forms import as_json, as_markdown, as_text
from penstock.report.sizing.report import sizing_document
from penstock.sizing.ranking import Ranking, ranking_of
from penstock.sizing.request import SizingRequest

GOLDEN = Path(__file__).parents[1] / "golden" / "size"
pytestmark = pytest.mark.slow

CASES = {
    "2b": {"parameters": "2B", "sequence": "2048", "layers": "24", "hidden": "2560", "on_premises": "true"},
    "70b": {
        "parameters": "70B",
        "tokens": "1.4T",
        "sequence": "8192",
        "cloud": "aws",
        "reserved": "0.6",
        "spot": "0.2",
        "accelerator": "h100",
        "on_premises": "true",
    },
    "405b": {"parameters": "405B", "tokens": "15.6T", "sequence": "8192", "accelerators": "16384", "cloud": "aws"},
    "mixture-of-experts": {
        "parameters": "671B",
        "active": "37B",
        "experts": "256",
        "experts_per_token": "8",
        "tokens": "14.8T",
        "precision": "fp8",
        "deadline": "60d",
        "batch": "63M",
    },
    "lora": {"parameters": "70B", "task": "lora", "tokens": "50M", "sequence": "8192", "deadline": "1d"},
    "serve-8b": {"parameters": "8B", "task": "serve", "requests_per_second": "20", "precision": "fp8"},
    "serve-70b": {"parameters": "70B", "task": "serve", "requests_per_second": "5", "cloud": "azure"},
}


@pytest.fixture(scope="module", params=CASES)
def case(request: pytest.FixtureRequest) -> tuple[str, SizingRequest, Ranking]:
    found = asked(**CASES[request.param])
    return request.param, found, ranking_of(found)


def test_a_report_is_as_reviewed(case: tuple[str, SizingRequest, Ranking], request: pytest.FixtureRequest) -> None:
    name, asked_for, ranking = case
    text = as_text(sizing_document(asked_for, ranking))
    golden = GOLDEN / f"{name}.txt"
    if request.config.getoption("--accept"):
        golden.write_text(text, encoding="utf-8")

    assert text == golden.read_text(encoding="utf-8")


def test_every_figure_has_a_value_and_says_how_it_follows_or_whence_it_comes(
    case: tuple[str, SizingRequest, Ranking],
) -> None:
    _, asked_for, ranking = case

    for figure in sizing_document(asked_for, ranking).figures():
        assert figure.value
        assert figure.how or figure.source, figure


def test_a_report_has_every_step_of_both_frameworks(case: tuple[str, SizingRequest, Ranking]) -> None:
    _, asked_for, ranking = case
    document = sizing_document(asked_for, ranking)

    assert {name: [each.title[0] for each in sections] for name, sections in document.frameworks} == {
        name: list(name) for name in ("SCALE", "DEPLOY")
    }


def test_the_sum_of_the_bill_is_its_total(case: tuple[str, SizingRequest, Ranking]) -> None:
    for choice in case[2].choices:
        if choice.usd is not None and choice.blended_usd is not None:
            assert choice.usd == pytest.approx(choice.blended_usd + (choice.storage_usd or 0))


def test_a_machine_without_a_price_is_never_free(case: tuple[str, SizingRequest, Ranking]) -> None:
    choices = case[2].choices

    assert all(each.usd is None or each.usd > 0 for each in choices)
    known = [each.usd is not None for each in choices]
    assert known == sorted(known, reverse=True)


def test_every_machine_type_is_chosen_or_has_a_reason(case: tuple[str, SizingRequest, Ranking]) -> None:
    assert all(each.why for each in case[2].excluded)


def test_json_has_plain_numbers_and_markdown_whole_tables(case: tuple[str, SizingRequest, Ranking]) -> None:
    _, asked_for, ranking = case
    document = sizing_document(asked_for, ranking)
    body = json.loads(as_json(document, asked_for, ranking))

    assert [each["machine_type"] for each in body["choices"]] == [
        each.hardware.machine_type for each in ranking.choices
    ]
    assert body["choices"][0]["hours"] > 0
    rows = [line for line in as_markdown(document).splitlines() if line.startswith("|")]
    assert rows
    assert all(line.endswith("|") for line in rows)


def test_without_a_machine_the_reasons_are_the_report() -> None:
    request = asked(parameters="405B", tokens="15T", deadline="1h")
    ranking = ranking_of(request)
    text = as_text(sizing_document(request, ranking))

    assert not ranking.choices
    assert "No machine of the catalogue does this" in text
    assert "misses the deadline" in text
