"""The changes: what is lost first, then the machines, then each resource with what causes its change."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.changes.diff import Changed
from penstock.changes.machines import MachineChange
from penstock.report.assessment import Assessment, Home
from penstock.report.changes import by_component, cause_lines, counts, felt_machines, machines_line
from penstock.report.html.naming import kind_words
from penstock.report.stack_verdict import OPERATIONS
from penstock.simulate.monitor.prior_state import name_of


@dataclass(frozen=True, slots=True)
class Lost:
    """Data that goes with a resource; `refused` where the engine refuses that, because the resource is protected."""

    name: str
    what: str
    refused: bool


@dataclass(frozen=True, slots=True)
class PoolEffect:
    """What becomes of the machines of a pool, what a running job sees of it, and why."""

    pool: str
    line: str
    job: str
    grave: bool
    why: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ResourceChange:
    """A resource that is created, updated, replaced or deleted, and because of what."""

    operation: str
    name: str
    kind: str
    place: str
    causes: tuple[str, ...]
    known: bool


@dataclass(frozen=True, slots=True)
class ChangesSection:
    """The changes of a stack, those of each component together."""

    counts: str
    numbers: tuple[tuple[str, int], ...]
    settings: tuple[tuple[str, str, str, str, str], ...]
    lost: tuple[Lost, ...]
    machines: tuple[PoolEffect, ...]
    components: tuple[tuple[str, tuple[ResourceChange, ...]], ...]
    moved: tuple[tuple[str, str], ...]


def section(assessment: Assessment) -> ChangesSection | None:
    """Return the changes as the page shows them; None in a report without."""
    changes, home = assessment.changes, assessment.home
    if changes is None:
        return None
    groups = ((word, len(getattr(changes, word))) for word in OPERATIONS)
    return ChangesSection(
        counts=counts(changes),
        numbers=tuple(groups),
        settings=tuple(
            (each.direction.value, each.name, each.before, each.after, each.note)
            for each in assessment.settings_changes
        ),
        lost=tuple(Lost(each.resource.name, each.lost, each.refused) for each in changes.data_lost),
        machines=tuple(_pool(each) for each in felt_machines(changes)),
        components=tuple(
            (component, tuple(_resource(each, home) for each in members))
            for component, members in by_component(changes).items()
        ),
        moved=tuple((name_of(each.old_urn), name_of(each.urn)) for each in changes.moved),
    )


def _pool(each: MachineChange) -> PoolEffect:
    job = "" if each.job == "none" else each.job
    return PoolEffect(each.pool, machines_line(each), job, bool(each.replaced or each.removed), each.why)


def _resource(each: Changed, home: Home | None) -> ResourceChange:
    resource = each.resource
    file = resource.place and (home.typed(resource.place.file) if home else resource.place.file)
    return ResourceChange(
        each.operation.value,
        resource.name,
        kind_words(resource.type),
        f"{file}:{resource.place.line}" if resource.place else "",
        tuple(cause_lines(each)),
        each.known,
    )
