"""The record of notebooks."""

from __future__ import annotations

from typing import Final

from penstock.description.addon import Addon

ADDON: Final = Addon(name="notebooks", place=160, block="NotebooksSpec", component="Notebooks")
