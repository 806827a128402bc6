"""What machines cost: at list prices, and bought in several ways at once."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.commitments import commitment
from penstock.catalog.sizing_assumptions import assumed
from penstock.cost.purchase import PurchaseMix, advises_spot, blended_price, reserved_price
from penstock.sizing.hardware import MachineOffer

HOURS_A_YEAR = 8760


@dataclass(frozen=True, slots=True, kw_only=True)
class Blend:
    """The price of a machine and hour in a mix, over the price on demand.

    Attributes:
        share: the blended price, as a share of the price on demand.
        formula: how it follows, with its numbers.
        discount: of the commitment behind the reserved share; None without one, and where it is not known.
        missing: what is not known, and was taken at the price on demand.
        unverified: whether a discount of it is a guess.
    """

    share: float
    formula: str
    discount: float | None
    missing: tuple[str, ...]
    unverified: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CommittedSpend:
    """What a reservation costs that outlasts the job: it is paid for its whole term, used or not. Money in USD.

    Attributes:
        years: the term.
        machines: how many are reserved, on average: the share of those that work.
        usd: the whole term.
        counted_usd: the part of it in which the job runs, which is all that its cost counts.
        unverified: whether the price or the discount is a guess.
    """

    years: int
    machines: float
    usd: float
    counted_usd: float
    unverified: bool


def committed_spend(
    mix: PurchaseMix, offer: MachineOffer, blend: Blend, *, nodes: int, hours: float, years: int
) -> CommittedSpend | None:
    """The commitment behind the reserved share; None without one, without a price, and where the job outlasts it."""
    term = years * HOURS_A_YEAR
    if not mix.reserved or offer.price is None or blend.discount is None or hours >= term:
        return None
    machines = nodes * mix.reserved
    hourly = machines * reserved_price(offer.price.usd, blend.discount)
    return CommittedSpend(
        years=years,
        machines=machines,
        usd=hourly * term,
        counted_usd=hourly * hours,
        unverified=blend.unverified or bool(offer.price.unverified),
    )


def blend_of(mix: PurchaseMix, offer: MachineOffer, machine_type: str, cloud: str, years: int) -> Blend:
    """The blend of an offer with the catalogue's discounts; an unknown discount is none."""
    found = commitment(cloud, machine_type, f"{years}y") if mix.reserved else None
    waste = assumed("spot_waste")
    missing: list[str] = []
    discount, ratio = 0.0, 1.0
    if mix.reserved:
        if found is None:
            missing.append(f"a discount of {cloud} for {years} years")
        else:
            discount = found.discount
    if mix.spot:
        if offer.spot is None or offer.price is None:
            missing.append("a spot price there")
            waste = 0.0
        else:
            ratio = offer.spot.usd / offer.price.usd
            if not advises_spot(1.0, ratio, waste):
                missing.append("a spot price below on demand once what is repeated is counted")
                ratio, waste = 1.0, 0.0
    share = blended_price(1.0, mix, discount=discount, spot_usd=ratio, lost=waste)
    formula = (
        f"{mix.reserved:.0%} × (1 - {discount:.2f}) + {mix.spot:.0%} × {ratio:.2f} / (1 - {waste:.2f}) + "
        f"{mix.on_demand:.0%}"
    )
    return Blend(
        share=share,
        formula=formula,
        discount=found.discount if found is not None else None,
        missing=tuple(missing),
        unverified=(found is not None and bool(found.unverified)) or bool(mix.spot),
    )
