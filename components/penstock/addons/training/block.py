"""The block of training."""

from __future__ import annotations

from penstock.description.block import ComponentSpec


class TrainingSpec(ComponentSpec):
    """Kubeflow Trainer and JobSet, with a runtime for each pool of GPUs, Trainium or Inferentia2."""
