"""Rules on health: which nodes wait for a test, and the rate that it expects."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.addons.health.block import HealthSpec
from penstock.core.errors import UnknownFact
from penstock.description.nodes import nodes_of
from penstock.description.offer import offer_of
from penstock.description.platform import Spec
from penstock.description.problems import Problem
from penstock.description.rules.rule import rule
from penstock.providers import built_clouds

_RATE = ("addons", "health", "line_rate_gbps")


@rule("SPEC-180", reads=("addons", "cloud", "node_pools", "cluster", "network"))
def gate_has_nodes_to_test(spec: Spec) -> Iterator[Problem]:
    """A gate is for pools with whole GPUs of NVIDIA, which alone are tested, and whose nodes wait for no job."""
    health = spec.addons.get(HealthSpec)
    if health is None or not health.gate:
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


@rule("SPEC-171", reads=("addons", "cloud", "node_pools"))
def line_rate_is_given_where_no_cloud_names_machines(spec: Spec) -> Iterator[Problem]:
    """The rate of the fabric is given where no cloud names the machines, and a pool has a fabric."""
    health = spec.addons.get(HealthSpec)
    if health is None or health.line_rate_gbps is None:
        return
    if spec.cloud.provider != "kubernetes":
        message = "The rate of a node's fabric follows from its machine type."
        yield Problem(_RATE, message, "Leave line_rate_gbps out.")
    elif all(pool.fabric in ("auto", "none") for pool in spec.node_pools):
        message = "line_rate_gbps is the rate of the fabric between nodes, and no pool names a fabric."
        yield Problem(_RATE, message, "Set fabric of the pool that has one, or leave line_rate_gbps out.")
