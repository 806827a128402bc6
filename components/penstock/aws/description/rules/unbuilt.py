"""Rules on what is not built yet, for AWS alone."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.aws.facts import eks_machines
from penstock.core.wording import quoted
from penstock.description.node_pool import NodePoolSpec
from penstock.description.platform import Spec
from penstock.description.problems import Problem
from penstock.description.rules import known
from penstock.description.rules.rule import pool_rule, rule
from penstock.description.rules.unbuilt import UNBUILT_CODE, not_yet

_OF_TPUS = ("topology", "slices")


@rule(UNBUILT_CODE, reads=("cloud",), provider="aws")
def partition_is_built(spec: Spec) -> Iterator[Problem]:
    """The region is none of China's, whose services and endpoints have names of their own."""
    region = known.region(spec)
    if region is not None and region.partition == "aws-cn":
        yield not_yet(("cloud", "region"), f"Region {region.name}, as all of AWS China,", ())


@pool_rule(UNBUILT_CODE, provider="aws")
def machines_are_built(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """The machines of a pool need nothing that Penstock does not build."""
    machine = known.machine(pool, spec)
    needs = eks_machines.limits_of_family(machine.family).unbuilt if machine is not None else None
    if machine is not None and needs is not None:
        field = "machine_type" if pool.machine_type is not None else "accelerator"
        message = f"{machine.machine_type} is not supported yet: these machines need {needs}."
        yield Problem((field,), message, "Use another machine type.")


@pool_rule(UNBUILT_CODE, provider="aws")
def tpus_are_built_where_they_are(pool: NodePoolSpec, _: Spec) -> Iterator[Problem]:
    """TPU slices are requested on Google Cloud only."""
    for name in _OF_TPUS:
        if getattr(pool, name) is not None:
            yield Problem((name,), f"{quoted(name)} is for TPUs, which AWS does not have.", "Leave it out.")
