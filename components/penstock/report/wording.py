"""Numbers as people say them, and names as people see them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from penstock.core.findings import Finding, in_one_line
from penstock.core.wording import plural

if TYPE_CHECKING:
    from penstock.rules.judge import Report

_HARM: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
"""Characters that steer a terminal (its cursor, colours, direction of text) and what is not a character."""

_COMMAND: Final = re.compile(r"^(?=\s*::)|(?<=##)(?=\w*\[)")
"""The start of a command that GitHub Actions or Azure Pipelines reads out of a log: `::error::`, `##vso[…]`.

Source: actions/runner, ActionCommand.cs; Azure Pipelines documentation, logging commands.
"""

_MINUTE = 60


def minutes(seconds: float) -> str:
    """A time in whole minutes, or in seconds below one minute."""
    return f"{seconds / _MINUTE:.0f} min" if seconds >= _MINUTE else f"{seconds:.0f} s"


def checks(judgement: Report | None) -> str:
    """The passed, waived and undetermined provider rules, counted; empty where none was to be evaluated."""
    if judgement is None:
        return ""
    counts = ((judgement.count("waived"), "waived"), (len(judgement.undetermined), "undetermined"))
    others = [f"{count} {outcome}" for count, outcome in counts if count]
    if judgement.passed or others:
        return ", ".join((f"{plural(judgement.passed, 'provider-rule check')} passed", *others)) + "."
    is_disabled = judgement.settings.rules.get("provider") == "disabled" and not judgement.counts.total()
    return "No provider rule was evaluated." if is_disabled else ""


def printable(text: str) -> str:
    """A text without the characters that steer what shows it, such as its direction; lines stay."""
    return "\n".join(_HARM.sub("\N{REPLACEMENT CHARACTER}", line) for line in text.split("\n"))


def harmless(text: str) -> str:
    """A line for a terminal, a log or XML, without what would steer it: names come from the program's author.

    Line ends are escaped, so that no value can add a line.
    """
    return _COMMAND.sub("\N{ZERO WIDTH SPACE}", _HARM.sub("\N{REPLACEMENT CHARACTER}", in_one_line(text)))


def harmless_lines(text: str) -> str:
    """As `harmless`, for a text of several lines."""
    return "\n".join(map(harmless, text.split("\n")))


def head_and_rest(finding: Finding) -> tuple[str, str]:
    """A finding as people read it: where it is, in one line, and below it the message and the hint, indented."""
    rest = (finding.message, finding.hint) if finding.hint else (finding.message,)
    return harmless(finding.head), "\n".join(f"  {harmless(text)}" for text in rest)
