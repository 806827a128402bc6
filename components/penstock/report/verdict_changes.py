"""What differs between two verdicts on one environment, as a person at a terminal wants to read it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from rich.text import Text

from penstock.core.findings import Finding, Severity
from penstock.core.wording import plural
from penstock.report.stack_verdict import StackVerdict
from penstock.report.wording import harmless, head_and_rest

_STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.INFO: "cyan"}
_Identity = tuple[str, str, str, str]


def lines(verdict: StackVerdict, before: StackVerdict | None, *, heading: str) -> Iterator[Text]:
    """Yield the verdict in a line, then what is new since the one before, and what is gone.

    Without one before, all findings are shown. A run without a result has printed itself what is wrong.
    """
    yield Text.assemble(
        (heading, "dim"), "  ", (harmless(verdict.environment), "bold"), "  ", _sentence(verdict, before)
    )
    if not verdict.is_result:
        return
    earlier = before.findings if before is not None else ()
    for finding in _missing_in(earlier, verdict.findings):
        yield from _finding("new" if before is not None else "", finding)
    for finding in _missing_in(verdict.findings, earlier):
        yield Text.assemble(("gone", "green"), "  ", harmless(f"{finding.head}  {finding.message}"))


def _sentence(verdict: StackVerdict, before: StackVerdict | None) -> Text:
    if not verdict.is_result:
        return Text(f"{plural(len(verdict.findings), 'problem')}; nothing was rehearsed.", "bold red")
    found = Counter(finding.severity for finding in verdict.findings)
    counts = ", ".join(plural(found[severity], severity.value) for severity in Severity if found[severity])
    parts: list[str | tuple[str, str]] = []
    if verdict.resources is not None:
        changed = _changed(verdict, before)
        parts += [plural(len(verdict.resources), "resource"), f" ({changed})" if changed else "", "; "]
    parts.append((counts or "no findings", "green" if verdict.ok else "bold red"))
    if verdict.monthly_usd is not None:
        least, omits = ("at least ", f", {verdict.omits}") if verdict.omits else ("", "")
        parts.append(f"; {least}{verdict.monthly_usd:,.0f} USD a month{_more(verdict, before)}{omits}")
    return Text.assemble(*parts, ".")


def _changed(verdict: StackVerdict, before: StackVerdict | None) -> str:
    """The resources that came, went and changed, counted; nothing where there is no earlier result."""
    if verdict.resources is None or before is None or before.resources is None:
        return ""
    now, then = verdict.resources, before.resources
    counts = (
        (len(now.keys() - then.keys()), "new"),
        (len(then.keys() - now.keys()), "gone"),
        (sum(now[urn] != then[urn] for urn in now.keys() & then.keys()), "changed"),
    )
    return ", ".join(f"{count} {word}" for count, word in counts if count)


def _more(verdict: StackVerdict, before: StackVerdict | None) -> str:
    """The difference to the cost before; nothing where another part of either is not known."""
    if before is None or before.monthly_usd is None or verdict.monthly_usd is None or verdict.omits != before.omits:
        return ""
    more = round(verdict.monthly_usd - before.monthly_usd)
    return f" ({more:+,.0f})" if more else ""


def _missing_in(some: Iterable[Finding], others: Iterable[Finding]) -> Iterator[Finding]:
    """Yield those of the others that are not among some; where a finding is in the file does not matter."""
    left = Counter(map(_identity, some))
    for finding in others:
        if left[_identity(finding)]:
            left[_identity(finding)] -= 1
        else:
            yield finding


def _identity(finding: Finding) -> _Identity:
    return finding.code, finding.urn or finding.file or "", finding.path or "", finding.message


def _finding(word: str, finding: Finding) -> Iterator[Text]:
    head, rest = head_and_rest(finding)
    what = f"{word} {finding.severity.value}".strip()
    yield Text.assemble((what, _STYLES[finding.severity]), "  ", head)
    yield Text(rest)
