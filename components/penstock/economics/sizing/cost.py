"""What machines cost: at list prices, and bought in several ways at once."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.commitments import CommitmentDiscount, commitment
from penstock.catalog.sizing_assumptions import assumed
from penstock.economics.sizing.hardware import MachineOffer


@dataclass(frozen=True, slots=True, kw_only=True)
class PurchaseShares:
    """How machines are bought: shares of all hours that are reserved, spot, and on demand for the rest."""

    reserved: float = 0.0
    spot: float = 0.0

    @property
    def on_demand(self) -> float:
        """The rest."""
        return max(0.0, 1 - self.reserved - self.spot)


@dataclass(frozen=True, slots=True, kw_only=True)
class Blend:
    """The price of a machine and hour in a mix, over the price on demand.

    Attributes:
        share: the blended price, as a share of the price on demand.
        formula: how it follows, with its numbers.
        missing: what is not known, and was taken at the price on demand.
        unverified: whether a discount of it is a guess.
    """

    share: float
    formula: str
    missing: tuple[str, ...]
    unverified: bool


def blended_share(
    mix: PurchaseShares, *, discount: float, spot_ratio: float, waste: float, utilisation: float = 1.0
) -> float:
    """The price of useful hours over that on demand: r (1-d) / u + s (spot/od) / (1-w) + o.

    Reserved hours are paid whether they are used (`utilisation`) or not; a share `waste` of spot hours is repeated.
    """
    reserved = mix.reserved * (1 - discount) / utilisation
    return reserved + mix.spot * spot_ratio / (1 - waste) + mix.on_demand


def break_even_utilisation(discount: float) -> float:
    """The part of its hours that a reserved machine must work to cost less than one on demand: 1 - d."""
    return 1 - discount


def spot_is_worth_it(spot_ratio: float, waste: float) -> bool:
    """Whether spot costs less for the work done: below it on-demand hours are cheaper than repeated ones."""
    return spot_ratio / (1 - waste) < 1


def blend_of(mix: PurchaseShares, offer: MachineOffer, cloud: str, years: int) -> Blend:
    """The blend of an offer with the catalogue's discounts; an unknown discount is none."""
    found: CommitmentDiscount | None = commitment(cloud, years) if mix.reserved else None
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
            if not spot_is_worth_it(ratio, waste):
                missing.append("a spot price below on demand once what is repeated is counted")
                ratio, waste = 1.0, 0.0
    share = blended_share(mix, discount=discount, spot_ratio=ratio, waste=waste)
    formula = (
        f"{mix.reserved:.0%} × (1 - {discount:.2f}) + {mix.spot:.0%} × {ratio:.2f} / (1 - {waste:.2f}) + "
        f"{mix.on_demand:.0%}"
    )
    return Blend(
        share=share,
        formula=formula,
        missing=tuple(missing),
        unverified=(found is not None and bool(found.unverified)) or bool(mix.spot),
    )
