"""Budgets that a platform passes from the start, may pass once its pools grow, or that cannot be judged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from penstock.core.findings import Finding, Severity, Source
from penstock.core.wording import listed
from penstock.cost import Cost
from penstock.cost.bill import Unpriced, UnpricedMachines
from penstock.cost.total_words import amount_words, omission_name, total_words
from penstock.graph.graph import Graph, Resource
from penstock.providers import all_providers, provider_of

_OURS: Final = "penstock:"
_MOST_NAMED: Final = 3


def over_budget(cost: Cost, graph: Graph) -> Iterator[Finding]:
    """Yield a finding for each monthly budget of the Graph that its own cost exceeds from the start, or may exceed.

    `budget.monthly_usd` of a description is the budget of what it describes: to exceed it from the start is an error,
    and so are machines without a price, with which it cannot be judged. Other budgets may be about something else, such
    as one service, or alert only: for them it is a warning. That the pools could grow beyond a budget is a note.
    """
    readers = _readers()
    for budget in graph.of_type(*readers):
        reader = readers[budget.type]
        limit: float | None = reader.limit(budget)
        if limit is None:
            if currency := reader.currency(budget):
                yield _in_another_currency(budget, currency, reader.PATH)
            continue
        ours = _is_ours(budget, graph)
        if cost.monthly_usd > limit:
            found: Finding | None = _exceeded(cost, limit, ours=ours)
        elif cost.unpriced_machines:
            found = _not_judged(cost, limit, graph, ours=ours)
        else:
            found = _at_most(cost, limit, graph)
        if found is not None:
            yield replace(found, urn=budget.urn, path=reader.PATH)


def _in_another_currency(budget: Resource, currency: str, path: str) -> Finding:
    return Finding(
        code="BUDGET-003",
        severity=Severity.INFO,
        source=Source.BUDGET,
        message=f"The budget is in {currency} and the bill in US dollars, so they cannot be compared.",
        hint="Give the limit in USD if the account is billed in it.",
        urn=budget.urn,
        path=path,
    )


def _exceeded(cost: Cost, limit: float, *, ours: bool) -> Finding:
    return Finding(
        code="BUDGET-001",
        severity=Severity.ERROR if ours else Severity.WARNING,
        source=Source.BUDGET,
        message=f"This costs {total_words(cost)}; the budget is {limit:,.0f}.",
        hint=f"{_dearest(cost)}Start fewer or smaller machines, or raise budget.monthly_usd.",
    )


def _not_judged(cost: Cost, limit: float, graph: Graph, *, ours: bool) -> Finding:
    """The machines that have no price, while all else is within the budget."""
    names = [omission_name(each) for each, _ in cost.unpriced_machines]
    return Finding(
        code="BUDGET-003",
        severity=Severity.ERROR if ours else Severity.WARNING,
        source=Source.BUDGET,
        message=f"The budget of {limit:,.0f} USD a month cannot be judged: no price is known for "
        f"{listed(names, _MOST_NAMED)}. The rest costs {amount_words(cost.monthly_usd, is_complete=False)}.",
        hint=_price_hint(cost.unpriced_machines, graph),
    )


def _price_hint(found: Sequence[tuple[Unpriced, UnpricedMachines]], graph: Graph) -> str:
    """The ways to a price of the machines: a file of the user, or the price service of their cloud."""
    types = listed(dict.fromkeys(machines.machine_type for _, machines in found))
    places = listed(dict.fromkeys(machines.region for _, machines in found if machines.region))
    owners = (graph.resources.get(each.urn) for each, _ in found)
    clouds = dict.fromkeys(provider.name for each in owners if each and (provider := provider_of(each.type)))
    files = listed(f"{cloud}/prices.csv" for cloud in clouds) or "prices.csv"
    refresh = f"run `penstock catalog refresh {next(iter(clouds))}`, " if clouds else ""
    where = f" in {places}" if places else ""
    return (
        f"Write what an hour of {types}{where} costs into {files} in the folder of PENSTOCK_PRICES, {refresh}"
        "or start machines that have a price."
    )


def _at_most(cost: Cost, limit: float, graph: Graph) -> Finding | None:
    most = sum(line.high_usd for line in cost.lines)
    idle = [(each, each.machines) for each in cost.unpriced if each.is_open and each.machines is not None]
    if most > limit:
        more = "" if cost.high_usd is not None else " and more"
        message = (
            f"This may cost up to {most:,.0f} USD a month{more}, all pools and prices at their most; the budget is "
        )
        message, hint = f"{message}{limit:,.0f}.", "`penstock cost` shows what may grow."
    elif idle:
        names = listed(f"{each.urn.rpartition('::')[2]} ({each.why})" for each, _ in idle[:_MOST_NAMED])
        message = f"What this may cost at most is not known, and the budget is {limit:,.0f} USD a month: {names}."
        hint = _price_hint(idle, graph)
    else:
        return None
    return Finding(code="BUDGET-002", severity=Severity.INFO, source=Source.BUDGET, message=message, hint=hint)


def limits(graph: Graph) -> dict[str, tuple[str, float]]:
    """Return the monthly limit of each budget of the Graph whose limit is known, by its URN, with the path of it."""
    readers = _readers()
    found = ((each, readers[each.type]) for each in graph.of_type(*readers))
    known = ((each.urn, reader.PATH, reader.limit(each)) for each, reader in found)
    return {urn: (path, limit) for urn, path, limit in known if limit is not None}


def _readers() -> dict[str, Any]:
    return {reader.TYPE: reader for each in all_providers() if (reader := each.module("budgets")) is not None}


def _is_ours(budget: Resource, graph: Graph) -> bool:
    """Whether a component of Penstock made a budget, from the description of the platform."""
    parent = graph.resources.get(budget.parent)
    return parent is not None and parent.type.startswith(_OURS)


def _dearest(cost: Cost) -> str:
    """The line that costs most, in a sentence."""
    if not cost.lines:
        return ""
    line = cost.lines[0]
    return f"Most of it is {line.what}: {line.monthly_usd:,.0f} USD. "
