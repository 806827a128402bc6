"""The rules that no single field can hold: what a cloud sells where, what fits together, what is not built yet.

Codes go by subject: 02x what is not built, 03x cloud, 04x network, 05x cluster, 060 to 074 machines and capacity, 075
to 080 placement, 084 to 088 nodes, 09x storage, 10x names and tags, 11x budget, 12x TPU slices, 13x how pools of Google
Cloud are bought, placed and wired, 15x clusters that exist, 16x and 17x add-ons, but for
167 and 168, which are about file systems that exist, 190 where charts come from, 200 devices that pods claim, 201 and
202 what teams read and write, 203 public ranges, 204 platforms without node pools.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from operator import attrgetter

from penstock.description.addon import all_addons
from penstock.description.problems import Coded
from penstock.description.rules import (
    accelerators,
    budget,
    capacity,
    cloud,
    cluster,
    device_claims,
    machines,
    names,
    network,
    nodes,
    placement,
    storage,
    tags,
    unbuilt,
)
from penstock.description.rules.rule import DescriptionRule
from penstock.description.shape import Sound
from penstock.providers import all_providers, provider_named

_SUBJECTS = (
    *(unbuilt, cloud, network, cluster, machines, capacity, placement, nodes, storage, names, tags, budget),
    *(accelerators, device_claims),
    *filter(None, (each.module("rules") for each in sorted(all_addons(), key=attrgetter("name")))),
)

_SHARED: tuple[DescriptionRule, ...] = tuple(
    rule for subject in _SUBJECTS for rule in vars(subject).values() if isinstance(rule, DescriptionRule)
)


def all_rules() -> tuple[DescriptionRule, ...]:
    """Return every rule, those of single clouds last; a title that several functions share has one code."""
    return (*_SHARED, *(rule for provider in all_providers() for rule in rules_of(provider.name)))


@cache
def rules_of(cloud: str) -> tuple[DescriptionRule, ...]:
    """Return the rules on descriptions for one cloud alone."""
    provider = provider_named(cloud)
    package = provider.module("description_rules") if provider is not None else None
    subjects = package.SUBJECTS if package is not None else ()
    return tuple(rule for subject in subjects for rule in vars(subject).values() if isinstance(rule, DescriptionRule))


def broken(sound: Sound, *, warns: bool = False) -> Iterator[Coded]:
    """The rules that a description breaks, or those that warn: the code of each, with the problem it leaves."""
    for rule in (*_SHARED, *rules_of(sound.spec.cloud.provider)):
        if rule.warns is warns and rule.applies(sound):
            yield from ((rule.code, problem) for problem in rule.ask(sound) if problem.path[:2] not in sound.in_part)
