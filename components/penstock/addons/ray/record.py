"""The record of Ray."""

from __future__ import annotations

from typing import Final

from penstock.description.addon import Addon

ADDON: Final = Addon(name="ray", place=140, block="RaySpec", component="Ray")
