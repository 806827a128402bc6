"""Serving: compute at the peak of a precision, exchange over real links, long prompts, and limits of both latencies."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.sizing.requests import asked, hardware
from tools import fit_serving
from tools.serving_runs import serving_runs

from penstock.catalog.chips import all_chips, find_chip
from penstock.catalog.links import find_link, link_of
from penstock.catalog.software_stacks import find_stack
from penstock.report.sizing.forms import as_text
from penstock.report.sizing.report import sizing_document
from penstock.sizing.description import description_of, stack_file
from penstock.sizing.ranking import Choice, Excluded, Ranking, choice_of, ranking_of
from penstock.sizing.serving import ServingPlan
from penstock.sizing.serving_speed import Replica, fitted_efficiency
from penstock.sizing.shape import shape_of

GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "sizing.md"
SERVED = {"task": "serve", "parameters": "70B", "requests_per_second": "50"}


def replica(accelerator: str, precision: str = "fp8", *, tensor: int = 1, link: str | None = None) -> Replica:
    chip = find_chip(accelerator)
    return Replica(
        shape=shape_of(70e9, layers=80, hidden=8192, heads=64, kv_heads=8),
        chip=chip,
        link=find_link(link) if link is not None else link_of("", chip.link),
        tensor=tensor,
        precision=precision,
        efficiency=fitted_efficiency(),
    )


def plan_of(machine_type: str, **fields: str) -> ServingPlan:
    found = choice_of(asked(**SERVED, **fields), hardware(machine_type))
    assert isinstance(found, Choice), found
    assert isinstance(found.plan, ServingPlan)
    return found.plan


def first_screen(**fields: str) -> str:
    request = asked(**fields)
    text = as_text(sizing_document(request, ranking_of(request)))
    return " ".join(text.split("Below: SCALE")[0].split())


def test_the_shipped_coefficients_are_those_of_the_data() -> None:
    assert fit_serving.data_set().differences() == []
    assert find_chip("mi300x").relative_serving == pytest.approx(fit_serving.coefficients()["mi300x"], abs=0.005)


def test_the_guide_has_the_errors_of_what_is_held_out() -> None:
    guide = " ".join(GUIDE.read_text(encoding="utf-8").replace(" %", "%").split())

    assert all(each.replace(" %", "%") in guide for each in fit_serving.summary())


def test_no_model_that_the_fit_sees_is_held_out_on_the_same_accelerator() -> None:
    seen = {(each.model, each.accelerator, each.measured) for each in serving_runs() if not each.held_out}
    held_out = {(each.model, each.accelerator, each.measured) for each in serving_runs() if each.held_out}

    assert len(held_out) > len(seen)
    assert not seen & held_out


@pytest.mark.parametrize(
    ("accelerator", "precisions"),
    [
        ("h100", ("bf16", "fp8")),
        ("h200", ("bf16", "fp8")),
        ("l40s", ("bf16", "fp8")),
        ("a100-80gb", ("bf16", "int8")),
        ("b200", ("bf16", "fp8", "fp4")),
        ("gb200", ("bf16", "fp8", "fp4")),
        ("rtx-pro-6000", ("bf16", "fp8", "fp4")),
    ],
)
def test_a_prompt_is_read_faster_in_a_precision_with_a_higher_peak(
    accelerator: str, precisions: tuple[str, ...]
) -> None:
    times = [replica(accelerator, each).prompt_seconds(2000) for each in precisions]

    assert times == sorted(times, reverse=True)
    assert times[0] > 1.1 * times[-1]


def test_weights_of_four_bits_without_fp4_are_read_faster_and_multiplied_no_faster() -> None:
    plain, packed = replica("h100", "bf16", tensor=2), replica("h100", "int4", tensor=2)

    assert packed.prompt_seconds(2000) == pytest.approx(plain.prompt_seconds(2000))
    assert packed.step(1, 500).seconds < plain.step(1, 500).seconds


@pytest.mark.parametrize("precision", ["fp8", "fp4", "int8"])
def test_a_chip_without_a_precision_is_left_out_and_one_that_has_it_is_named(precision: str) -> None:
    request = asked(**SERVED, precision=precision)
    found = [each for each in ranking_of(request).excluded if each.why == f"has no {precision.upper()}"]
    named = {re.search(r"such as (\S+)\.", each.fix)[1] for each in found}  # type: ignore[index]

    assert found
    assert all(find_chip(each.hardware.chip.accelerator).peak_tflops(precision) is None for each in found)
    assert all(find_chip(each).peak_tflops(precision) for each in named)


def test_h200_answers_more_than_h100_and_costs_less_where_memory_counts() -> None:
    short, long = {"input_tokens": "1000"}, {"input_tokens": "8000", "output_tokens": "2000", "token_latency": "100ms"}

    for fields in (short, long):
        assert plan_of("p5en.48xlarge", **fields).accelerators <= plan_of("p5.48xlarge", **fields).accelerators
    h100, h200 = (plan_of(each, **long) for each in ("p5.48xlarge", "p5en.48xlarge"))
    dearer = 63.30 / 55.04  # the list prices of 2026
    assert h200.nodes * dearer < h100.nodes


@pytest.mark.parametrize(("slow", "fast"), [("pcie-4", "nvswitch-3"), ("pcie-5", "nvswitch-4"), ("pcie-3", "pcie-5")])
def test_sums_over_a_slower_link_take_longer(slow: str, fast: str) -> None:
    one, other = (replica("h100", tensor=4, link=each) for each in (slow, fast))

    assert one.step(64, 1000).seconds > other.step(64, 1000).seconds
    assert one.prompt_seconds(4000) > other.prompt_seconds(4000)


def test_a_single_accelerator_exchanges_nothing() -> None:
    assert replica("h100", link="pcie-3").step(64, 1000) == replica("h100", link="nvswitch-4").step(64, 1000)


def test_four_accelerators_of_a_bridged_machine_exchange_over_pcie() -> None:
    bridged, plain = (replica("a100-80gb", "bf16", tensor=4, link=each) for each in ("nvlink-bridge", "pcie-4"))
    pair = replica("a100-80gb", "bf16", tensor=2, link="nvlink-bridge")

    assert bridged.prompt_seconds(1000) == plain.prompt_seconds(1000)
    assert pair.prompt_seconds(1000) < replica("a100-80gb", "bf16", tensor=2, link="pcie-4").prompt_seconds(1000)
    assert hardware("Standard_NC96ads_A100_v4").link == find_link("nvlink-bridge")
    assert hardware("p4de.24xlarge").link == find_link("nvswitch-3")


def test_attention_is_most_of_a_long_prompt() -> None:
    small = replace(replica("h100", "bf16"), shape=shape_of(8e9, layers=32, hidden=4096, heads=32, kv_heads=8))

    assert small.prompt_seconds(120_000) > 3 * 120 * small.prompt_seconds(1000)
    assert small.prompt_seconds(120_000) > (2 * 8e9 * 120_000 + 2 * 32 * 4096 * 120_000**2) / 989e12


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 512), st.integers(1, 512), st.integers(1, 50_000), st.integers(1, 50_000))
def test_more_sequences_and_longer_ones_never_take_less_time(few: int, more: int, short: int, longer: int) -> None:
    found = replica("h200", tensor=2)

    assert found.step(few + more, short + longer).seconds >= found.step(few, short).seconds
    assert found.prompt_seconds(short + longer) > found.prompt_seconds(short)


@pytest.mark.parametrize("limit", ["40ms", "80ms", "150ms", "300ms", "1s"])
def test_what_answers_meets_the_limit_of_the_first_token(limit: str) -> None:
    request = asked(**SERVED, precision="fp8", first_token=limit)
    ranking = ranking_of(request)

    assert request.traffic is not None
    assert request.traffic.first_token_s is not None
    for each in ranking.choices:
        assert isinstance(each.plan, ServingPlan)
        assert each.plan.first_token_seconds <= request.traffic.first_token_s
    late = [each for each in ranking.excluded if each.why == "cannot generate the first token in time"]
    assert all((each.first_token_seconds or 0) > request.traffic.first_token_s for each in late)


def test_a_shorter_limit_rules_machines_out_and_says_so() -> None:
    free, limited = (ranking_of(asked(**SERVED, **more)) for more in ({}, {"first_token": "60ms"}))

    assert len(limited.choices) < len(free.choices)
    assert any(each.why == "cannot generate the first token in time" for each in limited.excluded)
    assert "60 ms allowed" in first_screen(**SERVED, first_token="60ms")


def test_a_limit_that_nothing_meets_is_answered_with_one_that_is_met() -> None:
    document = sizing_document(request := asked(**SERVED, first_token="1ms"), ranking_of(request))
    wanted = re.search(r"Raise --first-token to (\d+ms) or more", document.answer[0])

    assert wanted is not None
    assert ranking_of(asked(**SERVED, first_token=wanted[1])).choices


def test_serving_has_two_machines_so_that_one_can_fail() -> None:
    for each in ranking_of(asked(task="serve", parameters="8B", requests_per_second="1")).choices:
        assert each.plan.nodes >= 2


@pytest.mark.parametrize(
    ("machine_type", "stack"),
    [
        ("trn1.32xlarge", "AWS Neuron"),
        ("inf2.48xlarge", "AWS Neuron"),
        ("ct6e-standard-8t", "JAX and XLA"),
        ("Standard_ND96isr_MI300X_v5", "AMD ROCm"),
    ],
)
def test_a_port_is_named_in_the_first_screen_with_the_best_choice_without_one(machine_type: str, stack: str) -> None:
    screen = first_screen(task="serve", parameters="8B", requests_per_second="5", machine_type=machine_type)

    assert f"a port to {stack}" in screen


def test_a_port_that_saves_little_is_not_recommended() -> None:
    ranking = ranking_of(asked(task="serve", parameters="1B", requests_per_second="1"))
    found, native = ranking.recommended, ranking.without_port

    assert found is not None
    assert native is not None
    assert not found.is_port or (found.compared_usd or 0) * 1.25 < (native.compared_usd or 0)


def test_every_chip_that_serves_has_a_link_and_a_stack() -> None:
    for chip in all_chips():
        if chip.serves:
            assert link_of("", chip.link) is not None
            assert find_stack(chip.software or "")
            assert chip.relative_serving_source


@pytest.mark.parametrize(
    ("fields", "spread"),
    [
        ({"cloud": "aws", "accelerator": "h100"}, 1),
        ({"cloud": "aws", "accelerator": "l40s"}, 1),
        ({"cloud": "aws", "accelerator": "trainium"}, 1),
        ({"cloud": "gcp", "accelerator": "tpu-v6e"}, 1),
        ({"cloud": "gcp", "accelerator": "h100", "region": "us-central1"}, 2),
        ({"cloud": "aws", "accelerator": "h100", "region": "us-east-1", "reserved": "1"}, 2),
        ({"cloud": "azure", "accelerator": "h100-nvl", "region": "eastus"}, 2),
        ({"cloud": "azure", "accelerator": "h200", "region": "eastus2"}, 2),
    ],
    ids=lambda value: "-".join(value.values()) if isinstance(value, dict) else "",
)
def test_what_is_written_puts_replicas_into_two_zones(fields: dict[str, str], spread: int) -> None:
    """A pool without a fabric spreads over zones; where a pool lies in one zone, there are two."""
    request = asked(**{**SERVED, "requests_per_second": "5"}, **fields)
    choice = ranking_of(request).recommended
    assert choice is not None
    pools = description_of(request, choice)["node_pools"][1:]

    assert len(pools) == spread
    assert sum(pool["nodes"] for pool in pools) == choice.plan.nodes >= 2
    if spread == 1:
        wired = choice.hardware.fast_fabric and choice.hardware.slices is None
        assert not wired or pools[0]["fabric"] == pools[0]["placement"] == "none"
    else:
        assert len({pool["zone"] for pool in pools}) == 2
        assert "Zones are a proposal" in stack_file(request, choice)


@pytest.mark.parametrize(
    ("machine_type", "region", "why"),
    [
        ("a4-highgpu-8g", "us-east4", "us-east4 is only known to sell a4-highgpu-8g in us-east4-b"),
        ("Standard_NC24ads_A100_v4", "northcentralus", "northcentralus has no zones"),
    ],
)
def test_a_region_in_which_a_zone_cannot_fail_alone_is_named(machine_type: str, region: str, why: str) -> None:
    request = asked(task="serve", parameters="8B", requests_per_second="5", machine_type=machine_type)
    choice = choice_of(replace(request, region=region), hardware(machine_type))
    assert isinstance(choice, Choice), choice
    text = as_text(sizing_document(request, Ranking(choices=(choice,), excluded=())))

    assert why in " ".join(text.split())


@pytest.mark.parametrize("load", ["0.1", "1", "5", "50"])
def test_a_load_that_does_not_fill_batches_is_answered_faster(load: str) -> None:
    for each in ranking_of(asked(task="serve", parameters="8B", requests_per_second=load)).choices:
        assert isinstance(each.plan, ServingPlan)
        assert each.plan.load_token_seconds <= each.plan.token_seconds


@pytest.mark.parametrize("machine_type", ["inf2.48xlarge", "trn1.32xlarge"])
def test_a_stack_without_weights_of_four_bits_is_left_out(machine_type: str) -> None:
    found = choice_of(asked(**SERVED, precision="int4"), hardware(machine_type))

    assert isinstance(found, Excluded)
    assert "AWS Neuron" in found.why


def test_no_machine_does_what_is_too_large() -> None:
    found = choice_of(asked(**SERVED), hardware("g6.xlarge"))

    assert isinstance(found, Excluded)
    assert found.why.startswith("does not fit")
