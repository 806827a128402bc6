"""What tools answer: summaries of bounded size, from the JSON reports of commands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from pydantic import BaseModel, Field

from penstock.core.findings import kind_of, resource_of
from penstock.core.wording import shortened

MOST_FINDINGS: Final = 20
MOST_NAMES: Final = 20
_MOST_OF_A_STACK: Final = 5
_LONGEST_TEXT: Final = 600
_RANK: Final = ("error", "warning", "info")

Report = Mapping[str, Any]


class FindingItem(BaseModel):
    """One finding: what is wrong, where, and the fix."""

    code: str
    severity: str
    message: str
    fix: str = ""
    resource: str | None = Field(default=None, description="Name and type of the resource.")
    path: str | None = Field(default=None, description="Path in the description, or in the inputs of the resource.")
    file: str | None = None
    line: int | None = None


class StackResult(BaseModel):
    """What every report on a stack has. Lists that are cut are whole in the section of the same name: see `details`."""

    report: str = Field(description="The name of the report, for `details`.")
    stack: str
    cloud: str | None = None
    ok: bool = Field(description="Whether no finding blocks.")
    findings: list[FindingItem] = Field(description="Errors first; at most 20.")
    findings_total: int
    sections: dict[str, int] = Field(description="The lists of the whole report with their lengths, for `details`.")


class RehearsalSummary(StackResult):
    """One rehearsal: what would be created, its cost, and how long it takes."""

    resources: int
    resources_by_type: dict[str, int] = Field(description="The most frequent types.")
    rules_passed: int
    monthly_usd: float | None
    cost_omits: str | None = Field(description="What the sum leaves out; it is a lower bound then.")
    time_to_first_accelerator_s: float | None
    makespan_s: float | None
    preconditions: list[str] = Field(description="What must exist before the first `pulumi up`.")


class ChangesSummary(StackResult):
    """The changes of a stack from a revision in git."""

    base: str
    created: list[str]
    updated: list[str]
    replaced: list[str]
    deleted: list[str]
    data_lost: list[str] = Field(description="Resources that are replaced or deleted with their data.")
    totals: dict[str, int] = Field(description="How many resources there are in each list.")
    machines: list[str] = Field(description="The effect on the machines of each pool.")
    old_usd: float | None = Field(description="The monthly cost before.")
    new_usd: float | None = Field(description="The monthly cost after.")


class StackReview(BaseModel):
    """A stack that a change touches, and what its review has found."""

    stack: str
    report: str = Field(description="The name of the report on this stack, for `details`.")
    change: str = Field(description="new, changed or deleted.")
    because: list[str] = Field(description="Changed files that decide so.")
    ok: bool
    changes: dict[str, int] | None = Field(description="How many resources are created, updated, replaced, deleted.")
    data_lost: int | None = Field(description="How many resources are lost with their data.")
    monthly_usd: float | None
    findings: list[FindingItem] = Field(description="Errors first; at most 5.")
    findings_total: int


class ReviewSummary(BaseModel):
    """What a change in git does to every stack that it touches."""

    base: str
    ok: bool = Field(description="Whether no stack has a finding that blocks.")
    stacks: list[StackReview] = Field(description="The affected stacks; at most 20.")
    affected: int
    total: int = Field(description="The stacks of the project.")
    notes: list[str]


class CostGroupItem(BaseModel):
    """A part of the bill."""

    name: str
    monthly_usd: float | None


class CostSummary(BaseModel):
    """The monthly cost of a stack."""

    report: str
    stack: str
    monthly_usd: float | None
    low_usd: float | None
    high_usd: float | None = Field(description="None if something without a price may add to it.")
    complete: bool
    omitted: str | None
    groups: list[CostGroupItem] = Field(description="The dearest first; at most 20.")
    findings: list[FindingItem]
    sections: dict[str, int]


class MachineChoice(BaseModel):
    """Machines that can do what a model needs."""

    cloud: str
    region: str | None
    machine_type: str
    accelerator: str
    nodes: int
    accelerators: int
    hours: float | None
    usd: float | None


class SizeSummary(BaseModel):
    """The machines that a model needs, how long it takes, and the cost."""

    report: str
    title: str
    answer: list[str]
    summary: dict[str, str]
    choices: list[MachineChoice] = Field(description="The cheapest first; at most 5.")
    sections: dict[str, int]


def finding_items(found: Sequence[Report]) -> list[FindingItem]:
    """Return findings for people and machines, errors first."""
    ranked = sorted(found, key=lambda each: _RANK.index(each["severity"]))
    return [
        FindingItem(
            code=each["code"],
            severity=each["severity"],
            message=_cut(each["message"]),
            fix=_cut(each["hint"]),
            resource=_resource(each["urn"]) if each["urn"] else None,
            path=each["path"],
            file=each["file"],
            line=each["line"],
        )
        for each in ranked[:MOST_FINDINGS]
    ]


def error_text(found: Sequence[Report]) -> str:
    """Return findings as the text of an error."""
    texts = []
    for each in finding_items(found):
        place = f"{each.file}:{each.line}  " if each.file and each.line else ""
        path = f"{each.path}  " if each.path else ""
        texts += [f"{place}{path}[{each.code}]", f"  {each.message}", *([f"  {each.fix}"] if each.fix else ())]
    if len(found) > MOST_FINDINGS:
        texts.append(f"and {len(found) - MOST_FINDINGS} more")
    return "\n".join(texts)


def rehearsal_summary(name: str, report: Report) -> RehearsalSummary:
    """Return the summary of what `penstock rehearse` reports."""
    resources = [each for each in report["resources"] if not each["type"].startswith("pulumi:")]
    types = Counter(each["type"] for each in resources)
    return RehearsalSummary(
        **_shared(name, report),
        resources=len(resources),
        resources_by_type=dict(types.most_common(MOST_NAMES)),
        rules_passed=report["checks"]["passed"],
        monthly_usd=report["cost"]["monthly_usd"],
        cost_omits=report["cost"]["omitted"],
        time_to_first_accelerator_s=report["timeline"]["time_to_first_accelerator_s"],
        makespan_s=report["timeline"]["makespan_s"],
        preconditions=[_cut(each["what"]) for each in report["preconditions"][:MOST_NAMES]],
    )


def changes_summary(name: str, report: Report, base: str) -> ChangesSummary:
    """Return the summary of what `penstock diff` reports."""
    changes = report["changes"]
    lists = {each: changes[each] for each in ("created", "updated", "replaced", "deleted", "data_lost")}
    cost = report.get("cost_change") or {}
    return ChangesSummary(
        **_shared(name, report),
        base=base,
        **_named(lists),
        totals={key: len(found) for key, found in lists.items()},
        machines=[_machines(each) for each in changes["machines"][:MOST_NAMES]],
        old_usd=cost.get("old_usd"),
        new_usd=cost.get("new_usd"),
    )


def review_summary(report: Report, base: str, names: Mapping[str, str]) -> ReviewSummary:
    """Return the summary of what `penstock review` reports; `names` are those of the reports on its stacks."""
    whole = {each["environment"]: each for each in report["environments"]}
    return ReviewSummary(
        base=base,
        ok=report["ok"],
        stacks=[_reviewed(each, whole[each["environment"]], names) for each in report["summary"][:MOST_NAMES]],
        affected=len(report["summary"]),
        total=report["stacks"],
        notes=[_cut(each) for each in report["notes"][:MOST_NAMES]],
    )


def _reviewed(row: Report, whole: Report, names: Mapping[str, str]) -> StackReview:
    return StackReview(
        stack=row["environment"],
        report=names[row["environment"]],
        change=row["change"],
        because=row["because"][:_MOST_OF_A_STACK],
        ok=row["ok"],
        changes=row["changes"],
        data_lost=row["data_lost"],
        monthly_usd=row["monthly_usd"],
        findings=finding_items(whole["findings"])[:_MOST_OF_A_STACK],
        findings_total=len(whole["findings"]),
    )


def cost_summary(name: str, report: Report) -> CostSummary:
    """Return the summary of what `penstock cost` reports."""
    cost = report["cost"]
    return CostSummary(
        report=name,
        stack=report["environment"],
        monthly_usd=cost["monthly_usd"],
        low_usd=cost["low_usd"],
        high_usd=cost["high_usd"],
        complete=cost["complete"],
        omitted=cost["omitted"],
        groups=[
            CostGroupItem(name=each["name"], monthly_usd=each["monthly_usd"]) for each in report["groups"][:MOST_NAMES]
        ],
        findings=finding_items(report["findings"]),
        sections=sections_of(report),
    )


def size_summary(name: str, report: Report) -> SizeSummary:
    """Return the summary of what `penstock size` reports."""
    fields = MachineChoice.model_fields
    return SizeSummary(
        report=name,
        title=report["title"],
        answer=report["answer"],
        summary=report["summary"],
        choices=[MachineChoice(**{key: each[key] for key in fields}) for each in report["choices"][:5]],
        sections=sections_of(report),
    )


def sections_of(report: Report) -> dict[str, int]:
    """Return the lists of a report that are not empty, by their paths, with their lengths."""
    return {path: len(items) for path, items in lists_in(report)}


def lists_in(report: Report) -> Iterator[tuple[str, list[Any]]]:
    """Yield the lists of a report that are not empty: those at its top, and those of its blocks."""
    for key, value in report.items():
        if isinstance(value, list):
            yield from [(key, value)] if value else ()
        elif isinstance(value, Mapping):
            yield from ((f"{key}.{inner}", each) for inner, each in value.items() if isinstance(each, list) and each)


def _shared(name: str, report: Report) -> dict[str, Any]:
    return {
        "report": name,
        "stack": report["environment"],
        "cloud": report["cloud"],
        "ok": report["ok"],
        "findings": finding_items(report["findings"]),
        "findings_total": len(report["findings"]),
        "sections": sections_of(report),
    }


def _resource(urn: str) -> str:
    name, type_ = resource_of(urn)
    return f"{name} ({kind_of(type_)})"


def _named(lists: Mapping[str, Sequence[Report]]) -> dict[str, Any]:
    return {key: [_resource(each["urn"]) for each in found[:MOST_NAMES]] for key, found in lists.items()}


def _machines(found: Report) -> str:
    counts = ", ".join(f"{found[key]} {key}" for key in ("replaced", "added", "removed") if found.get(key))
    return f"{found['pool']} ({found['machine_type']}): {counts or found['job']}"


def _cut(text: str) -> str:
    return shortened(text, _LONGEST_TEXT)
