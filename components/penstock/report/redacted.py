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

from penstock.core.findings import Finding
from penstock.graph.values import REDACTED, Secret
from penstock.preconditions import Precondition
from penstock.report.assessment import Assessment
from penstock.report.overview import Overview
from penstock.report.preflight import PreflightReport
from penstock.rules.rule import Rule
from penstock.rules.settings import Settings
from penstock.secrets import decoding, detection
from penstock.secrets.redaction import hidden_by

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
    texts = _texts(shown)
    inner = {text: decoding.unwrapped(text) for text in decoding.wrapping(texts)}
    pattern = secrets.of_those_in(chain(texts, *inner.values()))
    if pattern is None:
        return shown
    plain = {text: text for text in texts if not any(map(pattern.search, (text, *inner.get(text, ()))))}
    found: AnyAssessment = _Mapped(pattern, plain).of(replace(shown, redaction=None))
    return found


def _without_known_forms(reported: AnyReported, *names: str) -> AnyReported:
    texts: dict[str, Any] = {name: detection.without_secrets(getattr(reported, name)) for name in names}
    changed = any(text != getattr(reported, name) for name, text in texts.items())
    return replace(reported, **texts) if changed else reported


def _texts(assessment: Assessment) -> list[str]:
    """All texts of an assessment that a program has a say in, each once, and URNs as the texts that they are of."""
    said: list[Any] = [assessment.findings, assessment.preconditions, assessment.settings_changes]
    if isinstance(assessment, PreflightReport):
        said.append(assessment.replies)
    if assessment.changes is not None:
        said += (assessment.changes.before, assessment.changes.after)
    if isinstance(assessment, Overview):
        said.append(assessment.graph)
    for report in (assessment.judgement, assessment.policies):
        for answer in report.answers if report is not None else ():
            said += (failure.message for failure in answer.verdict.failures)
    found = _within(said)
    urns = {text for text in found if text.startswith(_URN)}  # an SDK gives thirty former ones to a resource
    return sorted((found - urns).union(*map(_parts_of_urn, urns)))


def _parts_of_urn(urn: str) -> list[str]:
    """A URN's stack and project, the types of the resource and of those around it, and its name."""
    stack, *parts = urn.split("::", 3)
    if len(parts) < 3:  # noqa: PLR2004 it only begins as a URN does
        return [urn]
    project, types, name = parts
    return [stack, project, *types.split("$"), name]


def _within(value: Any) -> set[str]:
    """The texts and numbers of data, at any depth."""
    found: set[Any] = set()
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if type(each) is str:  # most are
            found.add(each)
        elif type(each) is dict:  # most others
            found.update(each)
            waiting += each.values()
        elif each is None or isinstance(each, _AS_THEY_ARE):
            continue
        elif isinstance(each, _PLAIN):
            found.add(str(each))
        elif isinstance(each, _LIST):
            waiting += each
        elif isinstance(each, Mapping):
            found.update(each)
            waiting += each.values()
        elif is_dataclass(each):
            class_: Any = type(each)
            waiting += [getattr(each, name) for name in _fields_of(class_)]
    return {text for text in found if isinstance(text, str)}  # keys may be others


@cache
def _fields_of(class_: Any) -> tuple[str, ...]:
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
