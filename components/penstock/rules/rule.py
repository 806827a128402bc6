"""What a rule is: a sentence, a function, and the cloud's own words as its source."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from penstock.findings import Severity
from penstock.resources.verdict import Verdict, asked
from penstock.resources.view import Site, View


@dataclass(frozen=True, slots=True)
class Rule:
    """One thing that a cloud enforces.

    Attributes:
        code: Stable, such as AWS-FSX-002.
        sentence: What holds when all is well, for the documentation.
        on: The type tokens it speaks of; `aws:*` for all of a package.
        severity: An error is what the cloud refuses; a warning what it takes and then does badly, or what no primary
            source confirms.
        source: Where the rule comes from.
        ask: Judges one resource.
    """

    code: str
    sentence: str
    on: tuple[str, ...]
    severity: Severity
    source: str
    ask: Callable[[View], Verdict]

    def judge(self, resource: View) -> Verdict:
        """What the rule says of a resource."""
        return asked(self.ask, resource)


@dataclass(frozen=True, slots=True)
class WholeRule:
    """One thing that a cloud enforces over all resources together, such as a quota; its failures name their URNs."""

    code: str
    sentence: str
    severity: Severity
    source: str
    ask: Callable[[Site], Verdict]

    def judge(self, site: Site) -> Verdict:
        """What the rule says of all that a program builds."""
        return asked(self.ask, site)


def rule(
    code: str, *, on: str | tuple[str, ...], source: str, severity: Severity = Severity.ERROR
) -> Callable[[Callable[[View], Verdict]], Rule]:
    """Makes a function of a resource a rule; its docstring is the sentence."""

    def make(function: Callable[[View], Verdict]) -> Rule:
        types = (on,) if isinstance(on, str) else on
        return Rule(code, _sentence(function), types, severity, source, function)

    return make


def whole_rule(
    code: str, *, source: str, severity: Severity = Severity.ERROR
) -> Callable[[Callable[[Site], Verdict]], WholeRule]:
    """Makes a function of all that a program builds a rule; its docstring is the sentence."""

    def make(function: Callable[[Site], Verdict]) -> WholeRule:
        return WholeRule(code, _sentence(function), severity, source, function)

    return make


def _sentence(function: Callable[..., Verdict]) -> str:
    return " ".join((function.__doc__ or "").split())
