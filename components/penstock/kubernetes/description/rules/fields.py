"""Rules on fields that only describe what a cloud creates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from penstock.core.wording import listed
from penstock.description.node_pool import NodePoolSpec
from penstock.description.platform import Spec
from penstock.description.problems import Problem
from penstock.description.rules.rule import pool_rule, rule

_BLOCKS: Final = {
    "cloud": ("region", "zones", "account"),
    "cluster": (
        "access",
        "deployer_cidrs",
        "runner",
        "autoscaling",
        "node_upgrades",
        "admins",
        "upgrade_policy",
        "protect",
        "tags",
    ),
    "network": (
        "cidr",
        "egress",
        "private_endpoints",
        "allowed_cidrs",
        "mtu",
        "nat",
        "existing",
        "tags",
    ),
}
"""Fields of what a cloud creates; the cluster and its network exist already."""

_POOL = (
    "tags",
    "machine_type",
    "reservation",
    "zone",
    "topology",
    "slices",
    "placement",
    "disk",
    "aws",
    "gcp",
)
_CAPACITY = ("on_demand", "reserved", "spot")


@rule("SPEC-150", reads=("cloud", "cluster", "network", "budget"), provider="kubernetes")
def nothing_is_asked_of_a_cloud(spec: Spec) -> Iterator[Problem]:
    """A platform on a cluster that exists describes no cloud, network or control plane, and has no bill."""
    for name, fields in _BLOCKS.items():
        block: Any = getattr(spec, name)
        for field in fields:
            if field in block.model_fields_set:
                yield _of_a_cloud((name, field))
    if spec.budget is not None:
        yield _of_a_cloud(("budget",))


@pool_rule("SPEC-150", provider="kubernetes")
def pools_are_not_bought(pool: NodePoolSpec, _: Spec) -> Iterator[Problem]:
    """Pools of a cluster that exists are not bought, placed or wired."""
    for field in _POOL:
        if field in pool.model_fields_set:
            yield _of_a_cloud((field,))
    if pool.capacity not in _CAPACITY:
        hint = f"Use one of {listed(_CAPACITY)}: jobs prefer reserved nodes, and take spot last."
        yield Problem(("capacity",), f"{pool.capacity} is a way to buy machines of a cloud.", hint)


def _of_a_cloud(path: tuple[str, ...]) -> Problem:
    return Problem(path, f"{path[-1]} describes what a cloud creates, and this cluster exists.", "Leave it out.")
