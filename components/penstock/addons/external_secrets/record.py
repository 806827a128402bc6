"""The record of External Secrets."""

from __future__ import annotations

from typing import Final

from penstock.description.addon import PlatformAddon

ADDON: Final = PlatformAddon(name="external-secrets", place=170, component="ExternalSecrets", after=("queueing",))
