"""One rehearsal for people to read, with or without colour."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text
from rich.tree import Tree

from penstock.core.findings import Finding, Severity, kind_of, resource_of
from penstock.core.wording import plural
from penstock.graph.graph import STACK_TYPE, Graph, Resource
from penstock.report import chart, cost, coverage, engine, faults, policies, preconditions
from penstock.report.assessment import Assessment
from penstock.report.excused import excused_sentences, rule_and_resource, waived_lines
from penstock.report.figures import durations, is_shown, price, size
from penstock.report.overview import Overview
from penstock.report.wording import checks, harmless, head_and_rest
from penstock.rules.judge import Answer

if TYPE_CHECKING:
    from rich.table import Table

_NOTHING = "no findings"
_STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.INFO: "cyan"}


def show(overview: Overview, console: Console, *, seconds: float, verbose: bool = False) -> None:
    """Print the tree by component, the findings, a chart of the creation, its time and cost, and the counts."""
    console.print(_tree(overview.graph, overview.environment))
    if overview.findings:
        console.print()
        show_findings(overview, console)
    console.print()
    for line in chart.lines(overview.timeline, overview.graph, width=console.width):
        console.print(harmless_text(line), soft_wrap=True)
    console.print()
    if overview.steps:
        for line in engine.lines(overview.steps):
            console.print(harmless_text(line), soft_wrap=True)
        console.print()
    ending = f"{_counts(overview)} Rehearsed in {seconds:.1f} s; nothing was created."
    played = faults.lines(overview.outcome) if overview.outcome is not None else ()
    if any(each.custom and is_shown(each) for each in overview.graph):
        figures = (*durations(overview.timeline), *played, price(overview.cost))
    else:
        figures = ("The program creates no resources.",)
    _show_preconditions(overview, console)
    for line in cost.short_table(overview.cost, overview.graph):
        console.print(harmless_text(line), soft_wrap=True)
    for line in (*figures, *check_lines(overview, verbose=verbose), ending):
        console.print(Text(harmless(line), overflow="fold"))


def show_check(assessment: Assessment, console: Console, *, ending: str, verbose: bool = False) -> None:
    """Print the findings, the checks and the counts."""
    show_findings(assessment, console)
    if assessment.findings:
        console.print()
    _show_preconditions(assessment, console)
    for line in (*check_lines(assessment, verbose=verbose), f"{_sentence(_severities(assessment.findings))} {ending}"):
        console.print(Text(harmless(line), overflow="fold"))


def show_findings(assessment: Assessment, console: Console) -> None:
    """Print each finding with its place, all files relative to this folder, its message and its hint."""
    for each in assessment.findings:
        finding = replace(each, file=assessment.home.typed(each.file)) if each.file and assessment.home else each
        head, rest = head_and_rest(finding)
        if finding.file is None and finding.urn and finding.path:
            name, type_ = resource_of(finding.urn)
            head = f"{harmless(name)} ({harmless(kind_of(type_))})  {head}"
        console.print(Text.assemble((finding.severity.value, _STYLES[finding.severity]), "  ", head), soft_wrap=True)
        console.print(Text(rest), soft_wrap=True)


def _show_preconditions(assessment: Assessment, console: Console) -> None:
    """Print what must exist before, a line each: commands are there to be copied."""
    for line in preconditions.lines(assessment.preconditions or ()):
        console.print(harmless_text(line), soft_wrap=True)


def table_of(*heads: str, figures_from: int | None = None, lined: bool = False) -> Table:
    """Return an empty table for a terminal.

    Args:
        heads: the heads of its columns.
        figures_from: the number of the first column of figures, which are aligned to the right.
        lined: whether a line is below the heads. Otherwise the first column is never wrapped.
    """
    from rich.box import SIMPLE_HEAD
    from rich.table import Table  # most reports have none

    table = Table(box=SIMPLE_HEAD if lined else None, pad_edge=False, header_style="bold")
    for number, head in enumerate(heads):
        is_figure = figures_from is not None and number >= figures_from
        table.add_column(head, justify="right" if is_figure else "left", no_wrap=number == 0 and not lined)
    return table


def harmless_text(text: str, style: str = "") -> Text:
    """A line in which nothing is a command to the terminal, whoever wrote the names in it."""
    return Text(harmless(text), style=style)


def _tree(graph: Graph, environment: str) -> Tree:
    root = Tree(harmless_text(environment, "bold"), guide_style="dim")
    for urn in ["", *(resource.urn for resource in graph.of_type(STACK_TYPE))]:
        _grow(root, graph, [child for child in graph.children(urn) if is_shown(child)])
    return root


def _grow(root: Tree, graph: Graph, children: list[Resource]) -> None:
    """Adds the components with what they hold, however deep they lie: Python's own stack ends at 1,000 levels."""
    waiting = [(root, children)]
    while waiting:
        branch, below = waiting.pop()
        for child in below:
            if not child.custom:
                parts = ((child.name, "bold"), (f"  {_kind(child)}", ""), (_facts(child), "dim"))
                leaf = branch.add(Text.assemble(*(harmless_text(*part) for part in parts)))
                waiting.append((leaf, list(graph.children(child.urn))))
        plain = Counter(_kind(child) for child in below if child.custom)
        if plain:
            kinds = (f"{count} × {kind}" if count > 1 else kind for kind, count in plain.items())
            branch.add(harmless_text(", ".join(kinds)))


def _facts(component: Resource) -> str:
    """The `summary` of a component, an output of one line."""
    summary = component.outputs.get("summary")
    return f"  {summary}" if isinstance(summary, str) else ""


def _kind(resource: Resource) -> str:
    """The last part of the type token; providers are named for their package."""
    if resource.type.startswith("pulumi:providers:"):
        return f"provider {kind_of(resource.type)}"
    return kind_of(resource.type)


def _counts(overview: Overview) -> str:
    return f"{size(overview.graph)}; {_severities(overview.findings)}."


def _severities(findings: Iterable[Finding]) -> str:
    found = Counter(finding.severity for finding in findings)
    return ", ".join(plural(found[severity], severity.value) for severity in Severity if found[severity]) or _NOTHING


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."


def check_lines(assessment: Assessment, *, verbose: bool) -> Iterator[str]:
    """Yield the counts of the checks; an undetermined check has not passed, and `verbose` lists it."""
    undetermined = assessment.judgement.undetermined if assessment.judgement is not None else ()
    if sentence := checks(assessment.judgement):
        hint = policies.hint(len(undetermined))
        yield f"{sentence.removesuffix('.')}{hint}." if undetermined and not verbose else sentence
    if verbose:
        yield from _listed("Undetermined provider rules:", undetermined)
    if assessment.judgement is not None:
        yield from waived_lines("Waived provider rules:", assessment.judgement)
    if assessment.policies is not None:
        if verbose:
            yield from _listed("Undetermined policy checks:", assessment.policies.undetermined)
        yield from policies.lines(assessment.policies, hinted=not verbose)
    yield from coverage.lines(assessment.coverage)
    yield from excused_sentences(assessment)


def _listed(title: str, answers: Sequence[Answer]) -> Iterator[str]:
    reasons = (f": {answer.why_undetermined}" if answer.invented else "" for answer in answers)
    rules = [f"  {rule_and_resource(answer)}{reason}" for answer, reason in zip(answers, reasons, strict=True)]
    if rules:
        yield from (title, *rules)
