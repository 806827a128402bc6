"""Every rule has a title, a rationale, a fix and an id of its own; every provider rule has a source."""

from __future__ import annotations

from collections import Counter

from tests.rules.verdicts import RULES

from penstock.providers import all_providers
from penstock.rules import registry
from penstock.rules.levels import RuleKind
from penstock.rules.sources import links


def test_a_rule_says_what_holds_why_and_how_to_fix_it() -> None:
    for rule in tuple(registry.all_rules()):
        for sentence in (rule.title, rule.rationale, rule.fix):
            assert sentence.endswith("."), sentence
            assert sentence[0].isupper() or sentence[0] == "`", sentence
        assert rule.rationale != rule.title


def test_a_provider_rule_names_its_source_and_most_sources_have_a_page() -> None:
    found = [link for rule in RULES for link in links(rule)]

    assert [rule.id for rule in RULES if not rule.sources] == []
    assert sum(url.startswith("https://") for _, url in found) > 0.95 * len(found)


def test_an_id_is_that_of_one_rule() -> None:
    assert [id_ for id_, count in Counter(rule.id for rule in registry.all_rules()).items() if count > 1] == []


def test_a_rule_is_asked_of_every_type_that_it_names() -> None:
    """Also of the objects of clusters that a cloud has a say in, in every program of that cloud."""
    by_package = [(each.package, registry.provider_rules(each.name)) for each in all_providers()]
    named = [(package, rule, type_) for package, rules in by_package for rule in rules for type_ in rule.on]

    unasked = [
        (rule.id, type_)
        for package, rule, type_ in named
        if rule not in registry.rules_on(type_, RuleKind.PROVIDER, frozenset({package, type_.partition(":")[0]}))
    ]

    assert unasked == []
