"""Offers of each cloud to a description: the facts and choices that rules and platforms ask of it by its record."""

from __future__ import annotations

from penstock.spec.clouds.offer import (
    CapacitySteps,
    CloudOffer,
    LustreOffer,
    SoldElsewhere,
    TagForm,
    offer_of,
    other_offers,
)

__all__ = ["CapacitySteps", "CloudOffer", "LustreOffer", "SoldElsewhere", "TagForm", "offer_of", "other_offers"]
