"""Cases of rules, from YAML: small programs as data, with the verdict of one rule on the resource called `it`.

aws-ebs-encrypted:
  pass:
    - it: {aws:ebs/volume:Volume: {encrypted: true, kmsKeyId: !ref key.arn}}
      key: {aws:kms/key:Key: {}}
  fail:
    - it: {aws:ebs/volume:Volume: {}}
      path: encrypted
      says: is not set
  unknown:
    - it: {aws:ebs/volume:Volume: {encrypted: !unknown }}
  n/a:
    - it: {aws:kms/key:Key: {}}

A case that fails shows where (`path`; without one, any place will do) and what the message or the fix contains
(`says`). A resource may have `options` beside its type; a case may have `settings` of policies, `quotas` of the
account, `exports` of the stack, `lookups` of its functions (token: arguments, with `answer` and the names that they
come `after`), `called`, the name of `it` where that matters, `prior`, the inputs with which `it` exists
already, and `preview: true`, which leaves unknown what resources will answer. `exempt` cases break a policy that has an
exemption for them. What is long is written short:
`!text [[x, 300], y]` is 300 times x and a y, a resource `subnet-{1..31}` is 31 resources, and `shared` holds what
several cases of a file merge.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from tests.programs import IT, Program, Ref, graph_of, urn_of

from penstock.catalog.former_types import by_present_names
from penstock.graph.graph import Graph, Lookup, Options
from penstock.graph.values import UNKNOWN, Secret
from penstock.rules.settings import Settings

TESTS = Path(__file__).parents[1]
PROVIDER_CASES = tuple(sorted((TESTS / "rules" / "cases").glob("*/*.yaml")))
POLICY_CASES = tuple(sorted((TESTS / "policies" / "cases").glob("*/*.yaml")))
_SERIES = re.compile(r"(.*)\{(\d+)\.\.(\d+)\}$")


@dataclass(frozen=True)
class RuleCase:
    """A rule, the outcome that is expected of it, the program, and what the case shows besides.

    A case that fails shows where the failure points (`path`, unless None) and what its message or fix contains.
    """

    rule: str
    outcome: str
    program: Program
    path: str | None = None
    says: str = ""
    preview: bool = False
    quotas: Mapping[str, float] = field(default_factory=dict)
    called: str = IT
    options: Mapping[str, Options] = field(default_factory=dict)
    settings: Settings = field(default_factory=Settings)
    exports: Mapping[str, Any] = field(default_factory=dict)
    lookups: Sequence[Mapping[str, Any]] = ()
    prior: Mapping[str, Any] | None = None

    def __str__(self) -> str:
        return f"{self.rule}-{self.outcome}"

    @property
    def graph(self) -> Graph:
        """The program's Graph."""
        graph = graph_of(self.program, preview=self.preview, called=self.called, options=self.options)
        return by_present_names(replace(graph, exports=self.exports, lookups=tuple(map(self._lookup, self.lookups))))

    @property
    def existing(self) -> Graph | None:
        """What exists before the program runs; None for a first run."""
        if self.prior is None:
            return None
        type_, _ = self.program[IT]
        return graph_of({IT: (type_, self.prior)}, called=self.called)

    def _lookup(self, given: Mapping[str, Any]) -> Lookup:
        ((token, arguments),) = ((key, value) for key, value in given.items() if key not in ("answer", "after"))
        after = frozenset(urn_of(name, self.program) for name in given.get("after", ()))
        return Lookup(token, arguments, "", given.get("answer", {}), after)

    @property
    def urn(self) -> str:
        """The URN of the resource that is judged."""
        return urn_of(IT, self.program)


class _Loader(yaml.CSafeLoader):
    """Reads `!ref NAME.OUTPUT`, `!unknown`, `!secret VALUE` and `!text [[PART, TIMES], PART]`."""


def _ref(loader: _Loader, node: yaml.ScalarNode) -> Ref:
    name, _, output = str(loader.construct_scalar(node)).partition(".")
    return Ref(name, output or "id")


def _secret(loader: _Loader, node: yaml.Node) -> Secret:
    if isinstance(node, yaml.ScalarNode):
        return Secret(loader.construct_scalar(node))
    if isinstance(node, yaml.MappingNode):
        return Secret(loader.construct_mapping(node, deep=True))
    assert isinstance(node, yaml.SequenceNode)
    return Secret(loader.construct_sequence(node, deep=True))


def _text(loader: _Loader, node: yaml.SequenceNode) -> str:
    parts = loader.construct_sequence(node, deep=True)
    return "".join(part if isinstance(part, str) else part[0] * part[1] for part in parts)


_Loader.add_constructor("!ref", _ref)
_Loader.add_constructor("!unknown", lambda _, __: UNKNOWN)
_Loader.add_constructor("!secret", _secret)
_Loader.add_constructor("!text", _text)


@cache
def provider_cases() -> tuple[RuleCase, ...]:
    """Every case of every provider rule."""
    return tuple(case for file in PROVIDER_CASES for case in read_cases(file))


@cache
def policy_cases() -> tuple[RuleCase, ...]:
    """Every case of every policy."""
    return tuple(case for file in POLICY_CASES for case in read_cases(file))


@cache
def cases_by_rule() -> Mapping[str, tuple[RuleCase, ...]]:
    """Every case, by the id of its rule."""
    found: dict[str, list[RuleCase]] = {}
    for case in (*provider_cases(), *policy_cases()):
        found.setdefault(case.rule, []).append(case)
    return {rule: tuple(cases) for rule, cases in found.items()}


def read_cases(file: Path) -> Iterator[RuleCase]:
    """The cases of one file."""
    content = yaml.load(file.read_text(encoding="utf-8"), _Loader)
    content.pop("shared", None)
    for rule, outcomes in content.items():
        for outcome, cases in outcomes.items():
            for case in cases:
                yield _case(rule, outcome, dict(case))


def _case(rule: str, outcome: str, given: dict[str, Any]) -> RuleCase:
    beside = ("path", "says", "preview", "quotas", "called", "exports", "lookups", "prior")
    shown = {key: given.pop(key) for key in beside if key in given}
    settings = Settings.model_validate(given.pop("settings", {}))
    options: dict[str, Options] = {}
    program: dict[str, tuple[str, Mapping[str, Any]]] = {}
    for series, resource in given.items():
        ((type_, inputs),) = ((key, value) for key, value in resource.items() if key != "options")
        for name in _names(series):
            program[name] = (type_, inputs)
            if "options" in resource:
                options[name] = Options(**resource["options"])
    return RuleCase(rule, outcome, program, settings=settings, options=options, **shown)


def _names(series: str) -> Iterator[str]:
    """`subnet-{1..3}` is subnet-1, subnet-2 and subnet-3."""
    numbered = _SERIES.fullmatch(series)
    if numbered is None:
        yield series
    else:
        stem, first, last = numbered.groups()
        yield from (f"{stem}{number}" for number in range(int(first), int(last) + 1))
