"""Facts that sizing reads: chips, grids, commitments and assumptions."""

from __future__ import annotations

import pytest

from penstock.catalog import carbon, chips, commitments, machines, regions
from penstock.catalog.failure_rates import failure_rate
from penstock.catalog.sizing_assumptions import assumption
from penstock.core.errors import UnknownFact

CLOUDS = ("aws", "gcp", "azure")


@pytest.mark.parametrize("cloud", CLOUDS)
def test_every_accelerator_on_sale_is_a_chip(cloud: str) -> None:
    for name in machines.accelerators(cloud):
        assert chips.find_chip(name).accelerator == name


def test_a_chip_that_trains_has_a_generation_and_a_source_of_its_utilisation() -> None:
    for chip in chips.all_chips():
        assert chip.trains == bool(chip.relative_mfu_source), chip
        assert not chip.trains or (chip.bf16_tflops and chip.memory_gb_s and chip.scale_up_gb_s), chip


def test_an_unknown_chip_names_its_neighbours() -> None:
    with pytest.raises(UnknownFact, match="h100"):
        chips.find_chip("h1000")


@pytest.mark.parametrize("cloud", CLOUDS)
def test_grids_are_of_regions_that_exist(cloud: str) -> None:
    names = {each.name for each in regions.all_regions(cloud)}
    known = [each for each in carbon.all_grids(cloud) if each.name in names]

    assert len(known) > 15
    assert all(0 < each.grid_g_kwh < 1000 and each.pue >= 1 for each in known)


def test_an_unknown_grid_is_unknown() -> None:
    assert carbon.grid_of("us-east-7", "aws") is None
    assert carbon.all_grids("kubernetes") == ()


def test_longer_commitments_are_cheaper() -> None:
    for cloud in CLOUDS:
        one, three = (commitments.commitment(cloud, "any", term) for term in ("1y", "3y"))
        assert one is not None
        assert three is not None
        assert 0 < one.discount < three.discount < 1
    assert commitments.commitment("aws", "p5.48xlarge", "5y") is None


def test_an_assumption_says_what_it_stands_for() -> None:
    found = assumption("restart")

    assert (found.value, found.unit) == (10, "min")
    assert "Llama 3" in found.source


def test_every_generation_that_trains_has_a_failure_rate() -> None:
    for chip in chips.all_chips():
        if chip.trains:
            assert failure_rate(chip.generation).node_mtbf_h > 1000
