"""Devices that pods claim: whether anything publishes them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from penstock.core.errors import UnknownFact
from penstock.core.versions import minor
from penstock.description.nodes import nodes_of
from penstock.description.nodes.claims import SINCE
from penstock.description.platform import Spec
from penstock.description.positions import Path
from penstock.description.problems import Problem
from penstock.description.rules.rule import rule

_FIELD: Final[Path] = ("cluster", "device_allocation")
_GPU: Final = "nvidia.com/gpu"

BACK: Final = "Leave cluster.device_allocation out: pods then request devices by name."
"""The fix for every description that breaks these rules."""

_UNCLAIMED: Final = {
    "node": "its nodes hand them out themselves, to pods that request them",
    "operator": "the GPU Operator hands them out, and has a driver for claims as a technology preview only",
    "plugin": "nobody supports claims there, so far as is known",
    "cluster": "nobody supports claims there, so far as is known",
}
"""Why pods claim no GPUs, by who hands them out (GPU Operator 26.7 documentation; device_software.csv)."""


@rule("SPEC-200", reads=("cloud", "cluster", "node_pools"))
def claimed_devices_are_there(spec: Spec) -> Iterator[Problem]:
    """Devices are claimed where some pool has any that a driver publishes, on a cluster whose version knows claims."""
    if spec.cluster.device_allocation != "claims":
        return
    version = spec.cluster.version
    if version is not None and minor(version) < minor(SINCE):
        yield Problem(_FIELD, f"Claims need Kubernetes {SINCE} or later, not {version}.", "Upgrade the cluster first.")
    try:
        pools = nodes_of(spec)
    except (KeyError, UnknownFact):
        return  # that is the finding of another rule
    gpus = [(nodes.pool, its) for nodes in pools if (its := nodes.software) is not None and its.resource == _GPU]
    for pool, software in gpus:
        if not software.claims:
            why = _UNCLAIMED[software.advertiser]
            yield Problem(_FIELD, f"Pods cannot claim the GPUs of pool {pool}: {why}.", BACK)
            return
    if not gpus and all(nodes.requested == nodes.devices for nodes in pools):
        yield Problem(_FIELD, "No pool has devices that pods claim: NVIDIA GPUs on AWS, or EFA.", BACK)
