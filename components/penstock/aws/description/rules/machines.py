"""Rules on the machines of a pool, for AWS alone."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.aws.facts import eks_machines
from penstock.description.node_pool import NodePoolSpec
from penstock.description.platform import Spec
from penstock.description.problems import Problem
from penstock.description.rules import known
from penstock.description.rules.rule import pool_rule


@pool_rule("SPEC-073", provider="aws")
def images_of_eks_start_the_machine(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """The images that EKS brings have what the machine needs to start."""
    machine = known.machine(pool, spec)
    lacks = eks_machines.limits_of_family(machine.family).image_lacks if machine is not None else None
    if machine is not None and lacks is not None:
        field = "machine_type" if pool.machine_type is not None else "accelerator"
        message = f"EKS' images do not start {machine.machine_type}, which needs {lacks}."
        yield Problem((field,), message, "Use another machine type: Penstock does not build images.")
