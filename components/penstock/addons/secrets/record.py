"""The record of secrets."""

from __future__ import annotations

from typing import Final

from penstock.description.addon import PlatformAddon

ADDON: Final = PlatformAddon(name="secrets", place=10, block="SecretStoreSpec")
