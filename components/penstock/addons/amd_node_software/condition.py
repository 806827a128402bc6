"""The pools that need AMD's software: those that need its device plugin."""

from __future__ import annotations

from penstock.addons.amd_device_plugin.condition import holds

__all__ = ["holds"]
