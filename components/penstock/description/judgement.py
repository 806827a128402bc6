"""Judges a description: secrets first, then its form, then the rules on whatever has the right form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from penstock.core.errors import InvalidDescription
from penstock.core.findings import Finding, Severity
from penstock.description import rules, secrets, shape
from penstock.description.codes import Code
from penstock.description.platform import Spec
from penstock.description.problems import Coded, finding
from penstock.description.team_accounts import with_team_accounts

if TYPE_CHECKING:
    from penstock.description.document import Document


def judge(data: Mapping[str, Any], document: Document | None) -> Spec:
    """The description, when nothing is wrong with it.

    Raises:
        InvalidDescription: something is; carries every finding, in the order of the file.
    """
    clean, problems = secrets.removed(data)
    hidden = {problem.path for _, problem in problems}
    sound, type_mismatches = shape.fit(clean)
    problems += [
        (code, problem) for code, problem in type_mismatches if problem.path not in hidden or code == Code.UNKNOWN_FIELD
    ]
    if sound is not None:
        problems += [(code, problem) for code, problem in rules.broken(sound) if problem.path not in hidden]
    if problems or sound is None:
        raise InvalidDescription(_findings(problems, document))
    return with_team_accounts(sound.spec)


def warnings(document: Document) -> list[Finding]:
    """The warnings about a description that can be built."""
    sound, _ = shape.fit(document.description)
    found = [] if sound is None else rules.broken(sound, warns=True)
    return [
        finding(code, problem, document.file, document.place(problem.path), severity=Severity.WARNING)
        for code, problem in found
    ]


def _findings(problems: list[Coded], document: Document | None) -> list[Finding]:
    if document is None:
        return [finding(code, problem) for code, problem in problems]
    found = [finding(code, problem, document.file, document.place(problem.path)) for code, problem in problems]
    return sorted(found, key=lambda each: (each.line or 0, each.column or 0))
