"""Findings to consider before a change is applied: on data, protection, renames, names, machines and refusals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from penstock.catalog import holdings
from penstock.changes import (
    features,
    growth_notes,
    machine_findings,
    moved_entries,
    refusals,
    refused_deletions,
    renames,
    reservation_findings,
    reused_names,
)
from penstock.changes.change_finding import finding
from penstock.changes.diff import Changed, Changes
from penstock.changes.machines import machine_changes
from penstock.changes.renames import Rename
from penstock.core.findings import Finding, Severity
from penstock.core.wording import listed
from penstock.graph.graph import Graph, Resource
from penstock.kubernetes.facts import pod_homes
from penstock.simulate.description_mapping import PLATFORM, component_of, deciding, list_of
from penstock.simulate.lifecycle import Difference, Operation
from penstock.simulate.monitor.prior_state import name_of

_DONE: Final = {Operation.REPLACE: "is replaced", Operation.DELETE: "is deleted"}
_MOST_NAMED: Final = 3
_NAMES_THEMSELVES: Final = ("kubernetes", "random")
"""Providers of which names never are in the way: one deletes first where it must, the other makes nothing."""


def findings_of(changes: Changes) -> tuple[Finding, ...]:
    """Return what a person should consider before a change is applied, what blocks first."""
    renamed = renames.recognised(changes.before, changes.after) if changes.created or changes.deleted else ()
    saved = {rename.old.urn: rename for rename in renamed}
    pools = machine_changes(changes)
    found = [
        *_touched(changes, saved),
        *(_rename(rename, changes) for rename in renamed if _is_chosen(rename, changes)),
        *_stuck(changes),
        *refusals.refused(changes),
        *refused_deletions.refused_deletions(changes),
        *features.features_turned_off(changes),
        *growth_notes.growth_notes(changes),
        *moved_entries.moved_entries(changes),
        *reused_names.reused_names(changes),
        *machine_findings.machine_findings(changes, pools),
        *reservation_findings.reservation_findings(changes, pools),
    ]
    return tuple(sorted(found, key=lambda each: not each.blocks))


def _touched(changes: Changes, saved: dict[str, Rename]) -> Iterator[Finding]:
    for each in (*changes.replaced, *changes.deleted):
        if each.refused:
            yield _protected(each, _saving(each.resource, changes.before, saved), changes)
        elif each.lost:
            yield _data_lost(each, _saving(each.resource, changes.before, saved), changes)
        if each.operation is Operation.REPLACE and _name_is_taken(each):
            yield _name_stays(each)
        if each.operation is Operation.REPLACE and _pods_pause(each):
            yield _pods_stop(each)


def _saving(resource: Resource, before: Graph, saved: dict[str, Rename]) -> Rename | None:
    """The rename that a resource, or what it is a part of, goes through."""
    above: Resource | None = resource
    while above is not None and above.urn not in saved:
        above = before.resources.get(above.parent)
    return saved[above.urn] if above else None


def _part(resource: Resource, changes: Changes) -> Resource | None:
    """The part of a platform that a resource belongs to: what is written of it is in a description."""
    return component_of(resource, _resources(changes))


def _resources(changes: Changes) -> Mapping[str, Resource]:
    return {**changes.before.resources, **changes.after.resources}


def _data_lost(each: Changed, rename: Rename | None, changes: Changes) -> Finding:
    forced, holding = _forced(each), holdings.holding_of(each.resource.type)
    field, undo = _undoing(each, rename, changes)
    if forced is None and _part(each.resource, changes) is None and rename is None:
        undo += ", or set retain_on_delete=True and apply that first"
    elif forced is not None and rename is None and field != _naming_field(each.resource, changes):
        undo += ", or copy the data to a second resource first"
    return finding(
        "DIFF-001",
        Severity.ERROR,
        each.resource,
        f"{_what(each)}, and with it goes {each.lost}",
        hint=" ".join([f"{undo}.", *([holding.note] if holding and holding.note else [])]),
        path=field or (forced.path if forced else None),
    )


def _undoing(each: Changed, rename: Rename | None, changes: Changes) -> tuple[str | None, str]:
    """The field of a description that lost or changed a resource, where one did, and what keeps the resource."""
    forced, part = _forced(each), _part(each.resource, changes)
    if named := _naming_field(each.resource, changes):
        return named, f"Leave `{named}` as it is: it names the platform and all that it has"
    if rename is not None:
        renamed = f"{rename.old.name} seems to be renamed to {rename.new.name}"
        if part is None:
            return None, f"{renamed}: the alias that DIFF-003 proposes saves it"
        return _list_behind(each, changes), f"{renamed}: keep its name in the description"
    if forced is None:
        if part is None:
            return None, "Keep it in the program"
        field = _list_behind(each, changes)
        return field, f"Keep it under `{field}:` in the description" if field else "Keep it in the description"
    field = _field_behind(each, changes) if part is not None else None
    stays = name_of(forced.because) if forced.because else forced.path
    return field, f"Leave `{field}` as it is" if field else f"Leave {stays} as it is"


def _list_behind(each: Changed, changes: Changes) -> str | None:
    """The list of a description whose items a resource of a part of a platform comes from."""
    resources = _resources(changes)
    return list_of(each.resource, resources) or deciding(each.resource, resources, "")


def _naming_field(resource: Resource, changes: Changes) -> str | None:
    """The field of a description whose change gives the platform of a resource another name; None where it keeps it."""
    above = changes.before.resources.get(resource.urn)
    while above is not None and above.type != PLATFORM:
        above = changes.before.resources.get(above.parent)
    others = [each for each in changes.after if each.type == PLATFORM]
    if above is None or len(others) != 1:
        return None
    if above.urn not in changes.after.resources:
        return "name"
    was, now = (str(each.outputs.get("summary", "")).rpartition(", ")[2] for each in (above, others[0]))
    kept = resource.urn in changes.after.resources
    return "environment" if was != now and not kept else None


def _field_behind(each: Changed, changes: Changes) -> str | None:
    """The field of a description that makes a replacement: that of the property which all others follow from."""
    touched = {changed.urn: changed for changed in (*changes.replaced, *changes.updated)}
    seen: set[str] = set()
    while each.urn not in seen:
        seen.add(each.urn)
        cause = _forced(each) or next(iter(each.causes), None)
        if cause is None:
            return None
        if cause.because not in touched:
            return deciding(each.resource, _resources(changes), cause.path)
        each = touched[cause.because]
    return None


def _protected(each: Changed, rename: Rename | None, changes: Changes) -> Finding:
    forced, part = _forced(each), _part(each.resource, changes)
    if part is None:
        release = "first apply protect=False alone"
    elif part.type.endswith(":Keys"):
        release = "first release it with `pulumi state unprotect`"
    else:
        release = "first apply `protect: false` in its block alone"
    field, undo = _undoing(each, rename, changes)
    return finding(
        "DIFF-002",
        Severity.ERROR,
        each.resource,
        f"{_what(each)}, which protect=True forbids{f': with it would go {each.lost}' if each.lost else ''}",
        hint=f"{undo}; or, if it is meant, {release}.",
        path=field or (forced.path if forced else None),
    )


def _is_chosen(rename: Rename, changes: Changes) -> bool:
    """Return whether a person chose the names: within a part of a platform that stays, Penstock did."""
    parts = (_part(rename.old, changes), _part(rename.new, changes))
    return any(
        part is None or part.urn not in changes.before.resources or part.urn not in changes.after.resources
        for part in parts
    )


def _rename(rename: Rename, changes: Changes) -> Finding:
    old, new = rename.old, rename.new
    if _part(new, changes) is None:
        hint = f"To keep it, add aliases=[{rename.alias}] to its ResourceOptions."
    else:
        hint = "To keep it, keep its name: a description has no place for an alias."
    return finding(
        "DIFF-003",
        Severity.WARNING,
        new,
        f"{old.name} ({old.type}) is deleted and {new.name} created, and they are alike: it seems to be renamed",
        hint=hint,
    )


def _stuck(changes: Changes) -> Iterator[Finding]:
    """Providers that go with what they reach, before what they made: the engine closes them too early.

    https://github.com/pulumi/pulumi/issues/14650 is open for it; Pulumi 3.260 does so.
    """
    inside: dict[str, list[Changed]] = {}
    for each in changes.replaced:
        if each.torn_down and each.before is not None and each.causes[0].path == "provider":
            inside.setdefault(each.before.provider_urn, []).append(each)
    for urn, torn in inside.items():
        names = listed(sorted(each.resource.name for each in torn), _MOST_NAMED)
        yield finding(
            "DIFF-005",
            Severity.WARNING,
            changes.before[urn],
            f"{name_of(urn)} reaches what is deleted before its replacement is created. The engine always stops there: "
            f"the provider closes before its resources are deleted ({names})",
            hint="First apply the program without what is named here, then the change, and then the whole.",
        )


def _name_stays(each: Changed) -> Finding:
    return finding(
        "DIFF-004",
        Severity.WARNING,
        each.resource,
        f"{_what(each)} under a name that is fixed: the old one must be deleted before the new one can be created",
        hint="Leave the name to the provider: then the new one is created before the old one goes.",
    )


def _name_is_taken(each: Changed) -> bool:
    """Return whether the program names the thing itself, with the name that it has already."""
    old, new = each.before, each.after
    if old is None or new is None or new.options.delete_before_replace:
        return False
    if new.type.partition(":")[0] in _NAMES_THEMSELVES:
        return False
    kept = [value for key, value in new.inputs.items() if isinstance(value, str) and old.inputs.get(key) == value]
    return any(old.id == value or old.id.endswith((f":{value}", f"/{value}")) for value in kept) or (
        "name" in new.inputs and new.inputs["name"] == old.inputs.get("name")
    )


def _pods_pause(each: Changed) -> bool:
    """Return whether the provider of Kubernetes deletes pods before it creates others, and nobody asked it to."""
    new = each.after
    if new is None or new.options.delete_before_replace is not None or each.torn_down or not each.deletes_first:
        return False
    return new.type in pod_homes.whole_specs() and not pod_homes.only_keeps_specs(new.type)


def _pods_stop(each: Changed) -> Finding:
    return finding(
        "DIFF-004",
        Severity.WARNING,
        each.resource,
        f"{_what(each)} under a name that is fixed: the provider deletes it first, and its pods stop before others "
        "start",
        hint="Leave the name to Pulumi, or create it under another name: then the new one runs before the old one "
        "goes.",
    )


def _forced(each: Changed) -> Difference | None:
    return next((cause for cause in each.causes if cause.replaces), None)


def _what(each: Changed) -> str:
    """The resource, what becomes of it, and why."""
    forced = _forced(each)
    if forced is None:
        why = ""
    elif forced.because:
        why = f" because {forced.path} comes from {name_of(forced.because)}, which changes"
    else:
        why = f" because {forced.path} cannot be changed in place"
    return f"{each.resource.name} ({each.resource.type}) {_DONE[each.operation]}{why}"
