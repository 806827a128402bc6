"""Rules on observability, health and cost: what one needs of another, and figures that nobody else has."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.description.platform import Spec
from penstock.description.problems import Problem
from penstock.description.rules.rule import rule

_PRICE, _RATE = ("addons", "cost", "accelerator_hour_usd"), ("addons", "health", "line_rate_gbps")


@rule("SPEC-170", reads=("addons",))
def cost_has_metrics(spec: Spec) -> Iterator[Problem]:
    """Cost is reckoned from the metrics of observability."""
    if spec.addons.cost is not None and spec.addons.observability is None:
        message = "cost reads the metrics of observability, which is not enabled."
        yield Problem(("addons", "cost"), message, "Add observability: {} to addons.")


@rule("SPEC-171", reads=("addons", "cloud", "node_pools"))
def price_is_given_where_no_cloud_has_one(spec: Spec) -> Iterator[Problem]:
    """The price of an accelerator is given where no cloud sells it, and there alone."""
    if spec.addons.cost is None:
        return
    given = spec.addons.cost.accelerator_hour_usd is not None
    if given and not _exists(spec):
        message = "The cloud has a price for every machine, and accelerator_hour_usd would be another."
        yield Problem(_PRICE, message, "Leave accelerator_hour_usd out.")
    accelerated = any(pool.accelerator is not None for pool in spec.node_pools)
    if not given and _exists(spec) and accelerated:
        message = "No cloud sells the accelerators of this cluster, and their cost would be nothing."
        hint = "Set accelerator_hour_usd to what one costs you for an hour, such as 2.5."
        yield Problem(("addons", "cost"), message, hint)


@rule("SPEC-171", reads=("addons", "cloud", "node_pools"))
def line_rate_is_given_where_no_cloud_names_machines(spec: Spec) -> Iterator[Problem]:
    """The rate of the fabric is given where no cloud names the machines, and a pool has a fabric."""
    if spec.addons.health is None or spec.addons.health.line_rate_gbps is None:
        return
    if not _exists(spec):
        message = "The rate of a node's fabric follows from its machine type."
        yield Problem(_RATE, message, "Leave line_rate_gbps out.")
    elif all(pool.fabric in ("auto", "none") for pool in spec.node_pools):
        message = "line_rate_gbps is the rate of the fabric between nodes, and no pool names a fabric."
        yield Problem(_RATE, message, "Set fabric of the pool that has one, or leave line_rate_gbps out.")


def _exists(spec: Spec) -> bool:
    return spec.cloud.provider == "kubernetes"
