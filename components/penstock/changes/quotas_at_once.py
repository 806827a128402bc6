"""Quotas that a program keeps to before and after a change, but not while old and new machines exist together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial

from penstock.changes.change_finding import finding
from penstock.changes.diff import Changes
from penstock.changes.pool_updates import updates_on
from penstock.changes.reserved_pools import known
from penstock.core.findings import Finding, Severity
from penstock.graph.view import Site, View
from penstock.model.pools import machine_pools
from penstock.rules.draws import Draw


def beyond_quotas(changes: Changes, before: Site, after: Site) -> Iterator[Finding]:
    """Yield a finding for each declared quota that old and new machines exceed only together.

    The engine deletes at the end what a program does not create any more, and what is replaced unless it goes first.
    """
    stays = [*changes.deleted, *(each for each in changes.replaced if not each.deletes_first)]
    beside = [draw for each in stays if each.before for draw in _draws(View(each.before, before))]
    beside = [draw for draw in beside if draw.quota in after.quotas]
    if not beside:
        return
    lasting, former = _total(after), _total(before)
    for code in sorted({draw.quota for draw in beside}):
        old = [draw for draw in beside if draw.quota == code]
        most, allowed = lasting[code] + sum(draw.amount for draw in old), after.quotas[code]
        if max(lasting[code], former[code]) <= allowed < most:
            yield _beyond(changes, old[0], most, allowed)


def _total(site: Site) -> Counter[str]:
    """What all pools and reservations of a program draw on each quota."""
    found: Counter[str] = Counter()
    for resource in site.graph:
        if not resource.external:
            for draw in _draws(View(resource, site)):
                found[draw.quota] += draw.amount
    return found


def _beyond(changes: Changes, draw: Draw, most: int, allowed: float) -> Finding:
    return finding(
        "DIFF-017",
        Severity.ERROR,
        changes.after.resources.get(draw.by.urn, draw.by.resource),
        f"Until {draw.by.name} is deleted, old and new machines take up to {most} of quota {draw.quota}, which allows "
        f"{allowed:.15g}: the new ones do not start",
        hint=f"Request {most} before the update, or delete the old ones first (delete_before_replace).",
    )


def _draws(view: View) -> list[Draw]:
    """The draws of a pool or a reservation; none where they are not known."""
    cloud = updates_on(view.type)
    if cloud is None or (view.type != cloud.RESERVATION and not known(partial(machine_pools, view))):
        return []
    return [*(known(lambda: list(cloud.draws_of(view))) or ())]
