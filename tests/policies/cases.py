"""Cases of policy rules, from the files in the folder fixtures: small programs as data, with the outcome of each.

aws-ebs-encrypted:
  pass:
    - it: {aws:ebs/volume:Volume: {encrypted: true, kmsKeyId: !ref key.arn}}
      key: {aws:kms/key:Key: {}}
  fail:
    - it: {aws:ebs/volume:Volume: {}}
  unknown:
    - it: {aws:ebs/volume:Volume: {encrypted: !unknown }}
  n/a:
    - it: {aws:kms/key:Key: {}}

The rule judges the resource called `it`. A resource may have `options` beside its type; a case may have `settings`,
`exports` of the stack, and `preview: true`, which leaves what other resources will answer unknown. `exempt` cases break
a rule that does not mean them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from tests.rulecases import IT, Program, Ref, graph_of, urn_of

from penstock.policies import exemptions
from penstock.resources.former_types import by_present_names
from penstock.resources.graph import Graph, Options
from penstock.resources.values import UNKNOWN, Secret
from penstock.resources.verdict import NOT_APPLICABLE
from penstock.resources.view import Site, View
from penstock.rules import registry
from penstock.rules.judge import Answer, evaluate
from penstock.rules.levels import RuleKind
from penstock.rules.rule import Rule
from penstock.rules.settings import Settings

FIXTURES = Path(__file__).parent / "fixtures"
TODAY = date(2026, 11, 21)


class _Loader(yaml.SafeLoader):
    """Reads `!ref NAME.OUTPUT`, `!unknown` and `!secret TEXT`."""


def _ref(loader: yaml.SafeLoader, node: yaml.ScalarNode) -> Ref:
    name, _, output = str(loader.construct_scalar(node)).partition(".")
    return Ref(name, output or "id")


def _secret(loader: yaml.SafeLoader, node: yaml.ScalarNode) -> Secret:
    return Secret(loader.construct_scalar(node))


_Loader.add_constructor("!ref", _ref)
_Loader.add_constructor("!unknown", lambda _, __: UNKNOWN)
_Loader.add_constructor("!secret", _secret)


@dataclass(frozen=True)
class PolicyCase:
    """A rule, what is expected of it, and the program."""

    rule: str
    outcome: str
    program: Program
    options: Mapping[str, Options] = field(default_factory=dict)
    settings: Settings = field(default_factory=Settings)
    preview: bool = False
    says: str = ""
    exports: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.rule}-{self.outcome}"

    @property
    def graph(self) -> Graph:
        """The program's Graph."""
        graph = graph_of(self.program, preview=self.preview, options=self.options)
        return by_present_names(replace(graph, exports=self.exports))

    @property
    def urn(self) -> str:
        """The URN of the resource that is judged."""
        return urn_of(IT, self.program)


def answer(case: PolicyCase) -> Answer | None:
    """What the rule says of the case; None where it does not speak of the resource's type."""
    rule = rule_of(case.rule)
    site = Site(case.graph)
    it = View(site.graph[case.urn], site)
    if rule not in registry.rules_on(it.type, RuleKind.POLICY):
        return None
    return evaluate(rule, it, case.settings, TODAY, exemptions.exemption_of)


def outcome(case: PolicyCase) -> str:
    """What comes of the case."""
    said = answer(case)
    return NOT_APPLICABLE.outcome.value if said is None else said.outcome


@cache
def rule_of(id_: str) -> Rule:
    """The one rule of an id."""
    (rule,) = [rule for rule in registry.policies() if rule.id == id_]
    return rule


@cache
def cases() -> tuple[PolicyCase, ...]:
    """Every case of every rule."""
    return tuple(case for file in sorted(FIXTURES.glob("*/*.yaml")) for case in read(file))


def read(file: Path) -> Iterator[PolicyCase]:
    """The cases of one file."""
    content = yaml.load(file.read_text(encoding="utf-8"), _Loader)
    for rule, outcomes in content.items():
        for expected, programs in outcomes.items():
            for program in programs:
                yield _case(rule, expected, dict(program))


def _case(rule: str, expected: str, told: dict[str, Any]) -> PolicyCase:
    settings = Settings.model_validate(told.pop("settings", {}))
    preview, says, exports = told.pop("preview", False), told.pop("says", ""), told.pop("exports", {})
    options = {name: Options(**resource.pop("options")) for name, resource in told.items() if "options" in resource}
    program = {name: (type_, inputs) for name, resource in told.items() for type_, inputs in resource.items()}
    return PolicyCase(rule, expected, program, options, settings, preview, says, exports)
