"""Rules on the placement and wiring of nodes on Google Cloud: placement, fabric, local disks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from penstock.catalog import limits
from penstock.core.wording import listed, quoted
from penstock.description.node_pool import NodePoolSpec
from penstock.description.platform import Spec
from penstock.description.problems import Problem
from penstock.description.rules.rule import pool_rule
from penstock.gcp.description import pools
from penstock.gcp.description.node_pool_block import own_settings
from penstock.gcp.description.rules import known_on_gcp
from penstock.gcp.facts import fabrics

_POLICY = r"[a-z]([-a-z0-9]{0,61}[a-z0-9])?"
"""Compute Engine API, ResourcePolicy."""


@pool_rule("SPEC-076", provider="gcp")
def fabric_is_asked_of_machines_that_have_it(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """A fabric is requested only for machine types that have it."""
    machine = known_on_gcp.machine(pool, spec)
    if machine is None or pool.fabric not in ("tcpx", "tcpxo", "rdma"):
        return
    its = (machine.fabric or "").partition("-")[0]
    if pool.fabric != its:
        has = f"has {its}, not {pool.fabric}" if its in ("tcpx", "tcpxo", "rdma") else f"has no {pool.fabric}"
        hint = "Leave fabric out: the machine type determines it."
        yield Problem(("fabric",), f"{machine.machine_type} {has}.", hint)


@pool_rule("SPEC-079", provider="gcp")
def placement_policy_has_a_name_that_exists(pool: NodePoolSpec, _: Spec) -> Iterator[Problem]:
    """The name of an existing placement policy is one that Google would have accepted."""
    if not re.fullmatch(_POLICY, pool.placement):
        message = f"{quoted(pool.placement)} is not a valid placement policy name."
        yield Problem(("placement",), message, "Use auto, none, cluster, or the name of an existing resource policy.")


@pool_rule("SPEC-134", provider="gcp")
def reservation_brings_its_placement(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """Machines of a reservation are placed where they were reserved, so no other placement policy applies."""
    machine = known_on_gcp.machine(pool, spec)
    if machine is None or pools.in_nvlink_domain(machine):
        return
    if pool.placement == "cluster" and pool.reservation is not None:
        hint = "Leave placement out; if the reservation has a placement policy, use the policy's name."
        yield Problem(("placement",), "A reservation has its own placement.", hint)


@pool_rule("SPEC-139", provider="gcp")
def placement_is_one_that_the_machines_take(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """Machines are placed closely where GKE does so, and those that share an NVLink domain always are."""
    machine = known_on_gcp.machine(pool, spec)
    if machine is None or machine.accelerator_kind == "tpu":
        return
    if pools.in_nvlink_domain(machine):
        if pool.placement == "none":
            message = f"Without a placement policy {machine.machine_type} machines do not start in one NVLink domain."
            yield Problem(("placement",), message, "Leave placement out: Penstock creates the policy.")
    elif machine.compact_nodes is None and pool.placement not in ("auto", "none"):
        message = f"GKE does not support compact placement of {machine.machine_type} machines."
        yield Problem(("placement",), message, "Leave placement out.")


@pool_rule("SPEC-135", provider="gcp")
def flex_start_leaves_room_for_placement(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """With flex start only some machines are placed compactly, and none that queue."""
    machine = known_on_gcp.machine(pool, spec)
    if machine is None or machine.accelerator_kind == "tpu" or pool.placement in ("auto", "none"):
        return
    if not pools.may_be_compact(pool.model_copy(update={"machine_type": machine.machine_type})):
        why = "that queue" if own_settings(pool).queued else f"of type {machine.machine_type}"
        message = f"With flex_start Google does not place machines {why} compactly."
        yield Problem(("placement",), message, "Leave placement out.")


@pool_rule("SPEC-136", provider="gcp")
def pool_stays_within_one_nvlink_domain(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """A pool of machines that share an NVLink domain is no larger than the domain: one pool for each sub-block."""
    machine, most = known_on_gcp.machine(pool, spec), limits.find_limit("nvlink_domain_nodes", "gcp").most
    if machine is not None and pools.in_nvlink_domain(machine) and pool.nodes.max > most:
        path = ("nodes",) if pool.nodes.min == pool.nodes.max else ("nodes", "max")
        message = f"{pool.nodes.max} nodes exceed an NVLink domain of {machine.machine_type}, which has {most}."
        yield Problem(path, message, "Create a pool for each sub-block of the reservation.")


@pool_rule("SPEC-137", provider="gcp")
def local_ssds_are_as_many_as_the_machine_takes(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """A machine has local SSDs in some numbers only; on many it cannot be chosen."""
    machine, asked = known_on_gcp.machine(pool, spec), own_settings(pool).local_ssds
    if machine is None or asked is None or asked in (machine.local_ssds or (0,)):
        return
    message = f"{machine.machine_type} does not support {asked} local SSDs."
    yield Problem(("gcp", "local_ssds"), message, f"Possible: {listed(machine.local_ssds or (0,))}.")


@pool_rule("SPEC-138", provider="gcp")
def networking_is_chosen_for_machines_with_a_fabric(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """How a fabric reaches pods is chosen where there is one, and DRANET where GKE has it for the machine."""
    machine, chosen = known_on_gcp.machine(pool, spec), own_settings(pool).networking
    path = ("gcp", "networking")
    if machine is None or chosen == "auto":
        return
    if machine.fabric is None or pool.fabric == "none":
        what = f"{machine.machine_type} has no fabric" if machine.fabric is None else "fabric is none"
        yield Problem(path, f"{what}, so networking has no effect.", "Leave networking out.")
    elif chosen == "dranet" and not fabrics.dranet(machine):
        yield Problem(path, f"GKE's DRANET does not support {machine.machine_type}.", "Leave networking out.")
