"""Training times of published runs: papers that the fit never saw, and the whole planner on the best known runs."""

from __future__ import annotations

from pathlib import Path
from statistics import median

import pytest
from tools.fit_mfu import NAMES, WITHIN, coefficients, data_set, error, fp8_gain, markdown, times_apart, unseen_error
from tools.training_runs import Run, runs

from penstock.catalog.mfu_fit import coefficient
from penstock.sizing.hardware import Hardware, all_hardware
from penstock.sizing.ranking import ranking_of
from penstock.sizing.request import SizingRequest
from penstock.sizing.request_fields import request_of
from penstock.sizing.training import TrainingPlan, fastest_on

MISSED = {
    # Slower than derived, on A100.
    "Amber 7B",
    "CroissantLLM 1.3B",
    "Granite 13B",
    "Llama 2 34B",
    "Llemma 34B",
    "MT-NLG 530B 420 nodes",
    "StableLM 2 1.6B",
    "StarCoder 15.5B",
    # Faster than derived, on A100.
    "MPT 30B on A100",
    "MegaScale 175B 256",
    "StarCoder2 3B",
    # Slower, on H100.
    "Granite 3.0 8B",
    "JetMoE 8B",
    "Llama 3 8B",
    "Llama 3.1 8B",
    # Faster, on H100.
    "Llama 4 Maverick 400B",
    "Llama 4 Scout 109B",
    "MPT 30B on H100",
    "Olmo 3 7B",
}
"""Runs that a fit without their paper puts further than 20 % from what was published."""

GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "sizing.md"
PLANNED = ("LLaMA 65B", "Llama 2 7B", "Llama 2 70B", "BLOOM 176B", "Falcon 180B", "Llama 3 70B", "Llama 3.1 405B")
MACHINES = {"a100": "p4d.24xlarge", "a100-80gb": "p4de.24xlarge", "h100": "p5.48xlarge", "h800": "p5.48xlarge"}


def named(name: str) -> Run:
    return next(each for each in runs() if each.name == name)


def machine(machine_type: str) -> Hardware:
    return next(each for each in all_hardware(("aws",)) if each.machine_type == machine_type)


def test_the_shipped_coefficients_are_those_of_the_data() -> None:
    assert data_set().differences() == []
    assert {name: round(coefficients()[name], 4) for name in (*NAMES, "fp8")} == {
        name: coefficient(name) for name in (*NAMES, "fp8")
    }


def test_a_fit_without_a_paper_does_not_depend_on_its_runs() -> None:
    assert coefficients("Llama 3") != coefficients()
    assert {each.paper for each in runs() if each.name.startswith("Llama 3")} == {"Llama 3"}


def test_most_runs_of_papers_that_the_fit_never_saw_come_within_20_percent() -> None:
    errors = [abs(unseen_error(each)) for each in runs() if each.scored]

    assert sum(each <= WITHIN for each in errors) >= 0.7 * len(errors)
    assert median(errors) <= 0.15


def test_runs_on_hardware_that_the_fit_never_saw_come_within_20_percent() -> None:
    assert not named("PaLM 540B").fitted
    assert abs(error(named("PaLM 540B")) or 1) <= WITHIN


def test_the_runs_that_miss_are_known() -> None:
    assert {each.name for each in runs() if each.scored and abs(unseen_error(each)) > WITHIN} == MISSED


def test_how_a_paper_gives_its_time_decides_what_the_run_is_used_for() -> None:
    assert {each.time for each in runs()} == {"hours", "throughput", "calendar", "rough"}
    assert not any(each.scored for each in runs() if each.time in ("calendar", "rough"))
    assert not any(each.fitted for each in runs() if each.time == "rough")


def test_calendar_time_is_longer_than_training() -> None:
    assert coefficients()["calendar"] < 0


def test_four_of_five_runs_took_what_the_report_calls_the_range() -> None:
    times = [1 / (1 + unseen_error(each)) for each in runs() if each.scored]
    inside = [each for each in times if coefficient("fast_tenth") <= each <= coefficient("slow_tenth")]

    assert len(inside) / len(times) == pytest.approx(0.8, abs=0.03)


def test_the_guide_lists_every_run_with_its_error() -> None:
    assert markdown() in GUIDE.read_text(encoding="utf-8")


def test_runs_that_the_fit_cannot_tell_apart_are_themselves_apart() -> None:
    apart = times_apart()

    assert len(apart) == 31
    assert sum(each <= 1 + WITHIN for each in apart) == 19
    assert sum(each > (1 + WITHIN) / (1 - WITHIN) for each in apart) == 7


def test_fp8_gains_less_than_its_peak_promises() -> None:
    assert 0 < fp8_gain() < 0.69


def test_every_run_names_its_source() -> None:
    assert all(each.source for each in runs())


@pytest.mark.parametrize("name", PLANNED)
def test_the_planner_takes_as_long_as_the_run_did(name: str) -> None:
    run = named(name)
    plan = planned(run)

    assert abs(plan.wall_seconds / 3600 * plan.accelerators / run.accelerator_hours - 1) <= WITHIN


def test_the_planner_takes_as_long_as_a_mixture_of_experts_in_fp8_did() -> None:
    run = named("DeepSeek-V3 671B")
    plan = planned(run, active="37B", experts="256", experts_per_token="8", precision="fp8", batch="63M")

    assert abs(plan.wall_seconds / 3600 * plan.accelerators / run.accelerator_hours - 1) <= WITHIN


def test_palm_can_be_tried_as_the_guide_says() -> None:
    given = (
        "--parameters 540.35B --tokens 780B --sequence 2048 --accelerator tpu-v4 --accelerators 6144 --recompute full"
    )
    options = given.removeprefix("--").split(" --")
    request = request_of(dict(option.split() for option in options))
    assert isinstance(request, SizingRequest)
    choice = ranking_of(request).recommended

    assert given in GUIDE.read_text(encoding="utf-8")
    assert choice is not None
    assert choice.offer.region == "us-central2"
    assert choice.hours * choice.plan.accelerators == pytest.approx(named("PaLM 540B").accelerator_hours, rel=0.03)


def test_the_405b_keeps_the_effective_time_that_its_paper_reports() -> None:
    assert planned(named("Llama 3.1 405B")).interruptions.lost < 0.1


def planned(run: Run, **more: str) -> TrainingPlan:
    request = request_of(
        {
            "parameters": f"{run.parameters}B",
            "tokens": f"{run.tokens}B",
            "sequence": str(run.sequence),
            "accelerators": str(run.accelerators),
            "recompute": "full" if run.full_recompute else "auto",
            **more,
        }
    )
    assert isinstance(request, SizingRequest), request
    found = machine(MACHINES[run.accelerator])
    plan = fastest_on(request, found, run.accelerators // found.each)
    assert plan is not None
    return plan
