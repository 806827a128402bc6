"""How the accelerators are shared out: what each team has for certain, and what is left for all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from penstock.addons.queueing.block import TeamSpec
from penstock.addons.queueing.flavors import Flavor


@dataclass(frozen=True, slots=True)
class Quotas:
    """Amounts of each resource by flavor.

    Attributes:
        of_teams: by team, then flavor.
        left: what no team has for certain, and all may borrow.
    """

    of_teams: Mapping[str, Mapping[str, Mapping[str, int]]]
    left: Mapping[str, Mapping[str, int]]


def share_out(teams: Sequence[TeamSpec], flavors: Sequence[Flavor]) -> Quotas:
    """Give each team the accelerators that it names, and share the others out in whole nodes.

    A team's accelerators are taken of each flavor alike, the preferred ones first.
    """
    given: dict[str, dict[str, int]] = {team.name: {} for team in teams}
    for kind in dict.fromkeys(flavor.kind for flavor in flavors):
        its = [flavor for flavor in flavors if flavor.kind == kind]
        open_ = _guaranteed(teams, kind, its)
        for flavor in its:
            amount = min(flavor.most[flavor.resource], sum(open_))
            shares = _in_steps(amount, open_, flavor.step)
            for index, team in enumerate(teams):
                part = min(shares[index], open_[index])
                given[team.name][flavor.name] = part
                open_[index] -= part
    return Quotas(
        {team: {each.name: _amounts(each, parts[each.name]) for each in flavors} for team, parts in given.items()},
        {each.name: _left(each, [_amounts(each, parts[each.name]) for parts in given.values()]) for each in flavors},
    )


def apportion(total: int, weights: Sequence[int]) -> list[int]:
    """Divide a number by weights; what does not divide goes to the largest remainders, the first ones first."""
    whole = sum(weights)
    if not whole:
        return [0] * len(weights)
    parts = [total * weight // whole for weight in weights]
    by_remainder = sorted(range(len(weights)), key=lambda index: -(total * weights[index] % whole))
    for index in by_remainder[: total - sum(parts)]:
        parts[index] += 1
    return parts


def _guaranteed(teams: Sequence[TeamSpec], kind: str, flavors: Sequence[Flavor]) -> list[int]:
    total = sum(flavor.most[flavor.resource] for flavor in flavors)
    named = sum(team.accelerators.get(kind, 0) for team in teams)
    weights = [0 if kind in team.accelerators else team.share for team in teams]
    shares = _in_steps(max(0, total - named), weights, max(flavor.step for flavor in flavors))
    return [team.accelerators.get(kind, share) for team, share in zip(teams, shares, strict=True)]


def _in_steps(total: int, weights: Sequence[int], step: int) -> list[int]:
    """Parts of a number in whole steps, and what is less than a step as it comes."""
    parts = [part * step for part in apportion(total // step, weights)]
    rest = apportion(total % step, weights)
    return [part + more for part, more in zip(parts, rest, strict=True)]


def _amounts(flavor: Flavor, given: int) -> dict[str, int]:
    """The amount of every resource that goes with a number of accelerators, rounded up."""
    whole = flavor.most[flavor.resource]
    return {name: -(-most * given // whole) for name, most in flavor.most.items()}


def _left(flavor: Flavor, given: Sequence[Mapping[str, int]]) -> dict[str, int]:
    return {name: max(0, most - sum(each[name] for each in given)) for name, most in flavor.most.items()}
