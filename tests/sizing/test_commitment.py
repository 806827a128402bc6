"""A reservation outlasts most jobs: what all of it costs is said beside the part that the job uses."""

from __future__ import annotations

import json

import pytest
from tests.sizing.requests import asked, hardware

from penstock.report.sizing.forms import as_json, as_markdown, as_text
from penstock.report.sizing.report import sizing_document
from penstock.sizing.ranking import Choice, choice_of, ranking_of

JOB = {"parameters": "7B", "tokens": "140B", "machine_type": "p5.48xlarge", "reserved": "0.6", "spot": "0.2"}


def chosen(**fields: str) -> Choice:
    found = choice_of(asked(**fields), hardware("p5.48xlarge"))
    assert isinstance(found, Choice)
    return found


@pytest.mark.parametrize("years", [1, 3])
def test_the_whole_commitment_is_paid_for_its_years(years: int) -> None:
    choice = chosen(**JOB, years=str(years))
    found, price = choice.commitment, choice.offer.price
    assert found is not None
    assert price is not None
    assert choice.blend.discount is not None

    each = price.usd * (1 - choice.blend.discount)
    assert found.machines == pytest.approx(0.6 * choice.plan.nodes)
    assert found.usd == pytest.approx(found.machines * each * 8760 * years)
    assert found.counted_usd == pytest.approx(found.usd * choice.hours / (8760 * years))
    assert choice.blended_usd is not None
    assert found.counted_usd < choice.blended_usd < found.usd


def test_the_commitment_is_said_in_the_answer_of_every_form() -> None:
    request = asked(**JOB)
    ranking = ranking_of(request)
    document = sizing_document(request, ranking)
    (sentence,) = [each for each in document.answer if "commits you to" in each]

    assert ranking.choices[0].commitment is not None
    assert f"{ranking.choices[0].commitment.usd:,.0f} USD" in sentence
    assert " ".join(as_text(document).split()).count(sentence) == 1
    assert sentence in as_markdown(document)
    body = json.loads(as_json(document, request, ranking))
    assert sentence in body["answer"]
    assert body["choices"][0]["commitment"]["usd"] == pytest.approx(ranking.choices[0].commitment.usd)


def test_without_a_reserved_share_and_where_the_job_outlasts_it_nothing_is_said() -> None:
    assert chosen(**{**JOB, "reserved": "0"}).commitment is None
    assert chosen(**{**JOB, "tokens": "10T", "accelerators": "8"}, deadline="2000d").commitment is None
