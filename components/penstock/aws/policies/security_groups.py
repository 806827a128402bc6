"""Security groups on AWS as policies judge them: each rule that a resource declares, and groups of a fabric."""

from __future__ import annotations

from collections.abc import Callable

from penstock.aws.model.openings import GROUPS, AwsOpening, direction_of, inline_opening, openings, separate_opening
from penstock.graph.verdict import NOT_APPLICABLE, Verdict, each
from penstock.graph.view import View
from penstock.model.openings.reach import ALL


def judge_openings(it: View, check: Callable[[AwsOpening], Verdict], direction: str) -> Verdict:
    """One verdict over the rules of a direction that a resource declares itself."""
    if it.type in GROUPS:
        return each(it.locations(f"{direction}[]"), lambda place: check(inline_opening(it, place, direction)))

    def one(holder: View) -> Verdict:
        return check(separate_opening(holder)) if direction_of(holder) == direction else NOT_APPLICABLE

    return each((it,), one)


def lets_itself(group: View) -> bool:
    """Say whether members of a group may send each other everything, by its id and in both directions."""
    return all(
        any(opening.reach.protocol == ALL and opening.is_own for opening in openings(group, direction))
        for direction in ("ingress", "egress")
    )


def lets_addresses(group: View) -> bool:
    """Say whether a group lets address ranges send its members everything."""
    return any(opening.reach.protocol == ALL and opening.addresses for opening in openings(group, "ingress"))


def is_of_fabric(opening: AwsOpening) -> bool:
    """Say whether a rule speaks of members of one group that lets itself everything, or of two such groups.

    EFA needs that between nodes, and between nodes and a Lustre file system that they reach by EFA.
    """
    if opening.addresses:
        return False
    return opening.is_own or all(lets_itself(group) for group in opening.joined_groups)
