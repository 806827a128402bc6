"""The reference pages of policies: each rule with its why and its mend, an example, and what others call it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module

from docs import examples
from docs.markdown import formatted, page, table
from tests.rules.cases import policy_cases

from penstock.policies import exemptions, frameworks
from penstock.policies.exemptions import Exemption
from penstock.rules import packs, registry
from penstock.rules.levels import Category
from penstock.rules.rule import Rule

_CATEGORIES = [category for category in Category if category is not Category.PROVIDER]
_HOMES: dict[Category, str] = dict(zip(_CATEGORIES, registry.POLICY_PACKAGES, strict=True))


def overview_page() -> str:
    """Every rule in one line, by concern, and what is exempt."""
    count = len(registry.policies())
    return page(
        "Policies",
        f"Made from the code: {count} rules in {len(_CATEGORIES)} categories. Each judges resources, of any program, "
        "whoever wrote it, by the same function in a rehearsal, in the policy pack and in an audit.",
        *(part for concern in _CATEGORIES for part in _concern_in_short(concern)),
        "## Exempt",
        "What a fabric or a driver cannot do without, although a rule forbids it. A star marks a reason that no "
        "primary source confirms.",
        table(
            ("Exemption", "Rules", "Reason", "Source"),
            (
                (_starred(each), ", ".join(sorted(each.rules)), each.reason, each.source)
                for each in exemptions.all_exemptions()
            ),
        ),
    )


def _concern_in_short(concern: Category) -> Iterator[str]:
    yield f"## {_title(concern)}"
    yield f"[All of them, with examples](policies/{concern.value}.md)."
    yield table(
        ("Rule", "Severity", "Packs", "What holds"),
        ((_linked(rule), rule.severity.value, ", ".join(_packs(rule)), rule.title) for rule in _rules_of(concern)),
    )


def concern_page(concern: Category) -> str:
    """The rules of one concern in full."""
    docstring = import_module(f"penstock.policies.{_HOMES[concern]}").__doc__ or ""
    whole = page(
        _title(concern),
        f"Made from the code. {docstring.partition(': ')[2].strip().capitalize()}",
        *(part for rule in _rules_of(concern) for part in _entry(rule)),
    )
    return formatted(whole)


def _entry(rule: Rule) -> Iterator[str]:
    yield f"## {rule.id}"
    yield f"{rule.title} **{rule.severity.value.capitalize()}**{', in production' if rule.in_production else ''}."
    yield f"{rule.rationale} {rule.fix}"
    example = next((case for case in policy_cases() if case.rule == rule.id and case.outcome == "pass"), None)
    if example is not None:
        yield f"```py\n{examples.written(example)}\n```"
    facts = {
        "On": ", ".join(f"`{type_}`" for type_ in rule.on),
        "Packs": ", ".join(_packs(rule)),
        "Frameworks": _controls(rule.category),
        "CIS": ", ".join(rule.cis),
        "Elsewhere": ", ".join(rule.peers),
    }
    yield "\n".join(f"- {name}: {told}" for name, told in facts.items() if told)


def _controls(concern: Category) -> str:
    """The controls that a concern speaks to, by framework; † where the mapping is from memory."""
    told: dict[str, list[str]] = {}
    for control in frameworks.framework_controls():
        if concern in control.categories:
            told.setdefault(frameworks.NAMES[control.framework], []).append(
                f"{control.id}{'†' if control.unverified else ''}"
            )
    return "; ".join(f"{name} {', '.join(ids)}" for name, ids in told.items())


def _rules_of(concern: Category) -> list[Rule]:
    return [rule for rule in registry.policies() if rule.category is concern]


def _linked(rule: Rule) -> str:
    return f"[`{rule.id}`](policies/{rule.category.value}.md#{rule.id})"


def _starred(exemption: Exemption) -> str:
    return f"{exemption.name} *" if exemption.unverified else exemption.name


def _packs(rule: Rule) -> list[str]:
    return [pack for pack in packs.PACKS if packs.holds(pack, rule)]


def _title(concern: Category) -> str:
    return concern.value.replace("-", " ").capitalize()


def _of(concern: Category) -> Callable[[], str]:
    return lambda: concern_page(concern)


PAGES: Mapping[str, Callable[[], str]] = {
    "policies.md": overview_page,
    **{f"policies/{concern.value}.md": _of(concern) for concern in _CATEGORIES},
}
