"""The page of a review: a summary of all stacks, and the changes, findings and costs of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from penstock.cost.total_words import usd
from penstock.report.assessment import Assessment
from penstock.report.cost_change import cost_change_of, difference_words
from penstock.report.html import changes, checks, findings, preconditions
from penstock.report.html.page import frame, templates
from penstock.report.verdict import blocking_words, further_words


@dataclass(frozen=True, slots=True)
class StackSection:
    """A stack on the page: the cells of its row, why it is there, and its part of the page, or else its messages."""

    name: str
    ok: bool
    cells: Sequence[str]
    why: str
    part: str | None
    messages: str

    @property
    def report(self) -> Markup | None:
        """The part of the page, which `render_stack` has escaped."""
        return None if self.part is None else Markup(self.part)  # noqa: S704 it comes from our own template


def render_stack(assessment: Assessment) -> str:
    """Return the part of the page that is about one stack."""
    change = cost_change_of(assessment)
    steps = [
        (each.component, usd(each.old_usd), usd(each.new_usd), difference_words(each.difference_usd))
        for each in (change.steps if change is not None else ())
    ]
    return (
        templates()
        .get_template("review_stack.html.jinja")
        .render(
            verdict=blocking_words(assessment),
            further=further_words(assessment),
            ok=assessment.ok,
            changes=changes.section(assessment),
            findings=findings.section(assessment).found,
            preconditions=preconditions.section(assessment),
            cost_steps=steps,
            sentences=checks.section(assessment).sentences,
        )
    )


def render_page(
    name: str,
    *,
    sentence: str,
    compared: str,
    ok: bool,
    notes: Sequence[str],
    heads: Sequence[str],
    stacks: Sequence[StackSection],
) -> str:
    """Return the page of a review."""
    return (
        templates()
        .get_template("review.html.jinja")
        .render(
            **frame(f"Review of {name}: {sentence}"),
            name=name,
            sentence=sentence,
            compared=compared,
            ok=ok,
            notes=notes,
            heads=heads,
            stacks=stacks,
        )
    )
