"""Quotas: what a subscription may run in a region, as its user declares it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from penstock.azure.facts.sizes import find_size
from penstock.azure.model import pools
from penstock.azure.types import COMPUTE_CAPACITY_RESERVATION
from penstock.graph.graph import STACK_TYPE
from penstock.graph.verdict import NotKnown, Verdict
from penstock.graph.view import View
from penstock.model.pools import NamedType, machine_pools
from penstock.rules.draws import Draw, vcpu_within, within_quotas
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

DRAWING: Final = (*pools.TYPES, COMPUTE_CAPACITY_RESERVATION)
"""The types of the resources that draw on quotas of machines."""

_TOTAL: Final = "cores"
"""The quota of a region that machines of all families draw on together, but those on spot."""
_SPOT: Final = "lowPriorityCores"
"""The one quota of a region that machines on spot draw on, of whatever family."""


@RULES.rule(
    on=STACK_TYPE,
    severity=HIGH,
    rationale="Azure starts no machines beyond the quota of their family or of the region, so node pools fail to grow.",
    fix="Ask Azure for more quota, or lower count and maxCount.",
    sources=("Azure virtual machines documentation, vCPU quotas", "the quota values are the user's own"),
)
def az_quota_vcpu(stack: View) -> Verdict:
    """All machines that may run at once stay within the vCPU quotas that the user declares for the subscription."""
    site = stack.site
    return within_quotas(site, site.of_type(*DRAWING), draws_of, partial(vcpu_within, seller="Azure"))


def draws_of(view: View) -> Iterator[Draw]:
    """Yield the draws of a resource on quotas of vCPU; machines of a reservation were counted when that was created.

    Raises:
        NotKnown: a size or a number of machines is not known.
    """
    if view.type == COMPUTE_CAPACITY_RESERVATION:
        sku = view.block("sku")
        if sku is not None:
            size = NamedType(sku.text("name") or "", view, "sku.name")
            yield from _of_size(size, "on_demand", sku.integer("capacity") or 0)
    for pool in machine_pools(view):
        way = pool.purchase()
        if pool.service or way == "reserved":
            continue
        types = pool.machine_types()
        if not types:
            raise NotKnown
        for named in types:
            yield from _of_size(named, way, pool.most_of(named.name))


def _of_size(named: NamedType, way: str, count: int) -> Iterator[Draw]:
    """The draws on the quota of the family and on that of the region, or on that of spot."""
    size = find_size(named.name)
    if size is None:
        raise NotKnown
    for code in (_SPOT,) if way == "spot" else (size.family, _TOTAL):
        yield Draw(code, size.vcpu * count, named.holder, named.path)
