"""What a new repository needs of an existing cluster."""

from __future__ import annotations

from collections.abc import Mapping

from penstock.kubernetes.facts.accelerators import find_accelerator, names
from penstock.scaffold.cloud_scaffold import CloudScaffold


def _labels(accelerator: str) -> Mapping[str, str]:
    """Return the label of GPU feature discovery, or an example for other makers."""
    product = find_accelerator(accelerator).product
    return {"nvidia.com/gpu.product": product} if product is not None else {"example.com/accelerator": accelerator}


SCAFFOLD = CloudScaffold(region=None, cluster={"kubeconfig": "my-cluster"}, accelerators=names, labels=_labels)
