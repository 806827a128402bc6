"""The explanation of a code: what holds when all is well, why it matters, how to fix it, and where that is written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from penstock.core.errors import NotAProject, UnknownFact
from penstock.core.findings import Severity
from penstock.core.spelling import SUGGESTION
from penstock.core.wording import did_you_mean, quoted
from penstock.description import rules as description_rules
from penstock.description.codes import Code
from penstock.preconditions.find import all_kinds
from penstock.preconditions.kind import PreconditionKind
from penstock.providers import provider_named
from penstock.report import codes
from penstock.rules import controls, packs, registry
from penstock.rules.custom import load_custom_rules
from penstock.rules.levels import BLOCKING, RuleKind, RuleSeverity
from penstock.rules.recorded_reads import all_reads
from penstock.rules.rule import Rule
from penstock.rules.sources import links
from penstock.simulate.project import project_at

_LINK: Final = re.compile(r"\[([^\]]+)\]\([^)]+\)")

_GROUPS: Final[Mapping[str, Mapping[str, str]]] = {
    "the resources of a program": codes.PROGRAM_CODES,
    "a rule that cannot be evaluated": codes.RULE_CODES,
    "a change": codes.CHANGE_CODES,
    "sizing": codes.SIZE_CODES,
    "a new repository": codes.INIT_CODES,
    "an import": codes.IMPORT_CODES,
    "a fault": codes.FAULT_CODES,
    "the real engine": codes.ENGINE_CODES,
    "waivers and states": codes.POLICY_CODES,
    "cost": codes.COST_CODES,
}
"""The codes that no rule has, by what they are about."""

_BESIDE: Final[Mapping[str, str]] = {
    "TYPE-001": "a warning where the SDK converts the value, a note where the value is not known",
    "TYPE-002": "a warning where the SDK converts the value, a note where the value is not known",
    "TYPE-003": "a warning where the SDK converts the value, a note where the value is not known",
    "DIFF-022": "a warning without `--block-loosened`",
    "DIFF-017": "a warning where no quota is declared",
    "BUDGET-001": "a warning for a budget that is not that of a description",
    "PRICE-001": "a warning for a name that is not known, and for a price that is given twice",
    "BUDGET-003": "a warning for a budget that is not that of a description, a note for one in another currency",
}
"""When a finding that is an error at worst is less."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """What is known of a code.

    Attributes:
        code: The code, or the id of a rule.
        title: What holds when all is well.
        kind: What the code is of: a provider rule, a policy, the description, a change, a precondition.
        severity: How severe a broken rule is, and what a finding does to the exit status.
        category: What a policy protects; empty elsewhere.
        rationale: What happens where it is broken.
        fix: How to set that right.
        on: The types of the resources that it judges, or the clouds of a description.
        reads: The property paths that it reads, or the fields of a description.
        packs: The packs that enable a policy.
        controls: The controls of frameworks that it serves, by framework; † where the mapping is not verified.
        cis: Controls of the CIS benchmarks.
        peers: Ids of the same rule in other tools.
        sources: Where it comes from: labels with a link, which is empty where no public page is known.
    """

    code: str
    title: str
    kind: str
    severity: str
    category: str = ""
    rationale: str = ""
    fix: str = ""
    on: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    packs: tuple[str, ...] = ()
    controls: Mapping[str, tuple[str, ...]]
    cis: tuple[str, ...] = ()
    peers: tuple[str, ...] = ()
    sources: tuple[tuple[str, str], ...] = ()


def explain(code: str) -> Explanation:
    """Return the explanation of a code, in any case of its letters.

    Raises:
        UnknownFact: nothing has that code; the text names the nearest one.
    """
    wanted = _spelled(code.strip())
    if wanted is None:
        _load_own_rules()
        wanted = _spelled(code.strip())
    if wanted is None:
        raise UnknownFact(f"{quoted(code)} is not a code or the id of a rule. {_near(code)}".strip())
    found = registry.rule_named(wanted)
    return _of_rule(found) if found is not None else _of_code(wanted)


def document(explanation: Explanation) -> dict[str, Any]:
    """Return an explanation as data."""
    found = asdict(explanation)
    found["sources"] = [{"label": label, "url": url or None} for label, url in explanation.sources]
    return found


def sentences() -> Iterator[tuple[str, str, str]]:
    """Yield each code with its title and with what else a person may search for: its reason and its fix."""
    for rule in registry.all_rules():
        yield rule.id, rule.title, f"{rule.rationale}\n{rule.fix}"
    for code in Code:
        yield code.value, code.meaning, ""
    for each in description_rules.all_rules():
        yield each.code, each.sentence, ""
    for kind, group in _GROUPS.items():
        yield from ((code, _LINK.sub(r"\1", sentence), kind) for code, sentence in group.items())
    for needed in all_kinds():
        yield needed.id, needed.title, ""


def lines(explanation: Explanation) -> Iterator[tuple[str, str]]:
    """Yield the parts of an explanation for people, each with its heading; parts without content are left out."""
    each = explanation
    parts = {
        "Why": each.rationale,
        "Fix": each.fix,
        "On": ", ".join(each.on),
        "Reads": ", ".join(each.reads),
        "Packs": ", ".join(each.packs),
        "Frameworks": "; ".join(f"{name} {', '.join(ids)}" for name, ids in each.controls.items()),
        "CIS": ", ".join(each.cis),
        "In other tools": ", ".join(each.peers),
    }
    yield from ((name, text) for name, text in parts.items() if text)
    for label, url in each.sources:
        yield "Source", f"{label}\n{url}".strip()


def _of_rule(found: Rule) -> Explanation:
    is_policy = found.kind is RuleKind.POLICY
    effect = "blocks" if found.severity in BLOCKING else "warns"
    if is_policy and found.severity is RuleSeverity.HIGH:
        effect = "warns in baseline, blocks in other packs,"
    provider = registry.provider_of_rule(found)
    kind = "policy" if is_policy else f"provider rule of {provider.title}" if provider is not None else "provider rule"
    return Explanation(
        code=found.id,
        title=found.title,
        kind=f"{kind}{', in production only' if found.in_production else ''}",
        severity=f"{found.severity.value}: {effect} unless settings say otherwise",
        category=found.category.value if is_policy else "",
        rationale=found.rationale,
        fix=found.fix,
        on=found.on,
        reads=all_reads(found),
        packs=tuple(pack for pack in packs.PACKS if packs.holds(pack, found)) if is_policy else (),
        controls=controls.numbers_of(found) if is_policy else {},
        cis=found.cis,
        peers=found.peers,
        sources=links(found),
    )


def _of_code(code: str) -> Explanation:
    of_form = next((each for each in Code if each.value == code), None)
    if of_form is not None:
        severity = "error: the exit status is 2, and nothing is run"
        return Explanation(
            code=code, title=of_form.meaning, kind="the form of a description", severity=severity, controls={}
        )
    asked = [each for each in description_rules.all_rules() if each.code == code]
    if asked:
        return Explanation(
            code=code,
            title=" ".join(dict.fromkeys(each.sentence for each in asked)),
            kind="a rule on the description",
            severity="error: the exit status is 2, and nothing is run",
            on=tuple(dict.fromkeys(_title(name) for each in asked for name in each.providers or ())),
            reads=tuple(dict.fromkeys(field for each in asked for field in each.reads)),
            controls={},
        )
    group = next(((kind, group[code]) for kind, group in _GROUPS.items() if code in group), None)
    if group is None:
        return _of_precondition(next(each for each in all_kinds() if each.id == code))
    kind, sentence = group
    title = _LINK.sub(r"\1", sentence)
    why, fix = codes.ADVICE.get(code, ("", ""))
    severity = _severity(code)
    return Explanation(code=code, title=title, kind=kind, severity=severity, rationale=why, fix=fix, controls={})


def _of_precondition(kind: PreconditionKind) -> Explanation:
    return Explanation(
        code=kind.id,
        title=kind.title,
        kind="a precondition of `pulumi up`, asked by `penstock preflight`",
        severity="error: the exit status is 1; a warning where the cloud could not be asked",
        on=kind.on,
        controls={},
        sources=tuple(("", each) if each.startswith("https://") else (each, "") for each in kind.sources),
    )


def _severity(code: str) -> str:
    if code.startswith(codes.WITHOUT_RESULT):
        return "error: the exit status is 2, and there is no result"
    possible = codes.SEVERITIES.get(code, (Severity.ERROR,))
    if possible[0] is Severity.ERROR:
        beside = f"; {_BESIDE[code]}" if code in _BESIDE else ""
        return f"{Severity.ERROR.value}: the exit status is 1{beside}"
    return f"{' or '.join(each.value for each in possible)}: blocks nothing"


def _title(provider: str) -> str:
    found = provider_named(provider)
    return found.title if found is not None else provider


def _load_own_rules() -> None:
    """Load the rules of the project that a person is in, if it has any."""
    with suppress(NotAProject):
        load_custom_rules(project_at(Path()).root)


def _known() -> Iterator[str]:
    yield from (each.id for each in registry.all_rules())
    yield from (each.value for each in Code)
    yield from (each.code for each in description_rules.all_rules())
    for group in _GROUPS.values():
        yield from group
    yield from (each.id for each in all_kinds())


def _near(code: str) -> str:
    """A proposal of the code that is most like one, if any is."""
    written = {each.lower(): each for each in _known()}
    proposed = did_you_mean(code, sorted(written))
    key = proposed.removeprefix(SUGGESTION).removesuffix("?")
    return proposed.replace(key, written[key]) if key in written else proposed


def _spelled(code: str) -> str | None:
    """A code as it is written, whatever the case of its letters here; None where there is none."""
    return next((each for each in _known() if each.lower() == code.lower()), None) if code else None
