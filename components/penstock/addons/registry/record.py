"""The record of the registry."""

from __future__ import annotations

from typing import Final

from penstock.description.addon import PlatformAddon

ADDON: Final = PlatformAddon(name="registry", place=20, block="RegistrySpec", providers=("aws", "azure", "gcp"))
