"""Deletions that a cloud refuses, because something that stays still uses what is deleted (`catalog.updates`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from penstock.catalog import updates
from penstock.catalog.updates import Holder
from penstock.changes.change_finding import finding
from penstock.changes.diff import Changed, Changes
from penstock.changes.refusals import is_refused
from penstock.changes.reserved_pools import known
from penstock.core.findings import Finding, Severity
from penstock.graph.graph import Resource
from penstock.graph.property_path import PropertyPath
from penstock.graph.view import Site, View
from penstock.simulate.lifecycle import Operation


def refused_deletions(changes: Changes) -> Iterator[Finding]:
    """Yield a finding for each resource that goes while another one keeps it: by what it uses now, in the cloud."""
    gone = [each for each in (*changes.replaced, *changes.deleted) if _goes(each)]
    if not gone:
        return
    before = Site(changes.before)
    fates = {each.before.urn: each for each in changes if each.before is not None}
    for each in gone:
        users = _users(each, before)
        kept = ((user, fact) for user, fact in users if _stays(each, fates.get(user.urn), fact, changes))
        first = next(kept, None)
        if first is not None:
            yield _refused(each, *first)


def _goes(each: Changed) -> bool:
    return each.before is not None and not each.retained and not each.before.options.retain_on_delete


def _users(each: Changed, before: Site) -> Iterator[tuple[Resource, Holder]]:
    """The resources that use one that goes, each with the fact by which its cloud refuses that."""
    assert each.before is not None  # noqa: S101 it goes
    used = View(each.before, before)
    for fact in updates.holders_of(used.type):
        for view in known(partial(used.referrers, fact.holder, fact.property)) or ():
            yield view.resource, fact


def _stays(gone: Changed, user: Changed | None, fact: Holder, changes: Changes) -> bool:
    """Return whether a user still uses what goes at the moment when that is deleted."""
    if user is None:
        return True
    if user.operation is Operation.DELETE:
        return user.before is not None and user.before.options.retain_on_delete
    if gone.deletes_first:
        return not user.torn_down  # it goes before anything else changes
    return user.operation is Operation.UPDATE and not _lets_go(user, fact, changes)


def _lets_go(user: Changed, fact: Holder, changes: Changes) -> bool:
    """Return whether an update gives the property another value, and the cloud does so."""
    keys = PropertyPath.parse(fact.property).keys
    touching = (each for each in user.causes if _meet(PropertyPath.parse(each.path).keys, keys))
    return any(not is_refused(user, each, changes) for each in touching)


def _meet(first: Sequence[str], second: Sequence[str]) -> bool:
    """Return whether one of two paths leads into the other."""
    shorter = min(len(first), len(second))
    return tuple(first[:shorter]) == tuple(second[:shorter])


def _refused(each: Changed, holder: Resource, fact: Holder) -> Finding:
    resource = each.resource
    done = "is replaced" if each.operation is Operation.REPLACE else "is deleted"
    return finding(
        "DIFF-016",
        Severity.ERROR,
        resource,
        f"{resource.name} ({resource.type}) {done}, while {holder.name} ({holder.type}) keeps it in {fact.property}. "
        f"{fact.message}",
        hint=fact.hint,
    )
