"""A policy that names a check of another tool judges what that check reads."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fnmatch import fnmatchcase

import pytest
from tests.peers.catalogue import PeerCheck, elsewhere, kept_by, left_out, peer_checks

from penstock.rules.recorded_reads import reads_of
from penstock.rules.rule import Rule

CLAIMS = [pytest.param(rule, id_, id=f"{rule.id}-{id_}") for id_, rules in kept_by().items() for rule in rules]
SAY_NOTHING = frozenset(
    {"enabled", "enable", "name", "type", "resource", "properties", "config", "configuration", "id"}
)
"""Words in the names of properties that tell no meaning."""


def test_every_named_check_is_one_of_its_tool() -> None:
    assert {id_ for id_ in kept_by() if id_ not in peer_checks()} == set()


def test_a_check_that_is_left_out_exists_and_no_policy_names_it() -> None:
    assert set(left_out()) <= set(peer_checks())
    assert set(left_out()) & set(kept_by()) == set()
    assert all(reason.endswith(".") for reason in left_out().values())


@pytest.mark.parametrize(("rule", "id_"), CLAIMS)
def test_a_named_check_reads_what_the_policy_judges(rule: Rule, id_: str) -> None:
    apart = difference(rule, peer_checks()[id_])
    assert (apart is None) == ((rule.id, id_) not in elsewhere()), apart


def difference(rule: Rule, check: PeerCheck) -> str | None:
    """The difference between what a policy and a check read; None where they share a type, and a property if both say.

    A policy that reads other resources beside its own may judge another type than the check.
    """
    shared = [type_ for type_ in rule.on if any(fnmatchcase(_name(type_, check), each) for each in check.types)]
    if check.types and not shared and not rule.joins and "*" not in rule.on:
        return f"{rule.id} judges none of {' '.join(sorted(check.types))}"
    ours = _words(path for type_ in shared or rule.on for path in reads_of(rule, type_))
    theirs = _words(check.reads) if check.platform != "kubernetes" else frozenset()
    if ours and theirs and not ours & theirs:
        return f"{rule.id} reads none of {' '.join(sorted(check.reads))}"
    return None


def _name(type_: str, check: PeerCheck) -> str:
    return type_.rpartition(":")[2] if check.platform == "kubernetes" else type_


def _words(names: Iterable[str]) -> frozenset[str]:
    words = {word.lower() for name in names for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)}
    return frozenset(word.rstrip("s") for word in words) - SAY_NOTHING
