"""Features that an update turns off while resources still use them: the engine deletes users only afterwards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from penstock.catalog.conditions import applies
from penstock.catalog.updates import Feature, features_of
from penstock.changes.change_finding import finding
from penstock.changes.diff import Changed, Changes
from penstock.changes.reserved_pools import known
from penstock.core.findings import Finding, Severity
from penstock.core.wording import listed
from penstock.graph.graph import Resource
from penstock.graph.property_path import HIDDEN, PropertyPath
from penstock.graph.view import Site, View
from penstock.simulate.lifecycle import kept


def features_turned_off(changes: Changes) -> Iterator[Finding]:
    """Yield a finding for each feature that goes before its users: those of now, be they deleted later or kept."""
    before = Site(changes.before)
    for changed in changes.updated:
        for feature in features_of(changed.resource.type):
            if _goes_off(changed, feature):
                users = list(_users(changed, feature, before))
                if users:
                    yield _finding(changed, feature, users, changes)


def _goes_off(changed: Changed, feature: Feature) -> bool:
    if changed.before is None or changed.after is None:
        return False
    sent = kept(changed.before.inputs, changed.after.inputs, changed.after.options.ignore_changes)
    path = PropertyPath.parse(feature.property)
    was, now = path.get(changed.before.inputs), path.get(sent)
    if isinstance(was, HIDDEN) or isinstance(now, HIDDEN):
        return False
    return _is_on(was, feature) and not _is_on(now, feature)


def _is_on(value: Any, feature: Feature) -> bool:
    return bool(value) and value != "false" and value not in feature.off


def _users(changed: Changed, feature: Feature, before: Site) -> Iterator[Resource]:
    """The resources that use a feature now."""
    assert changed.before is not None  # noqa: S101 it is updated
    if feature.reference:
        used = View(changed.before, before)
        views = known(partial(used.users, feature.user, feature.reference)) or []
    else:
        views = before.of_type(feature.user)
    yield from (view.resource for view in views if applies(feature.when, view.resource.inputs))


def _finding(changed: Changed, feature: Feature, users: Sequence[Resource], changes: Changes) -> Finding:
    names = listed((user.name for user in users), 1)
    leaving = all(user.urn in {each.urn for each in changes.deleted} for user in users)
    when = "are deleted only after that" if leaving else "still use it"
    if len(users) == 1:
        when = "is deleted only after that" if leaving else "still uses it"
    first = f"First remove {names}, then" if leaving else f"Keep it on for {names}, or remove that first and then"
    return finding(
        "DIFF-024",
        Severity.WARNING,
        changed.resource,
        f"{changed.resource.name} ({changed.resource.type}): {feature.property} is turned off, and {names} {when}. "
        f"{feature.message}",
        hint=f"{first} turn it off in a second change.",
        path=feature.property,
    )
