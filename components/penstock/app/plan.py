"""The plan of a platform: the machines that a model needs, and the stack file of the choice recommended."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from penstock import description
from penstock.core.errors import InvalidDescription, Unwritable
from penstock.sizing.description import description_of, stack_file
from penstock.sizing.ranking import Choice, Ranking, ranking_of
from penstock.sizing.request import SizingRequest
from penstock.sizing.request_file import read_request


@dataclass(frozen=True, slots=True)
class Plan:
    """A sizing request, and the machines for it, best first."""

    request: SizingRequest
    ranking: Ranking


def plan(
    options: Mapping[str, str], file: Path | None = None, progress: Callable[[int, int], None] | None = None
) -> Plan:
    """Rank the machines for the request that options and a file make; options win.

    Args:
        options: fields of the request, as texts.
        file: a YAML file with the same fields.
        progress: called with the count of machine types tried so far, and of all.

    Raises:
        InvalidDescription: the request is wrong; carries every problem.
    """
    request = read_request(options, file)
    return Plan(request, ranking_of(request, progress))


def stack_file_of(planned: Plan, file: Path) -> str:
    """Return the content of a new stack file: the platform of the recommended choice, which is a valid description.

    Raises:
        Unwritable: there is no choice, the file exists, or the choice cannot be written as one platform; the text
            then names the cheapest choice that can.
    """
    choice = planned.ranking.recommended
    if choice is None:
        raise Unwritable(f"{file} is not written: no machine does this")
    if file.exists():
        raise Unwritable(f"{file} exists, and is not overwritten")
    try:
        description.parse(description_of(planned.request, choice))
    except InvalidDescription as invalid:
        raise Unwritable(_no_platform(planned, choice, invalid)) from None
    return stack_file(planned.request, choice)


def _no_platform(planned: Plan, choice: Choice, invalid: InvalidDescription) -> str:
    """Why a choice is no platform, and the cheapest one that is."""
    request = planned.request
    why = f"{choice.plan.nodes:,} × {choice.hardware.machine_type} cannot be written as one platform:\n{invalid}"
    for other in planned.ranking.choices:
        try:
            description.parse(description_of(request, other))
        except InvalidDescription:
            continue
        machine = other.hardware.machine_type
        return f"{why}\n\n--machine-type {machine} does the same work with {other.plan.nodes:,}, and can be written."
    less = "Ask for fewer --accelerators" if request.accelerators else "Allow more time with --deadline"
    return f"{why}\n\nNo other machine can be written, either. {less}, so that one platform holds them."
