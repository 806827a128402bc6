"""Rules on TPU slices: their shape, their machines, and how many of these there are."""

from __future__ import annotations

import re
from collections.abc import Iterator

from penstock.catalog import machines
from penstock.core.wording import inflect, listed
from penstock.description.node_pool import NodePoolSpec
from penstock.description.platform import Spec
from penstock.description.problems import Problem
from penstock.description.rules.rule import pool_rule
from penstock.gcp.description import pools
from penstock.gcp.description.rules import known_on_gcp
from penstock.gcp.facts import tpus
from penstock.gcp.facts.machines import GcpMachine
from penstock.gcp.facts.tpus import Slice


@pool_rule("SPEC-120", provider="gcp")
def topology_is_given_to_tpus(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """Only TPUs have a topology, and only a topology has slices."""
    machine = known_on_gcp.machine(pool, spec)
    if machine is not None and machine.accelerator_kind != "tpu" and pool.topology is not None:
        message = f"{machine.machine_type} has no TPUs, which alone have a topology."
        yield Problem(("topology",), message, "Leave it out: nodes sets the number of machines.")
    elif machine is not None and machine.accelerator_kind != "tpu" and pool.slices is not None:
        message = f"{machine.machine_type} has no TPUs, which alone come in slices."
        yield Problem(("slices",), message, "Leave it out: nodes sets the number of machines.")
    elif pool.slices is not None and pool.topology is None:
        hint = "Set a topology such as 4x4x4; or nodes alone, for single machines."
        yield Problem(("slices",), "slices is set, but topology is not.", hint)


@pool_rule("SPEC-121", provider="gcp")
def topology_is_one_of_the_machine(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """The topology is one that the chips of the machines can form."""
    machine = known_on_gcp.machine(pool, spec)
    if machine is None or machine.accelerator_kind != "tpu" or pool.topology is None:
        return
    trouble = tpus.problem(machine, pool.topology)
    if trouble is not None:
        # What is wrong, and often, in a sentence of its own, what would be right.
        wrong, *right = re.split(r"[.:] ", trouble, maxsplit=1)
        others = _other_machines(machine, pool.topology)
        yield Problem(("topology",), f"{wrong.removesuffix('.')}.", others or "".join(right) or _common(machine))


@pool_rule("SPEC-122", provider="gcp")
def slices_have_several_machines(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """Slices are counted where each has several machines: one of a single machine is a node."""
    shape = _slice(pool, spec)
    if pool.slices is not None and shape is not None and not shape.multi_host:
        message = f"A slice of {pool.topology} is a single machine, so the slices are the nodes."
        yield Problem(("slices",), message, "Leave slices out: nodes sets the number.")


@pool_rule("SPEC-123", provider="gcp")
def nodes_are_those_of_the_slices(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """The machines of a slice start and stop together, so a pool has none of them or all."""
    shape = _slice(pool, spec)
    if shape is None or not shape.multi_host:
        return
    slices = pool.slices or 1
    whole = shape.hosts * slices
    if pool.nodes.max != whole or pool.nodes.min not in (0, whole):
        how_many = "A slice" if slices == 1 else f"{slices} slices"
        message = f"{how_many} of {shape.topology} {inflect(slices, 'has', 'have')} {whole} machines, all or none."
        yield Problem(("nodes",), message, f"Write nodes: {{min: 0, max: {whole}}}; or nodes: {whole}, to keep them.")


@pool_rule("SPEC-124", provider="gcp")
def topology_places_the_slice(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """A slice is placed by its topology, so no other placement is set."""
    machine = known_on_gcp.machine(pool, spec)
    if machine is not None and machine.accelerator_kind == "tpu" and pool.placement != "auto":
        yield Problem(("placement",), "TPU machines are placed by the topology of their slice.", "Leave placement out.")


def _slice(pool: NodePoolSpec, spec: Spec) -> Slice | None:
    wanted = known_on_gcp.pool_with_machine(pool, spec)
    return pools.slice_(wanted) if wanted is not None else None


def _other_machines(machine: GcpMachine, topology: str) -> str:
    """How to name a machine with the same chips that has the topology, where there is one."""
    counts = [
        each.accelerators
        for each in machines.machine_types(GcpMachine)
        if each.accelerator == machine.accelerator and tpus.problem(each, topology) is None
    ]
    return f"Machines with {listed(counts)} chips support this topology: set count." if counts else ""


def _common(machine: GcpMachine) -> str:
    return f"Such as {listed(tpus.topologies(machine))}."
