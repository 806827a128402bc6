"""Quotas that a program keeps to before and after a change, but not while old and new machines exist together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial

from penstock.findings import Finding, Severity
from penstock.model.pools import machine_pools
from penstock.rehearsal.changes.change_finding import finding
from penstock.rehearsal.changes.diff import Changes
from penstock.rehearsal.changes.pool_updates import updates_on
from penstock.rehearsal.changes.reserved_pools import known
from penstock.resources.view import Site, View
from penstock.rules.draws import Draw


def beyond_quotas(changes: Changes, before: Site, after: Site) -> Iterator[Finding]:
    """Yield a finding for each declared quota that old and new machines exceed only together."""
    twice = [View(each.before, before) for each in changes.replaced if each.before and not each.deletes_first]
    extra = [draw for view in twice if _draws(view) for draw in _draws(view) if draw.quota in after.quotas]
    if not extra:
        return
    lasting: Counter[str] = Counter()
    for resource in after.graph:
        if not resource.external:
            lasting.update({draw.quota: draw.amount for draw in _draws(View(resource, after))})
    for code in sorted({draw.quota for draw in extra}):
        beside = [draw for draw in extra if draw.quota == code]
        most, allowed = lasting[code] + sum(draw.amount for draw in beside), after.quotas[code]
        if lasting[code] <= allowed < most:
            yield _beyond(changes, beside[0], most, allowed)


def _beyond(changes: Changes, draw: Draw, most: int, allowed: float) -> Finding:
    return finding(
        "DIFF-017",
        Severity.ERROR,
        changes.after.resources.get(draw.by.urn, draw.by.resource),
        f"While {draw.by.name} is replaced, old and new machines take up to {most} of quota {draw.quota}, which allows "
        f"{allowed:.15g}: the new ones do not start",
        hint=f"Request {most} before the update, or delete the old ones first (delete_before_replace).",
    )


def _draws(view: View) -> list[Draw]:
    """The draws of a pool or a reservation; none where they are not known."""
    cloud = updates_on(view.type)
    if cloud is None or (view.type != cloud.RESERVATION and not known(partial(machine_pools, view))):
        return []
    return [*(known(lambda: list(cloud.draws_of(view))) or ())]
