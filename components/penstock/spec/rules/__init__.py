"""The rules that no single field can hold: what a cloud sells where, what fits together, what is not built yet.

Codes go by subject: 02x what is not built, 03x cloud, 04x network, 05x cluster, 060 to 074 machines and capacity, 075
to 080 placement, 084 to 088 nodes, 09x storage, 10x names and tags, 11x budget, 12x TPU slices, 13x how pools of Google
Cloud are bought, placed and wired.
"""

from __future__ import annotations

from collections.abc import Iterator

from penstock.spec.problems import Coded
from penstock.spec.rules import (
    budget,
    capacity,
    cloud,
    cluster,
    gcp_capacity,
    gcp_network,
    gcp_placement,
    machines,
    names,
    network,
    nodes,
    placement,
    storage,
    tags,
    tpu_slices,
    unbuilt,
)
from penstock.spec.rules.rule import Rule
from penstock.spec.shape import Sound

_SUBJECTS = (
    unbuilt,
    cloud,
    network,
    gcp_network,
    cluster,
    machines,
    capacity,
    gcp_capacity,
    placement,
    gcp_placement,
    tpu_slices,
    nodes,
    storage,
    names,
    tags,
    budget,
)

RULES: tuple[Rule, ...] = tuple(
    rule for subject in _SUBJECTS for rule in vars(subject).values() if isinstance(rule, Rule)
)
"""Every rule, by subject; a promise that several functions keep has one code."""


def broken(sound: Sound) -> Iterator[Coded]:
    """The rules that a description breaks: the code of each, with the problem it leaves."""
    for rule in RULES:
        if rule.applies(sound):
            yield from ((rule.code, problem) for problem in rule.ask(sound))
