"""The record of JobSet."""

from __future__ import annotations

from typing import Final

from penstock.description.addon import PlatformAddon

ADDON: Final = PlatformAddon(name="jobset", place=110, component="JobSetController")
