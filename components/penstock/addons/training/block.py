"""The block of training."""

from __future__ import annotations

from penstock.description.addon_block import AddonBlock
from penstock.description.block import ComponentSpec


class TrainingSpec(AddonBlock, ComponentSpec):
    """Kubeflow Trainer and JobSet, with a runtime for each pool of GPUs, Trainium or Inferentia2."""
