"""Rules on health: which nodes wait for a test."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.core.errors import UnknownFact
from penstock.description.nodes import nodes_of
from penstock.description.offer import offer_of
from penstock.description.platform import Spec
from penstock.description.problems import Problem
from penstock.description.rules.rule import rule
from penstock.providers import built_clouds


@rule("SPEC-180", reads=("addons", "cloud", "node_pools", "cluster", "network"))
def gate_has_nodes_to_test(spec: Spec) -> Iterator[Problem]:
    """A gate is for pools with whole GPUs of NVIDIA, which alone are tested, and whose nodes wait for no job."""
    if spec.addons.health is None or not spec.addons.health.gate:
        return
    cloud = spec.cloud.provider
    if cloud in built_clouds() and not offer_of(cloud).gates_nodes:
        return  # a rule of that cloud says why
    try:
        tested = any(pool.startup_taint is not None for pool in nodes_of(spec))
    except (UnknownFact, KeyError):
        return  # that is the finding of another rule
    if not tested:
        message = "The gate tests whole GPUs of NVIDIA on nodes that do not queue for a job, and no pool has any."
        yield Problem(("addons", "health", "gate"), message, "Leave gate out.")
