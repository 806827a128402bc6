"""Rules on how machines are bought on Google Cloud: reservations and flex start."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.catalog import limits
from penstock.spec.node_pool import NodePoolSpec
from penstock.spec.platform import Spec
from penstock.spec.problems import Problem
from penstock.spec.rules.rule import GCP, pool_rule

_SECONDS_OF_AN_HOUR = 3600


@pool_rule("SPEC-130", provider=GCP)
def reserved_capacity_names_its_reservation(pool: NodePoolSpec, _: Spec) -> Iterator[Problem]:
    """Reserved capacity was bought before, so the pool names the reservation; a part of one lies in a zone to name."""
    if pool.capacity != "reserved":
        return
    if pool.reservation is None:
        yield Problem(("reservation",), "The reservation is missing.", "Its name, such as my-reservation.")
    elif "/reservationBlocks/" in pool.reservation and pool.zone is None:
        message = "The zone is missing: a block of a reservation lies in one."
        yield Problem(("zone",), message, "Set zone to that of the reservation.")


@pool_rule("SPEC-131", provider=GCP)
def flex_start_has_its_options_to_itself(pool: NodePoolSpec, _: Spec) -> Iterator[Problem]:
    """Machines are waited for, and taken back after some hours, only where they are bought with flex start."""
    if pool.capacity == "flex_start":
        return
    for field, is_set in (("queued", pool.gcp.queued), ("max_run_hours", pool.gcp.max_run_hours is not None)):
        if is_set:
            message = f"{field} goes with flex_start, but capacity is {pool.capacity}."
            yield Problem(("gcp", field), message, "Leave it out, or set capacity to flex_start.")


@pool_rule("SPEC-132", provider=GCP)
def flex_start_ends_in_time(pool: NodePoolSpec, _: Spec) -> Iterator[Problem]:
    """Machines that are bought with flex start run for seven days at most."""
    most = limits.find_limit("flex_start_seconds", GCP).most // _SECONDS_OF_AN_HOUR
    if pool.capacity == "flex_start" and (pool.gcp.max_run_hours or 0) > most:
        message = f"Google takes machines of flex_start back after {most} hours; {pool.gcp.max_run_hours} are asked."
        yield Problem(("gcp", "max_run_hours"), message, f"1 to {most}, or leave it out for {most}.")


@pool_rule("SPEC-133", provider=GCP)
def flex_start_has_no_fixed_size(pool: NodePoolSpec, _: Spec) -> Iterator[Problem]:
    """A pool that is bought with flex start grows when work waits for it; one whose machines queue begins with none."""
    if pool.capacity != "flex_start":
        return
    hint = f"nodes: {{min: 0, max: {pool.nodes.max}}}."
    if pool.nodes.min == pool.nodes.max:
        message = f"flex_start gives machines when it has them, never {pool.nodes.max} at all times."
        yield Problem(("nodes",), message, hint)
    elif pool.gcp.queued and pool.nodes.min:
        yield Problem(("nodes", "min"), "A pool whose machines queue begins with no node.", hint)
