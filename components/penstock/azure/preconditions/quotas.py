"""Quotas that a new subscription has too little of."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Final

from penstock.azure.model import places
from penstock.azure.rules.quotas import DRAWING, draws_of
from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.graph.view import Site, View
from penstock.model.pools import MachinePool, program_pools
from penstock.preconditions.default_quotas import Shortfall, Taken, beyond_defaults, counted, totals
from penstock.preconditions.kind import Kinds
from penstock.preconditions.need import MachinesNeed, QuotaNeed
from penstock.preconditions.precondition import Precondition

KINDS = Kinds()

_UNKNOWN_REGION = "REGION"
"""What a command has where the region is not known."""
_COMPUTE: Final = "Microsoft.Compute"
_ASKED_BY_COMMAND: Final = (_COMPUTE, "Microsoft.Network")
"""Resource providers whose quotas the quota service raises; others take a request of support."""


@KINDS.kind(
    "az-quota",
    sources=("Azure virtual machines documentation, vCPU quotas", "Azure CLI reference, az quota"),
)
def more_than_a_new_subscription_has(site: Site) -> Iterator[Precondition]:
    """Quotas of which the program can take more than a new subscription has: vCPU by family, networks, accounts."""
    for need in beyond_defaults(site, "azure", _taken(site)):
        yield _enough(site, need)


def quotas_drawn(site: Site) -> Iterator[Precondition]:
    """Yield every quota that a program draws on, also where a new subscription has enough: this one may have less."""
    for need in totals(site, "azure", _taken(site)):
        yield _enough(site, need)


def _taken(site: Site) -> Iterator[Taken]:
    yield from _machines(site)
    yield from counted(site, "azure", {"region": _region})


def _enough(site: Site, need: Shortfall) -> Precondition:
    quota = need.quota
    region = need.place or _region(View(site.graph[need.urn], site))
    return Precondition(
        need.in_words("subscription"),
        "Azure refuses what is beyond the quota, and an increase may take days.",
        _request(need),
        need.urn,
        QuotaNeed(quota.service, quota.code, quota.name, quota.unit, need.amount - need.already, region),
    )


@KINDS.kind("az-quota-of-service", sources=("Azure Machine Learning documentation, manage quotas",))
def machines_of_a_service(site: Site) -> Iterator[Precondition]:
    """Quotas of a service that counts its own machines: Machine Learning by family, Batch by account."""
    for pool in program_pools(site, "azure"):
        yield from _of_service(pool)


def _of_service(pool: MachinePool) -> Iterator[Precondition]:
    try:
        if not pool.service or not pool.has_accelerators():
            return
        count, types = pool.most(), [named.name for named in pool.machine_types()]
    except (NotKnown, TypeMismatch):
        return
    batch = pool.service == "Batch"
    listed = "batch account show --query dedicatedCoreQuotaPerVMFamily" if batch else "ml compute list-usage"
    for name in types if count else ():
        yield Precondition(
            f"{pool.service} quota of {count} {name}",
            "New subscriptions have none for sizes with accelerators, and the service has a quota of its own.",
            f"az {listed} shows it; the portal's page Quotas takes requests.",
            pool.view.urn,
            MachinesNeed(pool.service, name, count, pool.purchase(), _region(pool.view)),
        )


def _request(need: Shortfall) -> str:
    quota, region = need.quota, need.place or _UNKNOWN_REGION
    if quota.service not in _ASKED_BY_COMMAND:
        return f"The portal's page Quotas takes requests for {quota.name}."
    scope = f"/subscriptions/$(az account show --query id --output tsv)/providers/{quota.service}/locations/{region}"
    kind = "lowPriority" if quota.code == "lowPriorityCores" else "dedicated"
    resource = f" --resource-type {kind}" if quota.service == _COMPUTE else ""
    return (
        f'az quota update --resource-name {shlex.quote(quota.code)} --scope "{scope}" '
        f"--limit-object value={need.amount} limit-object-type=LimitValue{resource}"
    )


def _machines(site: Site) -> Iterator[Taken]:
    for view in site.of_type(*DRAWING):
        try:
            for draw in draws_of(view):
                yield Taken(draw.quota, draw.amount, _region(view), view)
        except (NotKnown, TypeMismatch):
            continue


def _region(view: View) -> str:
    try:
        return places.region(view)
    except NotKnown:
        return _UNKNOWN_REGION
