"""Rules on node labels on Azure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from penstock.azure.description.nodes import OPERATOR_OPERANDS, software
from penstock.description import platform
from penstock.description.node_pool import NodePoolSpec
from penstock.description.platform import Spec
from penstock.description.problems import Problem
from penstock.description.rules import known
from penstock.description.rules.rule import pool_rule

_OFF: Final = "false"


@pool_rule("SPEC-165", provider="azure")
def one_owner_installs_the_driver(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """A label neither adds the GPU Operator where AKS installs the driver nor removes it elsewhere."""
    label = pool.labels.get(OPERATOR_OPERANDS)
    its = software(platform.resolved(spec, pool)) if label is not None and known.machine(pool, spec) else None
    if its is None or its.resource != "nvidia.com/gpu":
        return
    path = ("labels", OPERATOR_OPERANDS)
    if its.driver == "node" and label != _OFF:
        message = f"The GPU Operator would replace the driver that AKS installs on the nodes of pool {pool.name}."
        yield Problem(path, message, "Leave the label out.")
    elif its.driver == "operator" and label == _OFF:
        message = f"Only the GPU Operator installs the driver on the nodes of pool {pool.name}."
        yield Problem(path, message, "Leave the label out.")
