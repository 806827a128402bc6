"""Draws of resources on the quotas of an account, in any cloud."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from penstock.core.wording import listed
from penstock.graph.verdict import NOT_APPLICABLE, PASS, UNKNOWN, NotKnown, TypeMismatch, Verdict, fail, together
from penstock.graph.view import Site, View


@dataclass(frozen=True, slots=True)
class Draw:
    """The draw of a resource on a quota, in its unit; `path` is the input that determines the amount."""

    quota: str
    amount: int
    by: View
    path: str


def within_quotas(
    site: Site,
    resources: Iterable[View],
    draws_of: Callable[[View], Iterable[Draw]],
    held: Callable[[list[Draw], float], Verdict],
) -> Verdict:
    """Asks `held` of all that is drawn on each quota that the user declares; without one there is nothing to say."""
    if not site.quotas:
        return NOT_APPLICABLE
    drawn: defaultdict[str, list[Draw]] = defaultdict(list)
    unclear: list[str] = []
    for resource in resources:
        try:
            for draw in draws_of(resource):
                drawn[draw.quota].append(draw)
        except NotKnown:
            unclear.append(resource.name)
        except TypeMismatch:
            continue
    verdicts = [held(draws, site.quotas[quota]) for quota, draws in sorted(drawn.items()) if quota in site.quotas]
    found = together([*verdicts, *([UNKNOWN] if unclear else [])])
    return _beside_undetermined(found, unclear) if unclear else found


def vcpu_within(draws: list[Draw], quota: float, *, seller: str) -> Verdict:
    """Judge all that is drawn on a quota of vCPU; a failure points at the resource that draws the most."""
    total, largest = sum(draw.amount for draw in draws), max(draws, key=lambda draw: draw.amount)
    if total <= quota:
        return PASS
    parts = listed(f"{draw.by.name} {draw.amount}" for draw in draws if draw.amount)
    return fail(
        f"the pools can reach {total} vCPU ({parts}); quota {largest.quota} allows {quota:.15g}",
        hint=f"Request {total} vCPU from {seller}, or lower the maximum sizes.",
        path=largest.path,
        urn=largest.by.urn,
    )


def _beside_undetermined(verdict: Verdict, unclear: list[str]) -> Verdict:
    """A failure that names the resources whose draws are undetermined, since a verdict cannot also be unknown."""
    more = f"; undetermined: the draws of {listed(unclear)}"
    return replace(verdict, failures=tuple(replace(each, message=each.message + more) for each in verdict.failures))
