"""An assessment without the secrets of its run, wherever a program has put them: a name, a message, another property.

All forms of a report are written from what is returned here, so that none has to know of secrets. In most runs no
secret is anywhere but where it belongs, and the assessment is returned as it is.
"""

from __future__ import annotations

import copy
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, Final, TypeVar

from penstock.findings import Finding
from penstock.model import secret_texts, wrapped_texts
from penstock.preconditions import Precondition
from penstock.rehearsal.redaction import hidden_by
from penstock.report.assessment import Assessment
from penstock.report.overview import Overview
from penstock.report.preflight import PreflightReport
from penstock.resources.values import REDACTED, Secret
from penstock.rules.rule import Rule
from penstock.rules.settings import Settings

_AS_THEY_ARE: Final = (Enum, Secret, Rule, Settings, Path, Counter, type)
_PLAIN: Final = (str, int, float)
_LIST: Final = (list, tuple)
_URN: Final = "urn:pulumi:"
AnyAssessment = TypeVar("AnyAssessment", bound=Assessment)
AnyReported = TypeVar("AnyReported", Finding, Precondition)


def redacted(assessment: AnyAssessment) -> AnyAssessment:
    """Return an assessment as it may be reported."""
    needed = assessment.preconditions
    shown = replace(
        assessment,
        findings=tuple(_without_known_forms(each, "message", "hint") for each in assessment.findings),
        preconditions=needed and tuple(_without_known_forms(each, "what", "why", "how") for each in needed),
    )
    secrets = assessment.redaction.for_reports() if assessment.redaction is not None else None
    if secrets is None:
        return shown
    texts = {text: [*wrapped_texts.unwrapped(text)] for text in dict.fromkeys(_texts(shown))}
    pattern = secrets.of_those_in(chain(texts, *texts.values()))
    if pattern is None:
        return shown
    plain = {text: text for text, inner in texts.items() if not any(map(pattern.search, (text, *inner)))}
    found: AnyAssessment = _Mapped(pattern, plain).of(replace(shown, redaction=None))
    return found


def _without_known_forms(reported: AnyReported, *names: str) -> AnyReported:
    texts: dict[str, Any] = {name: secret_texts.without_secrets(getattr(reported, name)) for name in names}
    changed = any(text != getattr(reported, name) for name, text in texts.items())
    return replace(reported, **texts) if changed else reported


def _texts(assessment: Assessment) -> list[str]:
    """All texts of an assessment that a program has a say in."""
    found: list[str] = []
    _gather((assessment.findings, assessment.preconditions or ()), found)
    if isinstance(assessment, PreflightReport):
        _gather(assessment.replies, found)
    changes = assessment.changes
    graphs = [changes.before, changes.after] if changes is not None else []
    if isinstance(assessment, Overview):
        graphs.append(assessment.graph)
    for graph in graphs:
        _gather(graph, found)
    for report in (assessment.judgement, assessment.policies):
        for answer in report.answers if report is not None else ():
            found += (failure.message for failure in answer.verdict.failures)
    return found


def _gather(value: Any, found: list[str]) -> None:
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if type(each) is str:  # most are
            if each.startswith(_URN):  # of other texts, and an SDK gives thirty to a resource
                found += each.split("::", 3)
            else:
                found.append(each)
        elif type(each) is dict:  # most others
            found += [key for key in each if isinstance(key, str)]
            waiting += each.values()
        elif each is None or isinstance(each, _AS_THEY_ARE):
            continue
        elif isinstance(each, _PLAIN):
            found.append(str(each))
        elif isinstance(each, Mapping):
            found += [key for key in each if isinstance(key, str)]
            waiting += each.values()
        elif isinstance(each, _LIST):
            waiting += each
        elif is_dataclass(each):
            waiting += [getattr(each, name) for name in _names_of_fields(type(each))]


@cache
def _names_of_fields(class_: Any) -> tuple[str, ...]:
    return tuple(each.name for each in fields(class_))


class _Mapped:
    """A copy of data in which a pattern is replaced in every text; what is one object stays one.

    `texts` are those for which it is known what they become.
    """

    def __init__(self, pattern: re.Pattern[str], texts: dict[str, str]) -> None:
        self._pattern = pattern
        self._made: dict[int, tuple[Any, Any]] = {}
        self._texts = texts

    def of(self, value: Any) -> Any:
        if value is None or (type(value) is not str and isinstance(value, _AS_THEY_ARE)):
            return value
        if isinstance(value, str):
            if value not in self._texts:
                self._texts[value] = hidden_by(self._pattern, value)
            return self._texts[value]
        if isinstance(value, int | float):
            return REDACTED if not isinstance(value, bool) and self._pattern.fullmatch(str(value)) else value
        if id(value) not in self._made:
            self._made[id(value)] = value, self._copy(value)
        return self._made[id(value)][1]

    def _copy(self, value: Any) -> Any:
        if isinstance(value, Mapping):
            return {self.of(key): self.of(item) for key, item in value.items()}
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return type(value)(*map(self.of, value))
        if isinstance(value, list | tuple | set | frozenset):
            return type(value)(map(self.of, value))
        if not is_dataclass(value):
            return value
        made = copy.copy(value)
        names = {each.name for each in fields(value)}
        for name in set(getattr(made, "__dict__", {})) - names:
            object.__delattr__(made, name)  # what was worked out of the texts before
        for name in names:
            object.__setattr__(made, name, self.of(getattr(value, name)))
        return made
