"""Which machine is recommended: bounds of costs, machines without a price, equal prices; and layouts and QLoRA."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.sizing.requests import asked, hardware

from penstock.catalog.prices import Price
from penstock.report.sizing.forms import as_text
from penstock.report.sizing.report import sizing_document
from penstock.report.sizing.summary import reason
from penstock.sizing.hardware import MachineOffer
from penstock.sizing.ranking import Choice, Ranking, choice_of, ranking_of
from penstock.sizing.training import TrainingPlan

JOB = {"parameters": "7B", "tokens": "140B", "deadline": "20d"}
REQUESTS = [
    {"parameters": "7B", "tokens": "2T", "cloud": "gcp"},
    {"parameters": "70B", "tokens": "1.4T", "deadline": "60d"},
    {"parameters": "2B"},
    {"parameters": "70B", "task": "serve", "requests_per_second": "5"},
    {"parameters": "8B", "task": "serve", "requests_per_second": "20", "precision": "fp8"},
    {"parameters": "13B", "task": "finetune", "tokens": "100M"},
]


def priced(machine_type: str, usd: float | None, *, guess: bool = False) -> Choice:
    """A choice whose job costs so much."""
    found = choice_of(asked(**JOB), hardware(machine_type))
    assert isinstance(found, Choice)
    price = None
    if usd is not None:
        unverified = ("usd",) if guess else ()
        price = Price(usd=usd, unit="hour", source="list", as_of="2026-11", unverified=unverified)
    offer = MachineOffer(region=found.offer.region, way="on_demand", price=price, spot=None)
    return replace(found, offer=offer, machine_usd=usd, blended_usd=usd, storage_usd=0.0 if usd is not None else None)


def recommended(*choices: Choice, cost_decides: bool = True) -> str:
    found = Ranking(choices=choices, excluded=(), cost_decides=cost_decides).recommended
    assert found is not None
    return found.hardware.machine_type


def test_a_guess_far_below_a_confirmed_price_wins_and_one_within_its_bounds_of_it_does_not() -> None:
    confirmed = priced("p5.48xlarge", 1000)

    assert recommended(priced("a3-highgpu-8g", 700, guess=True), confirmed) == "a3-highgpu-8g"
    assert recommended(priced("a3-highgpu-8g", 900, guess=True), confirmed) == "p5.48xlarge"


@pytest.mark.parametrize("cost_decides", [True, False])
def test_a_machine_without_a_price_is_never_first(cost_decides: bool) -> None:
    free, dear = priced("p6-b200.48xlarge", None), priced("p4d.24xlarge", 1e6)

    assert recommended(free, dear, cost_decides=cost_decides) == "p4d.24xlarge"


@pytest.mark.parametrize("fields", REQUESTS, ids=lambda fields: "-".join(fields.values()))
def test_the_recommended_choice_has_a_price_and_costs_at_most_a_third_more_than_the_least_bound(
    fields: dict[str, str],
) -> None:
    ranking = ranking_of(asked(**fields))
    found = ranking.recommended
    assert found is not None
    assert found.compared_usd is not None
    least = min(each.compared_usd for each in ranking.choices if each.compared_usd is not None)

    assert found.compared_usd <= least * 1.25 * 1.05


def test_a_port_that_saves_less_than_it_takes_is_not_recommended() -> None:
    native, ported = priced("p5.48xlarge", 9000), priced("ct5p-hightpu-4t", 4100)

    assert recommended(ported, native) == "p5.48xlarge"
    assert recommended(ported, priced("p5.48xlarge", 9200)) == "ct5p-hightpu-4t"


def test_without_any_price_no_least_cost_is_claimed() -> None:
    ranking = Ranking(choices=(priced("p5.48xlarge", None), priced("p4d.24xlarge", None)), excluded=())

    assert "cost" not in reason(ranking)
    assert "No machine that does it has a known price" in reason(ranking)


@pytest.mark.parametrize("cost_decides", [True, False])
@pytest.mark.parametrize(
    ("plain", "wired"),
    [
        ("Standard_ND96is_MI300X_v5", "Standard_ND96isr_MI300X_v5"),
        ("a3-edgegpu-8g", "a3-megagpu-8g"),
        ("p5.48xlarge", "a3-megagpu-8g"),
    ],
)
def test_at_an_equal_price_and_time_the_faster_fabric_wins(plain: str, wired: str, *, cost_decides: bool) -> None:
    one, other = priced(plain, 1000), priced(wired, 1000)
    faster = max(one, other, key=lambda each: (each.hardware.fast_fabric, each.hardware.network_gb_s or 0))
    same = replace(other, plan=one.plan)

    assert recommended(one, same, cost_decides=cost_decides) == faster.hardware.machine_type
    assert recommended(same, one, cost_decides=cost_decides) == faster.hardware.machine_type


def test_machines_without_a_fabric_do_not_train_together_where_others_cost_little_more() -> None:
    many = asked(parameters="70B", tokens="1.4T", accelerators="512")
    plain, wired = (
        choice_of(many, hardware(each)) for each in ("Standard_ND96is_MI300X_v5", "Standard_ND96isr_MI300X_v5")
    )
    assert isinstance(plain, Choice)
    assert isinstance(wired, Choice)
    prices = [Price(usd=each, unit="hour", source="list", as_of="2026-11", unverified=()) for each in (46.0, 48.0)]
    both = [
        replace(each, offer=replace(each.offer, price=price), blended_usd=price.usd, storage_usd=0.0)
        for each, price in zip((plain, wired), prices, strict=True)
    ]

    assert recommended(*both, cost_decides=False) == "Standard_ND96isr_MI300X_v5"


def test_a_choice_outside_of_the_memory_that_fits_best_says_so() -> None:
    fields = {"parameters": "3B", "tokens": "1T", "cloud": "aws", "region": "eu-central-1", "deadline": "45d"}
    request = asked(**fields)
    ranking = ranking_of(request)
    choice = ranking.recommended
    assert choice is not None
    screen = " ".join(as_text(sizing_document(request, ranking)).split("Below:")[0].split())

    assert ranking.memory_gib is not None
    assert ranking.fits(choice) == ("cost less here" not in screen)
    assert "GiB fit the model best" in screen


@pytest.mark.parametrize(
    ("machine_type", "fields", "most_tensor", "most_pipeline"),
    [
        ("p5.48xlarge", {"parameters": "1B", "tokens": "1T", "accelerators": "512"}, 1, 1),
        ("p5.48xlarge", {"parameters": "3B", "tokens": "1T", "accelerators": "256"}, 1, 1),
        ("p5.48xlarge", {"parameters": "1B", "tokens": "10T", "deadline": "5d"}, 1, 1),
        ("p4d.24xlarge", {"parameters": "500M", "tokens": "10T", "deadline": "7d"}, 1, 1),
        ("p5.48xlarge", {"parameters": "7B", "tokens": "2T", "accelerators": "64"}, 1, 1),
        ("p4de.24xlarge", {"parameters": "13B", "tokens": "2T", "accelerators": "256"}, 1, 1),
        ("ct5p-hightpu-4t", {"parameters": "128B", "tokens": "2T", "accelerators": "512"}, 1, 1),
        ("ct5p-hightpu-4t", {"parameters": "128B", "tokens": "2T", "accelerators": "2048"}, 1, 1),
        ("ct6e-standard-4t", {"parameters": "128B", "tokens": "2T", "accelerators": "2048"}, 1, 1),
        ("ct6e-standard-4t", {"parameters": "70B", "tokens": "2T", "accelerators": "256"}, 1, 1),
        ("p5.48xlarge", {"parameters": "70B", "tokens": "2T", "accelerators": "512"}, 2, 1),
        ("p5.48xlarge", {"parameters": "405B", "tokens": "2T", "accelerators": "16384"}, 8, 4),
    ],
)
def test_models_are_divided_no_more_than_they_must_be(
    machine_type: str, fields: dict[str, str], most_tensor: int, most_pipeline: int
) -> None:
    found = choice_of(asked(**fields), hardware(machine_type))
    assert isinstance(found, Choice)
    assert isinstance(found.plan, TrainingPlan)
    layout = found.plan.placement.layout

    assert layout.tensor <= most_tensor
    assert layout.pipeline <= most_pipeline


def test_experts_stay_inside_machines_where_that_is_as_fast() -> None:
    fields = {"parameters": "671B", "active": "37B", "experts": "256", "experts_per_token": "8", "tokens": "14.8T"}
    found = choice_of(asked(**fields, accelerators="2048"), hardware("p5.48xlarge"))
    assert isinstance(found, Choice)
    assert isinstance(found.plan, TrainingPlan)
    layout = found.plan.placement.layout

    assert layout.expert == 8
    assert layout.tensor * layout.pipeline <= 16


@pytest.mark.parametrize("precision", ["int4", "nf4"])
def test_weights_of_four_bits_fit_where_those_of_sixteen_do_not_and_take_longer(precision: str) -> None:
    tuned = {"parameters": "70B", "task": "lora", "tokens": "10M", "sequence": "2048"}
    machine = hardware("a2-ultragpu-1g")

    assert not isinstance(choice_of(asked(**tuned, accelerators="1"), machine), Choice)
    one = choice_of(asked(**tuned, accelerators="1", precision=precision), machine)
    assert isinstance(one, Choice)
    assert isinstance(one.plan, TrainingPlan)
    assert 30 < one.plan.placement.memory.weights / 1e9 < 40

    plain, packed = (
        choice_of(asked(**tuned, accelerators="8", **more), hardware("p5.48xlarge"))
        for more in ({}, {"precision": precision})
    )
    assert isinstance(plain, Choice)
    assert isinstance(packed, Choice)
    assert isinstance(plain.plan, TrainingPlan)
    assert isinstance(packed.plan, TrainingPlan)
    assert packed.plan.productive_seconds == pytest.approx(1.5 * plain.plan.productive_seconds, rel=0.05)
    assert packed.plan.placement.layout.tensor == packed.plan.placement.layout.pipeline == 1


@pytest.mark.parametrize(
    ("fields", "accelerator"),
    [
        ({"parameters": "70B", "tokens": "1.4T", "deadline": "60d", "accelerator": "mi300x"}, "mi300x"),
        ({"parameters": "70B", "tokens": "1.4T", "deadline": "60d", "accelerator": "h100"}, "h100"),
        ({"parameters": "70B", "tokens": "1.4T", "deadline": "60d", "accelerator": "h200", "cloud": "aws"}, "h200"),
        ({"parameters": "13B", "tokens": "1T", "deadline": "60d", "accelerator": "a100-80gb"}, "a100-80gb"),
        ({"parameters": "70B", "task": "serve", "requests_per_second": "50", "accelerator": "h100"}, "h100"),
    ],
    ids=lambda value: value.get("accelerator", "") if isinstance(value, dict) else "",
)
def test_servers_of_ones_own_have_the_same_accelerators_and_storage(fields: dict[str, str], accelerator: str) -> None:
    from penstock.sizing.own_comparison import own_comparison

    found = own_comparison(ranking_of(asked(**fields, on_premises="true")))
    assert found is not None
    assert found.server.accelerator == found.against.hardware.chip.accelerator == accelerator

    if isinstance(found.against.plan, TrainingPlan):
        demand, bought = found.against.plan.demand, found.against.storage
        assert bought is not None
        assert found.storage.bandwidth >= demand.bandwidth
        assert found.storage.capacity >= demand.dataset + bought.lustre_tib * 1e12
        assert found.site.storage_servers * 20e9 >= demand.bandwidth
        assert found.site.capex["storage"] > 0
    assert found.own_usd == pytest.approx(found.site.capex_usd + 3 * found.site.opex_usd)
    assert found.reserved_usd is None or found.reserved_usd < found.on_demand_usd


def test_frozen_weights_of_four_bits_are_for_stacks_that_have_them() -> None:
    found = ranking_of(asked(parameters="70B", task="lora", tokens="10M", precision="nf4"))

    assert found.choices
    assert all(each.hardware.chip.software in ("cuda", "rocm") for each in found.choices)
    assert any("JAX and XLA" in each.why for each in found.excluded)
