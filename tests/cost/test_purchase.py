"""The price of work by how machines are bought: commitments, spot with its interruptions, and mixes of them."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.catalog.commitments import commitment
from penstock.cost.interruptions import effective_price, lost_fraction, mean_time_s
from penstock.cost.purchase import (
    PurchaseMix,
    advises_spot,
    blended_price,
    break_even_utilisation,
    reserved_price,
    saving,
)

shares = st.floats(0, 1)
prices = st.floats(0.1, 200)
discounts = st.floats(0, 0.8)


@given(prices, shares, shares, discounts)
def test_more_commitment_never_costs_more_at_full_use(usd: float, one: float, other: float, discount: float) -> None:
    less, more = sorted((one, other))

    def price(reserved: float) -> float:
        return blended_price(usd, PurchaseMix(reserved, 0, 1 - reserved), discount=discount)

    assert price(more) <= price(less) + 1e-9


@pytest.mark.parametrize("cloud", ["aws", "azure", "gcp"])
def test_a_longer_commitment_never_costs_more(cloud: str) -> None:
    for machine_type in ("p5.48xlarge", "m7i.large", "a2-highgpu-8g", "a3-ultragpu-8g", "Standard_ND96isr_H100_v5"):
        one, three = commitment(cloud, machine_type, "1y"), commitment(cloud, machine_type, "3y")

        assert (one is None) == (three is None)
        assert one is None or three is None or 0 < one.discount < three.discount < 1


@given(prices, discounts, st.floats(0.01, 1))
def test_a_commitment_pays_above_its_break_even_utilisation(usd: float, discount: float, used: float) -> None:
    cheaper = reserved_price(usd, discount, used) < usd * (1 - 1e-9)

    assert cheaper == (used > break_even_utilisation(discount)) or used == pytest.approx(1 - discount, rel=1e-6)


@given(prices, st.floats(0.01, 0.99), shares)
def test_spot_is_not_advised_where_lost_time_exceeds_its_discount(usd: float, discount: float, lost: float) -> None:
    spot = usd * (1 - discount)

    if lost > discount + 1e-9:
        assert not advises_spot(usd, spot, lost)
    if lost < discount - 1e-9:
        assert advises_spot(usd, spot, lost)


@given(prices, shares, shares, discounts, shares)
def test_a_mix_costs_between_its_cheapest_and_its_dearest_part(
    usd: float, first: float, second: float, discount: float, lost: float
) -> None:
    reserved = first
    spot = (1 - reserved) * second
    mix = PurchaseMix(reserved, spot, 1 - reserved - spot)
    parts = (usd, reserved_price(usd, discount), effective_price(usd * 0.35, lost * 0.9))

    price = blended_price(usd, mix, discount=discount, spot_usd=usd * 0.35, lost=lost * 0.9)

    assert min(parts) * (1 - 1e-6) <= price <= max(parts) * (1 + 1e-6)


@given(prices, st.floats(0.1, 10))
def test_prices_scale(usd: float, factor: float) -> None:
    mix = PurchaseMix(0.5, 0.2, 0.3)

    def price(of: float) -> float:
        return blended_price(of, mix, discount=0.37, spot_usd=of * 0.35, lost=0.08)

    assert price(usd * factor) == pytest.approx(price(usd) * factor)


MIXES = [
    (PurchaseMix(0.4, 0.1, 0.5), 0.21),
    (PurchaseMix(0.7, 0.0, 0.3), 0.26),
    (PurchaseMix(0.5, 0.2, 0.3), 0.31),
    (PurchaseMix(0.6, 0.2, 0.2), 0.35),
    (PurchaseMix(0.7, 0.2, 0.1), 0.38),
]


@pytest.mark.parametrize(("mix", "expected"), MIXES)
def test_ordinary_mixes_of_reserved_and_spot_save_twenty_to_forty_per_cent(mix: PurchaseMix, expected: float) -> None:
    """With a commitment of a year, and spot at 35 %, of which 8 % is lost to a stop each six hours."""
    year = commitment("gcp", "a2-highgpu-8g", "1y")
    assert year is not None

    saved = saving(1.0, blended_price(1.0, mix, discount=year.discount, spot_usd=0.35, lost=0.08))

    assert 0.20 <= saved <= 0.40
    assert saved == pytest.approx(expected, abs=0.006)


def test_the_lost_time_of_those_mixes_is_derived() -> None:
    mean = mean_time_s(7 * 24 / 6)

    assert lost_fraction(60, mean, 600) == pytest.approx(0.10, abs=0.01)
    assert lost_fraction(28 / 5, mean, 600) == pytest.approx(0.05, abs=0.01)


def test_savings_grow_with_the_committed_share() -> None:
    saved = [saving(1, blended_price(1, PurchaseMix(share, 0, 1 - share), discount=0.37)) for share in (0, 0.3, 0.6, 1)]

    assert all(less < more for less, more in pairwise(saved))
    assert saved[-1] == pytest.approx(0.37)


@pytest.mark.parametrize("wrong", [(0.5, 0.5, 0.5), (1.2, -0.2, 0)])
def test_shares_are_a_whole(wrong: tuple[float, float, float]) -> None:
    with pytest.raises(ValueError, match="add up to 1"):
        PurchaseMix(*wrong)


def test_a_spot_share_needs_a_spot_price() -> None:
    with pytest.raises(ValueError, match="no spot price"):
        blended_price(1, PurchaseMix(0, 1, 0))
