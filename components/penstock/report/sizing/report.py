"""The whole report of a request."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from math import ceil

from penstock.core.quantities import GIB
from penstock.core.wording import plural
from penstock.report.sizing.compute import compute_section
from penstock.report.sizing.deploy import deploy_sections
from penstock.report.sizing.document import ReportSection, SizingDocument
from penstock.report.sizing.economics import economics_section, excluded_table
from penstock.report.sizing.numbers import counted, lasted, paid
from penstock.report.sizing.scale import interconnect_section, latency_section, scale_section
from penstock.report.sizing.summary import summary_of
from penstock.sizing.cost import CommittedSpend
from penstock.sizing.ranking import Choice, Excluded, Ranking
from penstock.sizing.request import SizingRequest
from penstock.sizing.training import TrainingPlan


def sizing_document(request: SizingRequest, ranking: Ranking) -> SizingDocument:
    """The answer, and both frameworks; without a choice the model, and why each machine is left out."""
    title = f"{request.task.value}: {counted(request.shape.parameters)} parameters"
    if request.trains:
        title += f", {counted(request.tokens)} tokens"
    choice = ranking.recommended
    if choice is None:
        why = ReportSection(title="Pick", tables=(excluded_table(ranking),))
        return SizingDocument(
            title=title,
            answer=(_no_answer(ranking),),
            frameworks=(("SCALE", (scale_section(request),)), ("DEPLOY", (why,))),
        )
    if isinstance(choice.plan, TrainingPlan):
        request = replace(request, batch_tokens=choice.plan.batch_tokens)
    scale = (
        scale_section(request),
        compute_section(request, choice),
        interconnect_section(choice),
        latency_section(request, choice),
        economics_section(request, ranking, choice),
    )
    return SizingDocument(
        title=title,
        answer=tuple(_answer(ranking, choice)),
        summary=summary_of(request, ranking, choice),
        frameworks=(("SCALE", scale), ("DEPLOY", deploy_sections(request, ranking, choice))),
    )


def _no_answer(ranking: Ranking) -> str:
    """Why nothing does it, by the reason of most machines, and what would help where something does."""
    possible = [each for each in ranking.excluded if each.kind == "impossible"]
    reasons = Counter(each.why for each in possible or ranking.excluded).most_common(1)
    if not reasons:
        return "No machine of the catalogue does this: none is as asked for in these clouds."
    why, count = reasons[0]
    others = f", {count} of {len(ranking.excluded)} machine types" if count < len(ranking.excluded) else ""
    same = [each for each in ranking.excluded if each.why == why]
    fix = _latency_fix(same) or same[0].fix
    return f"No machine of the catalogue does this: {why}{others}. {fix}"


def _latency_fix(excluded: list[Excluded]) -> str | None:
    """The least latency that any machine meets, where a latency is the reason."""
    token = [each.token_seconds for each in excluded if each.token_seconds is not None]
    first = [each.first_token_seconds for each in excluded if each.first_token_seconds is not None]
    if token:
        return f"Raise --token-latency to {ceil(min(token) * 1000)}ms or more."
    return f"Raise --first-token to {ceil(min(first) * 1000)}ms or more." if first else None


def _answer(ranking: Ranking, choice: Choice) -> Iterator[str]:
    """The choice in a sentence, and the memory that fits where that is a range."""
    plan, chip = choice.plan, choice.hardware.chip
    done = f"done in {lasted(plan.wall_seconds)}" if isinstance(plan, TrainingPlan) else "all month"
    guess = " with a part whose price is a guess" if choice.unverified else ""
    yield (
        f"{plan.nodes:,} × {choice.hardware.machine_type} ({plan.accelerators:,} × {chip.title}) of {choice.cloud} in "
        f"{choice.offer.region}, {done}, for {paid(choice.usd)}{guess}."
    )
    if choice.commitment is not None:
        yield _committed(choice, choice.commitment)
    if ranking.memory_gib is not None and ranking.memory_gib[0] != ranking.memory_gib[1]:
        low, high = ranking.memory_gib
        own = "" if ranking.fits(choice) else f"; those with {choice.hardware.memory / GIB:.0f} GiB cost less here"
        yield f"Accelerators with {low} to {high} GiB fit the model best{own}. The reason is under Compute."


def _committed(choice: Choice, found: CommittedSpend) -> str:
    """The whole commitment beside the part of it that the cost counts."""
    term = f"{plural(found.years, 'year')}"
    counted = f"the {lasted(choice.hours * 3600)} of this job" if isinstance(choice.plan, TrainingPlan) else "one month"
    guess = ", at a discount that no source confirms" if found.unverified else ""
    whole = "" if found.machines == int(found.machines) else "; only whole machines can be reserved"
    return (
        f"The reserved part commits you to {paid(found.usd)}: {found.machines:,.4g} × "
        f"{choice.hardware.machine_type} for {term}, used or not{guess}{whole}. The cost above counts only {counted}, "
        f"{paid(found.counted_usd)} of it, as if other work used the rest."
    )
