"""The record of security."""

from __future__ import annotations

from typing import Final

from penstock.description.addon import Addon

ADDON: Final = Addon(name="security", place=220, block="SecuritySpec", component="Security", after=("prometheus-crds",))
