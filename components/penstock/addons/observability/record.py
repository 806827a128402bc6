"""The record of observability."""

from __future__ import annotations

from typing import Final

from penstock.description.addon import PlatformAddon

ADDON: Final = PlatformAddon(
    name="observability",
    place=190,
    block="ObservabilitySpec",
    component="Observability",
    needs=("cert-manager", "prometheus-crds"),
)
