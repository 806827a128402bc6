"""Rules on how machines are bought on Google Cloud: reservations and flex start."""

from __future__ import annotations

import re
from collections.abc import Iterator

from penstock.catalog import limits
from penstock.core.wording import quoted
from penstock.description.node_pool import NodePoolSpec
from penstock.description.platform import Spec
from penstock.description.problems import Problem
from penstock.description.rules.rule import pool_rule
from penstock.gcp.description.node_pool_block import own_settings

_NAME = r"[a-z]([-a-z0-9]{0,61}[a-z0-9])?"

_RESERVATION_OF_GOOGLE = (
    rf"(projects/[a-z][-a-z0-9.:]*/reservations/)?{_NAME}(/reservationBlocks/{_NAME}(/reservationSubBlocks/{_NAME})?)?"
)
"""GKE documentation, consume reservations: a name, in a project, down to a block or sub-block."""

_SECONDS_OF_AN_HOUR = 3600


@pool_rule("SPEC-130", provider="gcp")
def reserved_capacity_names_its_reservation(pool: NodePoolSpec, _: Spec) -> Iterator[Problem]:
    """Reserved capacity was bought before, so the pool names the reservation; a part of one lies in a zone to name."""
    if pool.capacity != "reserved":
        return
    if pool.reservation is None:
        yield Problem(("reservation",), "The reservation is missing.", "Set its name, such as my-reservation.")
    elif "/reservationBlocks/" in pool.reservation and pool.zone is None:
        message = "The zone is missing: a block of a reservation is in one zone."
        yield Problem(("zone",), message, "Set zone to that of the reservation.")


@pool_rule("SPEC-131", provider="gcp")
def flex_start_has_its_options_to_itself(pool: NodePoolSpec, _: Spec) -> Iterator[Problem]:
    """Machines are waited for, and taken back after some hours, only where they are bought with flex start."""
    if pool.capacity == "flex_start":
        return
    own = own_settings(pool)
    for field, is_set in (("queued", own.queued), ("max_run_hours", own.max_run_hours is not None)):
        if is_set:
            message = f"{field} is for flex_start, but capacity is {pool.capacity}."
            yield Problem(("gcp", field), message, "Leave it out, or set capacity to flex_start.")


@pool_rule("SPEC-132", provider="gcp")
def flex_start_ends_in_time(pool: NodePoolSpec, _: Spec) -> Iterator[Problem]:
    """Machines that are bought with flex start run for seven days at most."""
    most = limits.find_limit("flex_start_seconds", "gcp").most // _SECONDS_OF_AN_HOUR
    asked = own_settings(pool).max_run_hours or 0
    if pool.capacity == "flex_start" and asked > most:
        message = f"Google stops flex_start machines after {most} hours; max_run_hours is {asked}."
        yield Problem(("gcp", "max_run_hours"), message, f"Use 1 to {most}, or leave it out for {most}.")


@pool_rule("SPEC-133", provider="gcp")
def flex_start_has_no_fixed_size(pool: NodePoolSpec, _: Spec) -> Iterator[Problem]:
    """A pool that is bought with flex start grows when work waits for it; one whose machines queue begins with none."""
    if pool.capacity != "flex_start":
        return
    hint = f"Write nodes: {{min: 0, max: {pool.nodes.max}}}."
    if pool.nodes.min == pool.nodes.max:
        message = f"flex_start starts machines when capacity is free, and cannot hold {pool.nodes.max} at all times."
        yield Problem(("nodes",), message, hint)
    elif own_settings(pool).queued and pool.nodes.min:
        yield Problem(("nodes", "min"), "A pool with queued machines starts with no nodes.", hint)


@pool_rule("SPEC-071", provider="gcp")
def reservation_is_a_name(pool: NodePoolSpec, _: Spec) -> Iterator[Problem]:
    """A reservation has the name of one, with its project where that is another, and may go on to a block of it."""
    if pool.reservation is not None and not re.fullmatch(_RESERVATION_OF_GOOGLE, pool.reservation):
        hint = (
            "Such as my-reservation, or projects/P/reservations/R of another project; "
            "a part of it goes on with /reservationBlocks/B and /reservationSubBlocks/S."
        )
        yield Problem(("reservation",), f"{quoted(pool.reservation)} is not the name of a reservation.", hint)
