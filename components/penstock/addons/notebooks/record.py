"""The record of notebooks."""

from __future__ import annotations

from typing import Final

from penstock.description.addon import PlatformAddon

ADDON: Final = PlatformAddon(name="notebooks", place=160, block="NotebooksSpec", component="Notebooks")
