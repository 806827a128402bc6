"""Quotas that a program needs more of than a new account has."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, NamedTuple

from penstock.catalog.conditions import RowCondition, applies, condition
from penstock.catalog.records import Column, records
from penstock.core.errors import UnknownFact
from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.graph.view import Site, View
from penstock.model.pools import program_pools
from penstock.preconditions.need import MachinesNeed
from penstock.preconditions.precondition import Precondition
from penstock.providers import provider_named


@dataclass(frozen=True, slots=True, kw_only=True)
class DefaultQuota:
    """A quota of a new account or project.

    Attributes:
        service: The service whose quota it is.
        code: The code or metric.
        value: The default; None where it is not known.
        unit: What is counted; empty for resources.
        type: The type of the resources that are counted, each once; empty where machines are counted.
        when: A property and its value, where only some resources of the type count.
        amount: The path of a number that each resource counts for, in place of one.
        place: The part of the account that the quota is for, such as a region, a zone or a network; empty for all.
        already: How many of the resources every new account has from its start; they count, too.
    """

    service: str
    code: str
    name: str
    value: int | None
    unit: str
    type: str
    when: Annotated[RowCondition | None, Column(read=condition)]
    amount: str
    place: str
    already: int | None
    unverified: tuple[str, ...]
    source: str
    as_of: str


PlaceOf = Callable[[View], str]
"""Returns the place that a resource takes of a quota in."""


class Shortfall(NamedTuple):
    """An amount of a quota that a program may take in one place, and the resource that takes the most of it."""

    quota: DefaultQuota
    amount: int
    place: str
    urn: str
    declared: float | None
    already: int

    def in_words(self, account: str) -> str:
        """The quota with what is needed of it, and what a new account, or a new project, has."""
        quota = self.quota
        unit = f" {quota.unit}" if quota.unit else ""
        place = f" in {self.place}" if self.place else ""
        already = f", with the {self.already} that every {account} starts with" if self.already else ""
        usually = " usually" if "value" in quota.unverified else ""
        has = f"a new {account}{usually} has {quota.value}"
        if self.declared is not None:
            has = f"this {account} has {self.declared:.15g}"
        return f"Quota {quota.code} ({quota.name}) of {self.amount}{unit}{place}{already}; {has}"


CodeOf = Callable[[str, str], str | None]
"""Returns the code of the quota that a machine type draws on when bought in one way, as far as it is known."""

_COUNTED_WAYS = ("on_demand", "spot", "flex_start")


class Taken(NamedTuple):
    """An amount of a quota that one resource takes, in an account or project; empty where all share one."""

    code: str
    amount: int
    place: str
    view: View
    account: str = ""


def default_quotas(provider: str) -> Mapping[str, DefaultQuota]:
    """Return the default quotas of a provider, by code."""
    return {each.code: each for each in records(DefaultQuota, f"{provider}/default_quotas")}


def counted(
    site: Site, provider: str, place_of: Mapping[str, PlaceOf], account_of: PlaceOf = lambda _: ""
) -> Iterator[Taken]:
    """Yield what resources take of the quotas that count them; `place_of` has the reader of each kind of place."""
    for quota in default_quotas(provider).values():
        for view in site.of_type(quota.type) if quota.type else ():
            if not applies(quota.when, view.resource.inputs):
                continue
            try:
                amount = _amount(view, quota.amount)
                place = place_of[quota.place](view) if quota.place else ""
            except (NotKnown, TypeMismatch):
                continue
            yield Taken(quota.code, amount, place, view, account_of(view))


def beyond_defaults(
    site: Site, provider: str, taken: Iterable[Taken], starts_empty: Container[str] = ()
) -> Iterator[Shortfall]:
    """Yield the quotas of which a program takes more than a new account has.

    Where a user declares a quota, that value counts; provider rules hold machines to it. `starts_empty` has the
    accounts that have nothing from their start.
    """
    for need in totals(site, provider, taken, starts_empty):
        code = need.quota.code
        declared_machines = code in site.quotas and not need.quota.type
        allowed = site.quotas.get(code, need.quota.value)
        if allowed is not None and need.amount > allowed and not declared_machines:
            yield need


def totals(site: Site, provider: str, taken: Iterable[Taken], starts_empty: Container[str] = ()) -> Iterator[Shortfall]:
    """Yield what a program may take of each quota in each place, however much a new account has."""
    quotas = default_quotas(provider)
    by_place: dict[tuple[str, str, str], list[Taken]] = {}
    for each in taken:
        if each.code in quotas and each.amount:
            place = each.place if quotas[each.code].place else ""
            by_place.setdefault((each.code, place, each.account), []).append(each)
    for (code, place, account), parts in by_place.items():
        already = 0 if account in starts_empty else quotas[code].already or 0
        largest = max(parts, key=lambda each: each.amount)
        total = sum(each.amount for each in parts) + already
        yield Shortfall(quotas[code], total, place, largest.view.urn, site.quotas.get(code), already)


def unlisted_machines(site: Site, provider: str, code_of: CodeOf, place_of: PlaceOf) -> Iterator[Precondition]:
    """Yield the machines with accelerators for which the catalogue knows no quota by its code, and there is one."""
    record = provider_named(provider)
    page = record.quota_page if record is not None else ""
    for pool in program_pools(site, provider):
        try:
            way = pool.purchase()
            if way not in _COUNTED_WAYS or pool.service or not pool.has_accelerators():
                continue
            types = [named.name for named in pool.machine_types() if code_of(named.name, way) is None]
            count, place = pool.most(), place_of(pool.view)
        except (NotKnown, TypeMismatch, UnknownFact):
            continue
        for name in types if count else ():
            yield Precondition(
                f"Quota for {count} {name} bought as {way} in {place}",
                "New accounts and projects usually have none for machines with accelerators, and the cloud starts "
                "none beyond the quota.",
                f"{page} shows it; its code is not known here.",
                pool.view.urn,
                MachinesNeed("", name, count, way, place),
            )


def _amount(view: View, path: str) -> int:
    if not path:
        return 1
    numbers = [place.value for place in view.locations(path)]
    return sum(int(number) for number in numbers if isinstance(number, int | float | str) and str(number).isdigit())
