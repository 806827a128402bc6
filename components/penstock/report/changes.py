"""The effects of a change on a stack, for people and for machines."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import groupby
from os.path import commonprefix
from typing import Any, Final

from rich.console import Console
from rich.text import Text

from penstock.changes.diff import Changed, Changes
from penstock.changes.machines import MachineChange, machine_changes
from penstock.core.findings import kind_of
from penstock.core.wording import plural
from penstock.graph.graph import STACK_TYPE, Graph, Resource
from penstock.report import cost, preconditions, settings, terminal
from penstock.report.assessment import Assessment, Home
from penstock.report.markdown_text import code, few, folded, plain, table_lines
from penstock.report.markdown_text import resource as named
from penstock.report.overview import Overview
from penstock.report.stack_verdict import OPERATIONS
from penstock.report.terminal import harmless_text
from penstock.secrets.withheld import value_at
from penstock.simulate.lifecycle import Difference, Operation
from penstock.simulate.monitor.prior_state import name_of

_SIGNS: Final = {
    Operation.CREATE: ("+", "green"),
    Operation.UPDATE: ("~", "yellow"),
    Operation.REPLACE: ("±", "bold magenta"),
    Operation.DELETE: ("-", "bold red"),
}
_GRAVITY: Final = (Operation.DELETE, Operation.REPLACE, Operation.UPDATE, Operation.CREATE)
_INDEX: Final = re.compile(r"\[\d+\]")
_LONGEST: Final = 60
"""How much of a value a line shows."""


def show(assessment: Assessment, console: Console, *, title: str, note: str = "", verbose: bool = False) -> None:
    """Print what is lost, then each change beneath the component that it belongs to, the findings and the counts.

    `note` is about the baseline; `verbose` adds the checks of the rehearsal behind it, with each undetermined one.
    """
    changes = assessment.changes
    assert changes is not None  # noqa: S101 it is the report of a change
    console.print(harmless_text(f"{title}  {note}" if note else title, "bold"))
    _show_lost(changes, console)
    settings.show(assessment.settings_changes, console)
    _show_machines(changes, console)
    for component, members in by_component(changes).items():
        console.print()
        console.print(harmless_text(component, "bold"))
        for each in members:
            _show_one(each, assessment.home, console)
    if changes.moved:
        console.print(Text("\nkept under a new name"))
        for moved in changes.moved:
            console.print(harmless_text(f"  {name_of(moved.old_urn)} → {name_of(moved.urn)}"), soft_wrap=True)
    console.print()
    if isinstance(assessment, Overview) and assessment.cost_change is not None:
        for line in cost.change_lines(assessment.cost_change):
            console.print(harmless_text(line), soft_wrap=True)
        console.print()
    terminal.show_findings(assessment, console)
    for line in preconditions.lines(assessment.preconditions or ()):
        console.print(harmless_text(line), soft_wrap=True)
    has_checks = verbose or assessment.command == "review"
    for line in terminal.check_lines(assessment, verbose=verbose) if has_checks else ():
        console.print(harmless_text(line), soft_wrap=True)
    console.print(Text(counts(changes)), soft_wrap=True)


def document(changes: Changes) -> dict[str, Any]:
    """Return the changes as JSON; secrets read "[secret]", values that only the cloud knows "[unknown]"."""
    return {
        "created": [_record(each) for each in changes.created],
        "updated": [_record(each) for each in changes.updated],
        "replaced": [_record(each) for each in changes.replaced],
        "deleted": [_record(each) for each in changes.deleted],
        "machines": [_machines_record(each.effect) for each in machine_changes(changes)],
        "moved": [{"old_urn": moved.old_urn, "urn": moved.urn} for moved in changes.moved],
        "data_lost": [{"urn": each.urn, "lost": each.lost, "protected": each.refused} for each in changes.data_lost],
    }


def markdown(changes: Changes) -> Iterator[str]:
    """Return the changes as Markdown: what is lost, open to see, then each change with its causes, folded."""
    lost = changes.data_lost
    if lost:
        refused = {True: " (`protect=True`: the engine refuses)", False: ""}
        lines = [f"- {code(each.resource.name)}: {plain(each.lost)}{refused[each.refused]}" for each in lost]
        yield from folded("<b>Data will be lost</b>", ["", *few(lines)], is_open=True)
    rows = [
        (
            each.operation.value,
            named(each.resource.name, each.resource.type),
            "<br>".join(map(code, cause_lines(each))),
        )
        for each in sorted(changes, key=lambda each: _GRAVITY.index(each.operation))
    ]
    if rows:
        yield from folded("What changes", table_lines(("What", "Resource", "Because of"), rows))


def machine_rows(changes: Changes) -> Iterator[tuple[str, str]]:
    """What becomes of the machines of each pool, and what a job on them sees, as cells of a table in Markdown."""
    for each in felt_machines(changes):
        job = "" if each.job == "none" else f"; a running job: {plain(each.job)}"
        yield f"Machines of {code(each.pool)}", f"{plain(machines_line(each))}{job}"


def _record(each: Changed) -> dict[str, Any]:
    resource = each.resource
    return {
        "urn": each.urn,
        "type": resource.type,
        "name": resource.name,
        "file": resource.place.file if resource.place else None,
        "line": resource.place.line if resource.place else None,
        "known": each.known,
        "causes": [
            {
                "path": cause.path,
                "before": value_at(each.before, cause.path, cause.before),
                "after": value_at(each.after, cause.path, cause.after),
                "replaces": cause.replaces,
                "because": cause.because or None,
            }
            for cause in each.causes
        ],
    }


def _machines_record(each: MachineChange) -> dict[str, Any]:
    return {
        "pool": each.pool,
        "urn": each.urn,
        "machine_type": each.machine_type,
        "becomes": each.becomes or None,
        "replaced": each.replaced,
        "replaced_most": each.replaced_most,
        "added": each.added,
        "removed": each.removed,
        "removed_most": each.removed_most,
        "waves": each.waves,
        "at_once": each.at_once,
        "surge": each.surge,
        "order": each.order or None,
        "minutes": each.minutes,
        "minutes_p95": each.minutes_p95,
        "pause_minutes": each.pause,
        "pause_minutes_p95": each.pause_p95,
        "timeout_minutes": each.timeout_min,
        "within_timeout": each.within_timeout,
        "job": each.job,
        "because": list(each.why),
    }


def felt_machines(changes: Changes) -> list[MachineChange]:
    """The pools of which a machine comes, goes or is replaced, or a job feels the change."""
    return [each.effect for each in machine_changes(changes) if each.effect.is_felt]


def _show_lost(changes: Changes, console: Console) -> None:
    if changes.data_lost:
        console.print(Text("\nData will be lost", style="bold red"))
    for each in changes.data_lost:
        refused = "  (protect=True: the engine refuses)" if each.refused else ""
        console.print(harmless_text(f"  {each.resource.name}: {each.lost}{refused}", "red"), soft_wrap=True)


def _show_machines(changes: Changes, console: Console) -> None:
    pools = felt_machines(changes)
    if not pools:
        return
    console.print(Text("\nMachines", style="bold"))
    for each in pools:
        style = "red" if each.replaced or each.removed else ""
        console.print(harmless_text(f"  {each.pool}: {machines_line(each)}", style), soft_wrap=True)
        if each.job != "none":
            console.print(harmless_text(f"      a running job: {each.job}"), soft_wrap=True)


def machines_line(each: MachineChange) -> str:
    """What becomes of the machines of a pool, in which waves and for how long, in one line."""
    parts = [part for part in (_replaced(each), _added(each), _removed(each)) if part]
    if not parts:
        return f"{each.machine_type or 'machines'} stay as they are for now"
    return ", ".join([*parts, *_waves(each), *_lasting(each)])


def _replaced(each: MachineChange) -> str:
    if not each.replaced_most:
        return ""
    others = f" by {each.becomes}" if each.becomes else ""
    return f"{_number(each.replaced, each.replaced_most)} × {each.machine_type} replaced{others}"


def _added(each: MachineChange) -> str:
    return f"{each.added} × {each.becomes or each.machine_type} added" if each.added else ""


def _removed(each: MachineChange) -> str:
    return f"{_number(each.removed, each.removed_most)} × {each.machine_type} removed" if each.removed_most else ""


def _number(known: int, most: int) -> str:
    return str(known) if known == most else f"{known} (up to {most})"


def _waves(each: MachineChange) -> Iterator[str]:
    if each.waves:
        yield f"{plural(each.waves, 'wave')} of {each.at_once}"
        yield each.order


def _lasting(each: MachineChange) -> Iterator[str]:
    if each.minutes is None:
        return
    if each.pause is not None:
        limit = f", time-out {each.timeout_min:g} min" if each.timeout_min is not None else ""
        yield f"about {each.pause:g} min with draining, boot and image pull (95th percentile {each.pause_p95:g} min)"
        yield f"machines start in {each.minutes:g} to {each.minutes_p95:g} min of that{limit}"
        return
    limit = f"; time-out {each.timeout_min:g} min" if each.timeout_min is not None else ""
    yield f"about {each.minutes:g} min (95th percentile {each.minutes_p95:g} min{limit})"


def by_component(changes: Changes) -> dict[str, list[Changed]]:
    """The changes by the component that they belong to, from the outermost one on."""
    groups: dict[str, list[Changed]] = {}
    for each in changes:
        graph = changes.before if each.after is None else changes.after
        groups.setdefault(" / ".join(names_above(each.resource, graph)) or "(no component)", []).append(each)
    return dict(sorted(groups.items()))


def names_above(resource: Resource, graph: Graph) -> list[str]:
    """The names of the components around a resource, the outermost first."""
    names: list[str] = []
    parent = graph.resources.get(resource.parent)
    while parent is not None and parent.type != STACK_TYPE:
        names.append(parent.name)
        parent = graph.resources.get(parent.parent)
    return names[::-1]


def _show_one(each: Changed, home: Home | None, console: Console) -> None:
    sign, style = _SIGNS[each.operation]
    resource = each.resource
    file = resource.place and (home.typed(resource.place.file) if home else resource.place.file)
    place = f"  {file}:{resource.place.line}" if resource.place else ""
    note = "" if each.known else "  (may be a replacement: nothing is known of this type)"
    name = harmless_text(f"  {sign} {resource.name}", style)
    head = Text.assemble(name, harmless_text(f"  {kind_of(resource.type)}"), harmless_text(place, "dim"), note)
    console.print(head, soft_wrap=True)
    for line in cause_lines(each):
        console.print(harmless_text(f"      {line}"), soft_wrap=True)


def cause_lines(each: Changed) -> Iterator[str]:
    """What causes a change, a line for each property; like changes of items that follow each other are one line."""
    for _, run in groupby(enumerate(each.causes), lambda found: _kind_of_cause(*found)):
        (_, first), *others = run
        if not others:
            yield cause_line(each, first)
            continue
        last = others[-1][1]
        start, end = _item(last.path)
        yield f"{first.path} to {last.path[start:end]}, {len(others) + 1} alike: {_change_words(each, first)}"


def _kind_of_cause(index: int, cause: Difference) -> tuple[object, ...]:
    """The same for items of one list that follow each other, and that come or go, or change alike."""
    start, end = _item(cause.path)
    if start == end:
        return (index,)
    came, went = cause.before is None, cause.after is None
    values = () if came or went else (str(cause.before), str(cause.after))
    number = int(cause.path[start + 1 : end - 1])
    return (cause.path[:start], cause.path[end:], number - index, came, went, values, cause.replaces, cause.because)


def _item(path: str) -> tuple[int, int]:
    """Where the last index of a path begins and ends; twice the end of a path without one."""
    found = list(_INDEX.finditer(path))
    return found[-1].span() if found else (len(path), len(path))


def cause_line(each: Changed, cause: Difference) -> str:
    """What causes a change, in a line: a property as it was and as it will be, without secrets."""
    return f"{cause.path}: {_change_words(each, cause)}"


def _change_words(each: Changed, cause: Difference) -> str:
    forced = "  forces a replacement" if cause.replaces else ""
    follows = f"  follows {name_of(cause.because)}" if cause.because else ""
    before = _text(value_at(each.before, cause.path, cause.before))
    after = _text(value_at(each.after, cause.path, cause.after))
    alike = len(commonprefix([before, after]))  # noqa: RUF071 texts, not paths
    return f"{_short(before, alike)} → {_short(after, alike)}{forced}{follows}"


def _text(value: Any) -> str:
    if value is None:
        return "(none)"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _short(text: str, alike: int) -> str:
    """As much as a line holds; where two long texts begin alike, the part in which they differ."""
    if len(text) <= _LONGEST:
        return text
    start = max(0, alike - _LONGEST // 4)
    end = start + _LONGEST
    return f"{'…' if start else ''}{text[start:end]}{'…' if end < len(text) else ''}"


def counts(changes: Changes) -> str:
    """The changes counted by what becomes of a resource, in a sentence."""
    counted = list(_counted(changes))
    return f"{', '.join(counted)}. Nothing was changed yet." if counted else "Nothing changes."


def _counted(changes: Changes) -> Iterator[str]:
    for operation in OPERATIONS:
        if count := len(getattr(changes, operation)):
            yield f"{count} {operation}"
