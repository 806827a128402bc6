"""More never makes less: of memory, of time, of money."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.sizing.requests import asked, hardware

from penstock.cost.purchase import PurchaseMix, blended_price, break_even_utilisation
from penstock.sizing.failures import interruptions, interruptions_of
from penstock.sizing.memory import Layout, serving_memory, training_memory
from penstock.sizing.shape import shape_of
from penstock.sizing.training import fastest_on, plan_on

PARAMETERS = st.floats(min_value=5e7, max_value=2e12)
LAYOUTS = st.builds(
    Layout,
    tensor=st.sampled_from((1, 2, 4, 8)),
    pipeline=st.sampled_from((1, 2, 4)),
    data=st.integers(min_value=1, max_value=512),
    stage=st.sampled_from((0, 1, 2, 3)),
    recompute=st.booleans(),
    micro_batch=st.integers(min_value=1, max_value=16),
)
SHARES = st.floats(min_value=0, max_value=1)


def held(parameters: float, layout: Layout, sequence: int = 4096) -> float:
    return training_memory(shape_of(parameters), layout, sequence=sequence).total


@given(PARAMETERS, LAYOUTS, st.floats(min_value=1, max_value=3))
def test_more_parameters_never_take_less_memory(parameters: float, layout: Layout, factor: float) -> None:
    assert held(parameters * factor, layout) >= held(parameters, layout) * (1 - 1e-9)


@given(PARAMETERS, LAYOUTS, st.integers(min_value=128, max_value=32768), st.integers(min_value=1, max_value=32768))
def test_longer_sequences_take_more_memory(parameters: float, layout: Layout, sequence: int, more: int) -> None:
    assert held(parameters, layout, sequence + more) > held(parameters, layout, sequence)


@given(PARAMETERS, LAYOUTS, st.integers(min_value=17, max_value=64))
def test_larger_batches_take_more_memory(parameters: float, layout: Layout, batch: int) -> None:
    larger = Layout(
        tensor=layout.tensor,
        pipeline=layout.pipeline,
        data=layout.data,
        stage=layout.stage,
        recompute=layout.recompute,
        micro_batch=batch,
    )
    assert held(parameters, larger) > held(parameters, layout)


@given(PARAMETERS, LAYOUTS)
def test_sharing_more_never_takes_more_memory_but_for_what_is_gathered(parameters: float, layout: Layout) -> None:
    shape = shape_of(parameters)
    states = [
        training_memory(shape, Layout(data=layout.data, stage=stage, micro_batch=layout.micro_batch), sequence=2048)
        for stage in (0, 1, 2, 3)
    ]
    sizes = [each.total - each.gathered for each in states]
    assert sizes == sorted(sizes, reverse=True)


@given(PARAMETERS, st.sampled_from((1, 2, 4, 8)), st.integers(1, 256), st.integers(1, 256), st.integers(128, 65536))
def test_more_sequences_take_more_cache(parameters: float, tensor: int, few: int, more: int, context: int) -> None:
    def size(sequences: int) -> float:
        shape = shape_of(parameters)
        return serving_memory(shape, tensor=tensor, precision="bf16", sequences=sequences, context=context).total

    assert size(few + more) > size(few)


@settings(max_examples=25, deadline=None)
@given(
    st.sampled_from(("1B", "7B", "30B")),
    st.sampled_from(("p5.48xlarge", "p4d.24xlarge", "g6e.48xlarge", "a3-highgpu-8g", "Standard_ND96isr_MI300X_v5")),
    st.integers(min_value=1, max_value=160),
    st.integers(min_value=1, max_value=80),
)
def test_more_accelerators_never_take_longer(parameters: str, machine_type: str, few: int, more: int) -> None:
    request = asked(parameters=parameters, tokens="100B", sequence="4096")
    machine = hardware(machine_type)
    fewer, larger = fastest_on(request, machine, few), fastest_on(request, machine, few + more)

    if fewer is not None:
        assert larger is not None
        assert larger.wall_seconds <= fewer.wall_seconds
        assert larger.nodes <= few + more


def test_the_fastest_plan_is_the_fastest_of_all_counts() -> None:
    request, machine = asked(parameters="7B", tokens="100B"), hardware("a3-highgpu-8g")
    plans = [plan for nodes in range(1, 57) if (plan := plan_on(request, machine, nodes)) is not None]
    found = fastest_on(request, machine, 56)

    assert found is not None
    assert found.wall_seconds == min(each.wall_seconds for each in plans)


@given(st.floats(0, 1), st.floats(0, 1), st.floats(min_value=0.01, max_value=0.9), st.floats(0, 1))
def test_more_commitment_never_costs_more_at_full_use(
    reserved: float, more: float, discount: float, ratio: float
) -> None:
    low, high = sorted((reserved, more))

    def share(part: float) -> float:
        return blended_price(1.0, PurchaseMix.of(reserved=part), discount=discount, spot_usd=ratio, lost=0.08)

    assert share(high) <= share(low) + 1e-12


@given(st.floats(min_value=0.01, max_value=0.9), st.floats(min_value=0.01, max_value=1))
def test_a_reservation_pays_from_its_break_even_on(discount: float, utilisation: float) -> None:
    shares = PurchaseMix.of(reserved=1.0)
    cost = blended_price(1.0, shares, discount=discount, spot_usd=1.0, utilisation=utilisation)

    if utilisation > break_even_utilisation(discount) * (1 + 1e-9):
        assert cost < 1
    elif utilisation < break_even_utilisation(discount) * (1 - 1e-9):
        assert cost > 1


@given(st.integers(min_value=1, max_value=4000), st.integers(min_value=1, max_value=4000))
def test_more_machines_lose_more_to_stops(few: int, more: int) -> None:
    assert interruptions_of(few + more, "h100").lost >= interruptions_of(few, "h100").lost


@given(st.floats(1, 60), st.floats(3600, 1e7), st.floats(0.2, 5))
def test_no_other_interval_loses_less(pause: float, mtbf: float, factor: float) -> None:
    best = interruptions(pause, write_s=0.0, mtbf_s=mtbf, restart_s=600)
    other = best.interval_s * factor

    assert best.lost <= pause / other + other / (2 * mtbf) + 600 / mtbf + 1e-12


@given(st.floats(1, 60), st.floats(10, 600), st.floats(600, 1e7))
def test_no_checkpoint_begins_before_the_last_one_is_stored(pause: float, write: float, mtbf: float) -> None:
    assert interruptions(pause, write, mtbf, restart_s=600).interval_s >= write
