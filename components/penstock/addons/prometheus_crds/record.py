"""The record of the Prometheus resource types."""

from __future__ import annotations

from typing import Final

from penstock.description.addon import PlatformAddon

ADDON: Final = PlatformAddon(name="prometheus-crds", place=180, component="PrometheusCrds")
