"""The 2B transformer, worked by hand: memory, time, money, checkpoints, network; and what mixes save."""

from __future__ import annotations

import pytest
from tests.sizing.requests import asked, hardware

from penstock.cost.interruptions import young_interval_s
from penstock.cost.purchase import PurchaseMix, advises_spot, blended_price
from penstock.report.sizing.scale import speed_figures
from penstock.sizing.checkpoints import checkpoint_of
from penstock.sizing.energy import energy_of
from penstock.sizing.failures import HOUR_S, interruptions, job_mtbf
from penstock.sizing.memory import GB, Layout, training_memory
from penstock.sizing.memory_classes import memory_classes, recommended_range
from penstock.sizing.ranking import Choice, choice_of, ranking_of
from penstock.sizing.traffic import ring_bytes
from penstock.sizing.training import TrainingPlan

TWO_BILLION = {"parameters": "2B", "sequence": "2048", "micro_batch": "4", "layers": "24", "hidden": "2560"}


def test_its_memory_is_the_sum_that_is_worked_by_hand() -> None:
    shape = asked(**TWO_BILLION).shape
    kept = training_memory(shape, Layout(micro_batch=4), sequence=2048)
    twice = training_memory(shape, Layout(micro_batch=4, recompute=True), sequence=2048)

    assert kept.weights + kept.gradients + kept.optimizer == 36e9
    assert kept.activations / GB == pytest.approx(17.1, abs=0.05)
    assert twice.activations / GB == pytest.approx(1.0 + 0.7, abs=0.05)
    assert kept.logits / GB == pytest.approx(2.5, abs=0.05)
    assert kept.total / GB == pytest.approx(61, abs=0.5)
    assert twice.total / GB == pytest.approx(45, abs=0.7)


def test_accelerators_with_40_to_80_gb_fit_it_and_the_reason_is_derived() -> None:
    classes = {each.gib: each for each in memory_classes(asked(**TWO_BILLION))}

    assert recommended_range(tuple(classes.values())) == (40, 80)
    assert classes[80].remedy == "a whole replica on each accelerator"
    assert classes[40].remedy == "the optimiser shared by 8 (ZeRO-1)"
    assert classes[24].remedy is not None
    assert "computed twice" in classes[24].remedy


def test_the_machine_that_is_recommended_has_40_to_80_gb() -> None:
    found = ranking_of(asked(**TWO_BILLION, cloud="aws")).recommended

    assert found is not None
    assert 40 <= found.hardware.memory / 2**30 <= 80


@pytest.mark.parametrize(
    ("machine_type", "hours", "usd"),
    [
        ("Standard_ND96isr_MI300X_v5", 42.7, 2051),
        ("p5.48xlarge", 42.1, 2319),
        ("p6-b200.48xlarge", 21.2, 2411),
        ("p5en.48xlarge", 40.1, 2540),
    ],
)
def test_its_time_and_cost_are_near_those_of_the_planning_figures(machine_type: str, hours: float, usd: float) -> None:
    choice = choice_of(asked(**TWO_BILLION), hardware(machine_type))

    assert isinstance(choice, Choice)
    assert choice.hours == pytest.approx(hours, rel=0.2)
    assert choice.usd == pytest.approx(usd, rel=0.2)


def test_calendar_time_is_a_third_longer_than_the_job_and_marked() -> None:
    choice = choice_of(asked(**TWO_BILLION), hardware("p5.48xlarge"))
    assert isinstance(choice, Choice)
    (figure,) = [each for each in speed_figures(asked(**TWO_BILLION), choice) if each.what == "calendar time"]

    assert figure.value == "42.2 h to 57.0 h"
    assert figure.unverified


def test_a_checkpoint_is_28_gb_and_young_says_when() -> None:
    checkpoint = checkpoint_of(asked(**TWO_BILLION))

    assert checkpoint.size == 28e9
    minutes = [young_interval_s(5.6, job_mtbf(nodes, 6300 * HOUR_S)) / 60 for nodes in (8, 64, 256)]
    assert minutes == pytest.approx([94, 33, 17], abs=0.5)


def test_spot_that_stops_every_six_hours_loses_five_percent_where_training_waits_for_its_checkpoints() -> None:
    lost = interruptions(5.6, write_s=0, mtbf_s=6 * HOUR_S, restart_s=600)

    assert lost.interval_s / 60 == pytest.approx(8, abs=0.5)
    assert lost.lost == pytest.approx(0.05, abs=0.005)


def test_gradients_take_18_ms_between_8_machines_and_560_ms_over_ethernet() -> None:
    sent = ring_bytes(4e9, 8)

    assert sent / 400e9 == pytest.approx(0.0175)
    assert sent / 12.5e9 == pytest.approx(0.56)


def test_a_slow_network_is_reported_where_gradients_do_not_hide() -> None:
    request = asked(parameters="2B", sequence="2048", batch="0.5M", accelerators="64")
    choice = choice_of(request, hardware("p5.48xlarge"))

    assert isinstance(choice, Choice)
    assert isinstance(choice.plan, TrainingPlan)
    assert choice.plan.placement.traffic.ethernet_slowdown > 1.05
    assert choice.plan.placement.traffic.slowdown == pytest.approx(1)


def test_a_day_and_a_half_in_stockholm_emits_little() -> None:
    chip = hardware("p5.48xlarge").chip
    virginia = energy_of(chip, 8, 42, region="us-east-1", cloud="aws")
    stockholm = energy_of(chip, 8, 42, region="eu-north-1", cloud="aws")

    assert virginia.kwh == pytest.approx(214, abs=1)
    assert virginia.carbon_kg == pytest.approx(81, abs=1)
    assert stockholm.carbon_kg == pytest.approx(1.9, abs=0.1)


@pytest.mark.parametrize(
    ("reserved", "spot", "saved"),
    [(0.4, 0.1, 0.21), (0.7, 0, 0.26), (0.5, 0.2, 0.31), (0, 0.5, 0.31), (0.6, 0.2, 0.35), (0.7, 0.2, 0.38)],
)
def test_a_mix_of_reserved_and_spot_saves_20_to_40_percent(reserved: float, spot: float, saved: float) -> None:
    shares = PurchaseMix.of(reserved=reserved, spot=spot)

    assert 1 - blended_price(1.0, shares, discount=0.37, spot_usd=0.35, lost=0.08) == pytest.approx(saved, abs=0.006)


def test_spot_is_refused_where_what_it_repeats_costs_more_than_it_saves() -> None:
    assert advises_spot(1.0, 0.9, 0.08)
    assert not advises_spot(1.0, 0.93, 0.08)
