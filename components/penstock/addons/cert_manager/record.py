"""The record of cert-manager."""

from __future__ import annotations

from typing import Final

from penstock.description.addon import PlatformAddon

ADDON: Final = PlatformAddon(name="cert-manager", place=30, component="CertManager")
