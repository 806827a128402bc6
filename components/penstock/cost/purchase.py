"""The price of an hour of work on machines that are bought in several ways: reserved, spot and on demand."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from penstock.cost.interruptions import effective_price


@dataclass(frozen=True, slots=True)
class PurchaseMix:
    """The shares of nodes that are reserved, spot and on demand; they add up to 1."""

    reserved: float = 0.0
    spot: float = 0.0
    on_demand: float = 1.0

    def __post_init__(self) -> None:
        """Refuse shares that are not a whole.

        Raises:
            ValueError: a share is negative, or they do not add up to 1.
        """
        shares = (self.reserved, self.spot, self.on_demand)
        if min(shares) < 0 or abs(sum(shares) - 1) > 1e-6:  # noqa: PLR2004 - rounding
            raise ValueError(f"shares are 0 or more and add up to 1, not {shares}")

    @classmethod
    def of(cls, *, reserved: float = 0.0, spot: float = 0.0) -> PurchaseMix:
        """Return the mix of these shares, with the rest on demand."""
        return cls(reserved, spot, max(0.0, 1 - reserved - spot))


def reserved_price(on_demand_usd: float, discount: float, utilisation: float = 1.0) -> float:
    """Return the price of a used hour of what is committed to, which is paid used or not; inf where it never is."""
    return on_demand_usd * (1 - discount) / utilisation if utilisation > 0 else inf


def break_even_utilisation(discount: float) -> float:
    """Return the share of the time above which a commitment is cheaper than on-demand machines."""
    return 1 - discount


def blended_price(
    on_demand_usd: float,
    mix: PurchaseMix,
    *,
    discount: float = 0.0,
    spot_usd: float | None = None,
    lost: float = 0.0,
    utilisation: float = 1.0,
) -> float:
    """Return the price of an hour of work over all shares.

    Args:
        on_demand_usd: The on-demand price of an hour.
        mix: The shares.
        discount: Of the commitment behind the reserved share, 0 to 1.
        spot_usd: The spot price of an hour; needed where a share is spot.
        lost: The share of spot time that interruptions cost (`interruptions.lost_fraction`).
        utilisation: The share of the time in which what is reserved is used.

    Raises:
        ValueError: a share is spot, and there is no spot price.
    """
    if mix.spot and spot_usd is None:
        raise ValueError("a share is spot, and no spot price is known")
    reserved = mix.reserved * reserved_price(on_demand_usd, discount, utilisation) if mix.reserved else 0.0
    spot = mix.spot * effective_price(spot_usd or 0.0, lost) if mix.spot else 0.0
    return reserved + spot + mix.on_demand * on_demand_usd


def saving(on_demand_usd: float, blended_usd: float) -> float:
    """Return the share of the on-demand price that a blended price saves; negative where it costs more."""
    return 1 - blended_usd / on_demand_usd


def advises_spot(on_demand_usd: float, spot_usd: float, lost: float) -> bool:
    """Return whether spot is cheaper for the work, its lost time counted: lost time below the discount of spot."""
    return effective_price(spot_usd, lost) < on_demand_usd
