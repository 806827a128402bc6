"""The record of the Pulumi Kubernetes Operator."""

from __future__ import annotations

from typing import Final

from penstock.description.addon import PlatformAddon

ADDON: Final = PlatformAddon(name="pulumi", place=225, block="PulumiOperatorSpec", component="PulumiOperator")
