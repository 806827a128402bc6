"""What `--write` writes rehearses clean on each cloud: no finding at all."""

from __future__ import annotations

import pytest
from tests.sizing.requests import asked

from penstock.cost import cost_of
from penstock.cost.bill import HOURS_A_MONTH
from penstock.description.usage import parse_usage
from penstock.sizing.description import description_of, usage_of
from penstock.sizing.ranking import ranking_of
from penstock.testing import rehearse

pytestmark = pytest.mark.slow

CASES = [
    {"parameters": "2B", "cloud": "aws"},
    {"parameters": "2B", "cloud": "gcp", "accelerator": "h100"},
    {"parameters": "2B", "cloud": "azure"},
    {"parameters": "70B", "tokens": "1.4T", "cloud": "aws", "accelerator": "h100", "reserved": "0.6", "spot": "0.2"},
    {"parameters": "70B", "tokens": "1.4T", "cloud": "gcp", "accelerator": "h100"},
    {"parameters": "70B", "tokens": "1.4T", "cloud": "azure", "accelerator": "h100", "deadline": "60d"},
    {"parameters": "7B", "tokens": "1T", "cloud": "gcp", "accelerator": "tpu-v5p"},
    {"parameters": "70B", "task": "serve", "requests_per_second": "5", "cloud": "aws"},
    {"parameters": "8B", "task": "serve", "requests_per_second": "50", "cloud": "gcp"},
    {"parameters": "70B", "task": "serve", "requests_per_second": "5", "cloud": "azure"},
    {"parameters": "70B", "task": "serve", "requests_per_second": "40", "accelerator": "h100", "reserved": "0.6"},
    {
        "parameters": "70B",
        "task": "serve",
        "requests_per_second": "40",
        "cloud": "gcp",
        "machine_type": "a3-megagpu-8g",
    },
    {"parameters": "70B", "task": "serve", "requests_per_second": "40", "cloud": "gcp", "accelerator": "h200"},
    {"parameters": "70B", "task": "serve", "requests_per_second": "40", "machine_type": "p5e.48xlarge"},
    {"parameters": "70B", "task": "serve", "requests_per_second": "5", "cloud": "aws", "accelerator": "trainium"},
]


@pytest.mark.parametrize("fields", CASES, ids=lambda fields: "-".join(fields.values()))
def test_the_description_of_a_choice_rehearses_clean(fields: dict[str, str]) -> None:
    request = asked(**fields)
    choice = ranking_of(request).recommended
    assert choice is not None
    rehearsal = rehearse(description_of(request, choice))

    assert rehearsal.findings == ()
    assert rehearsal.graph


@pytest.mark.parametrize("cloud", ["aws", "gcp", "azure"])
def test_the_bill_of_replicas_has_the_commitment_of_all_their_pools(cloud: str) -> None:
    served = {"parameters": "70B", "task": "serve", "requests_per_second": "60", "reserved": "0.5"}
    request = asked(**served, cloud=cloud, accelerator="a100-80gb")
    choice = ranking_of(request).recommended
    assert choice is not None
    assert choice.blended_usd is not None
    graph = rehearse(description_of(request, choice)).graph
    cost = cost_of(graph, parse_usage(usage_of(request, choice)))

    machines = sum(line.monthly_usd for line in cost.lines if choice.hardware.machine_type in line.what)
    assert machines == pytest.approx(choice.blended_usd, rel=0.1)
    assert not cost.unmatched
    assert not cost.misdeclared


@pytest.mark.parametrize("cloud", ["aws", "gcp", "azure"])
def test_the_bill_of_what_is_written_has_the_commitment(cloud: str) -> None:
    request = asked(parameters="70B", tokens="1.4T", cloud=cloud, accelerator="h100", reserved="0.6", deadline="60d")
    choice = ranking_of(request).recommended
    assert choice is not None
    assert choice.blended_usd is not None
    graph = rehearse(description_of(request, choice)).graph
    cost = cost_of(graph, parse_usage(usage_of(request, choice)))

    machines = sum(line.monthly_usd for line in cost.lines if choice.hardware.machine_type in line.what)
    assert machines == pytest.approx(choice.blended_usd / choice.hours * HOURS_A_MONTH, rel=0.02)
    assert not cost.unmatched
    assert not cost.misdeclared


def test_without_a_reserved_share_no_usage_is_written() -> None:
    request = asked(parameters="2B", cloud="aws")
    choice = ranking_of(request).recommended
    assert choice is not None
    assert usage_of(request, choice) is None
