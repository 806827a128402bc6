"""The record of JobSet."""

from __future__ import annotations

from typing import Final

from penstock.description.addon import Addon

ADDON: Final = Addon(name="jobset", place=110, component="JobSetController")
