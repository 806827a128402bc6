"""The record of GitOps."""

from __future__ import annotations

from typing import Final

from penstock.description.addon import PlatformAddon

ADDON: Final = PlatformAddon(
    name="gitops", place=230, block="GitOpsSpec", component="GitOps", after=("prometheus-crds", "pulumi")
)
