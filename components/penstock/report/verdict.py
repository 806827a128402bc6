"""The verdict of a report in one sentence: whether anything blocks, what it costs, and what is replaced or lost."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.core.wording import plural
from penstock.cost.total_words import total_words
from penstock.report.assessment import Assessment
from penstock.report.cost_change import cost_change_of, in_words
from penstock.report.overview import Overview
from penstock.report.settings import summary


def blocking_words(assessment: Assessment) -> str:
    """How many findings block, in words."""
    blocking = sum(finding.blocks for finding in assessment.findings)
    return plural(blocking, "problem") if blocking else "Nothing blocks"


def further_words(assessment: Assessment) -> list[str]:
    """The rest of the verdict: advice, what is replaced or lost, and the cost."""
    return [*_advice(assessment), *_of_changes(assessment), *_cost(assessment)]


def sentence(assessment: Assessment, *, blocking: str) -> str:
    """The verdict as one sentence that begins with how much blocks, in words or markup."""
    first = ", ".join((blocking, *_advice(assessment)))
    return f"{'; '.join((first, *_of_changes(assessment), *_cost(assessment)))}."


def _advice(assessment: Assessment) -> Iterator[str]:
    advice = sum(not finding.blocks for finding in assessment.findings)
    if advice:
        yield f"{plural(advice, 'piece')} of advice"


def _of_changes(assessment: Assessment) -> Iterator[str]:
    changes = assessment.changes
    if changes is None:
        return
    if assessment.settings_changes:
        yield summary(assessment.settings_changes)
    if not list(changes) and not changes.moved:
        yield "nothing changes"
        return
    parts = [
        f"{len(group)} {word}"
        for group, word in ((changes.replaced, "replaced"), (changes.deleted, "deleted"))
        if group
    ]
    yield " and ".join(parts) if parts else "nothing is replaced or deleted"
    if changes.data_lost:
        yield f"data of {plural(len(changes.data_lost), 'resource')} lost"


def _cost(assessment: Assessment) -> Iterator[str]:
    change = cost_change_of(assessment)
    if change is not None:
        yield in_words(change)
    elif isinstance(assessment, Overview) and (assessment.cost.lines or not assessment.cost.is_complete):
        yield total_words(assessment.cost)
