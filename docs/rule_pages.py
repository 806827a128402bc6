"""The reference pages of rules: one for each provider and category, and an overview of either kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from types import ModuleType
from typing import NamedTuple

from docs import examples
from docs.markdown import formatted, page, table
from tests.rules.cases import cases_by_rule

from penstock.policies import exemptions
from penstock.policies.exemptions import Exemption
from penstock.providers import Provider, all_providers
from penstock.rules import controls, packs, registry
from penstock.rules.levels import Category, RuleKind
from penstock.rules.recorded_reads import all_reads
from penstock.rules.rule import Rule
from penstock.rules.sources import linked

_CATEGORIES = [category for category in Category if category is not Category.PROVIDER]
_LONGEST_EXAMPLE = 1200
"""Characters of a program beyond which it explains nothing."""

_LONGEST_LIST = 12


class Group(NamedTuple):
    """Rules that share a page: its file below `docs/reference`, its title and introduction."""

    file: str
    title: str
    introduction: str
    rules: tuple[Rule, ...]


def provider_groups() -> list[Group]:
    """Return the provider rules, by provider."""
    return [
        Group(
            f"rules/{each.name}.md",
            f"Rules of {each.title}",
            f"What {each.title} refuses, or accepts and then does badly. By subject in the [overview](../rules.md).",
            registry.provider_rules(each.name),
        )
        for each in all_providers()
        if each.has("rules")
    ]


def policy_groups() -> list[Group]:
    """Return the policies, by category."""
    found = []
    for category, introduction in zip(_CATEGORIES, registry.CATEGORIES.values(), strict=True):
        rules = tuple(rule for rule in registry.policies() if rule.category is category)
        found.append(Group(f"policies/{category.value}.md", _title(category), introduction, rules))
    return found


def rules_page() -> str:
    """Return the overview of provider rules, by provider and subject."""
    return page(
        "Provider rules",
        "Generated from the code. Each rule judges resources of any Pulumi program. High severity is an error: the "
        "provider refuses the resource, or it never works. Medium is a warning: the provider accepts it and it then "
        "goes badly, or no primary source confirms the rule. A rule that reads a value which only the cloud knows is "
        "undetermined. See [Provider rules](../concepts/provider-rules.md).",
        *(
            part
            for provider in all_providers()
            for subject in registry.subjects_of(provider)
            for part in _subject(provider, subject)
        ),
    )


def policies_page() -> str:
    """Return the overview of policies, by category, with what is exempt."""
    return page(
        "Policies",
        f"Generated from the code: {len(registry.policies())} policies in {len(_CATEGORIES)} categories. Each judges "
        "resources of any Pulumi program, by the same function in a rehearsal, in the policy pack and in an audit. "
        "See [Policies](../concepts/policies.md).",
        *(part for group in policy_groups() for part in (f"## {group.title}", _in_short(group.file, group.rules))),
        "## Exempt",
        "Resources that cannot work without breaking a policy. A star marks a reason that no primary source confirms.",
        table(
            ("Exemption", "Rules", "Reason", "Source"),
            (
                (_starred(each), ", ".join(sorted(each.rules)), each.reason, each.source)
                for each in exemptions.all_exemptions()
            ),
        ),
    )


def group_page(group: Group) -> str:
    """Return the rules of a group in full."""
    parts = (part for rule in group.rules for part in _entry(rule))
    return formatted(page(group.title, f"Generated from the code. {group.introduction}", *parts))


def _subject(provider: Provider, subject: ModuleType) -> Iterator[str]:
    yield f"## {provider.title}: {(subject.__doc__ or '').splitlines()[0].rstrip('.')}"
    yield _in_short(f"rules/{provider.name}.md", subject.RULES)


def _in_short(file: str, rules: Iterable[Rule]) -> str:
    rows = ((f"[`{rule.id}`]({file}#{rule.id})", rule.severity.value, rule.title) for rule in rules)
    return table(("Rule", "Severity", "Title"), rows)


def _entry(rule: Rule) -> Iterator[str]:
    """The section of one rule, of either kind."""
    yield f"## {rule.id}"
    yield f"{rule.title} **{rule.severity.value.capitalize()}**{', in production' if rule.in_production else ''}."
    yield f"{rule.rationale} {rule.fix}"
    example = next((case for case in cases_by_rule().get(rule.id, ()) if case.outcome == "pass"), None)
    if example is not None and len(written := examples.written(example)) < _LONGEST_EXAMPLE:
        yield f"```py\n{written}\n```"
    facts = {
        "On": _list(rule.on),
        "Reads": _list(all_reads(rule)),
        "Packs": ", ".join(_packs(rule)),
        "Frameworks": _controls(rule),
        "CIS": ", ".join(rule.cis),
        "In other tools": ", ".join(rule.peers),
        "Sources": "; ".join(linked(rule)),
    }
    yield "\n".join(f"- {name}: {fact}" for name, fact in facts.items() if fact)


def _list(names: Sequence[str]) -> str:
    """The first of these names, and how many more there are."""
    shown = ", ".join(f"`{name}`" for name in names[:_LONGEST_LIST])
    more = len(names) - _LONGEST_LIST
    return f"{shown} and {more} more" if more > 0 else shown


def _controls(rule: Rule) -> str:
    """The controls that a policy serves, by framework; † where the mapping is from memory."""
    if rule.kind is not RuleKind.POLICY:
        return ""
    return "; ".join(f"{name} {', '.join(ids)}" for name, ids in controls.numbers_of(rule).items())


def _packs(rule: Rule) -> list[str]:
    return [pack for pack in packs.PACKS if packs.holds(pack, rule)] if rule.kind is RuleKind.POLICY else []


def _starred(exemption: Exemption) -> str:
    return f"{exemption.name} *" if exemption.unverified else exemption.name


def _title(category: Category) -> str:
    return category.value.replace("-", " ").capitalize()


PAGES: Mapping[str, Callable[[], str]] = {
    "policies.md": policies_page,
    **{group.file: partial(group_page, group) for group in (*provider_groups(), *policy_groups())},
}
