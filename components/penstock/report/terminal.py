"""One rehearsal for people to read, with or without colour."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from rich.console import Console
from rich.text import Text
from rich.tree import Tree

from penstock.findings import Finding, Severity
from penstock.rehearsal.graph import STACK_TYPE, Graph, Resource
from penstock.rehearsal.run import Rehearsal

_STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.INFO: "cyan"}


def show(rehearsal: Rehearsal, console: Console, *, environment: str, seconds: float) -> None:
    """Prints the tree by component, the findings and the counts."""
    console.print(_tree(rehearsal.graph, environment))
    if rehearsal.findings:
        console.print()
        show_findings(rehearsal.findings, console)
    console.print()
    console.print(Text(f"{_counts(rehearsal)} Rehearsed in {seconds:.1f} s; nothing was created.", overflow="fold"))


def show_findings(findings: Iterable[Finding], console: Console) -> None:
    """Prints each finding with its place, its message and its hint."""
    for finding in findings:
        head, _, rest = str(finding).partition("\n")
        console.print(Text.assemble((finding.severity.value, _STYLES[finding.severity]), "  ", head), soft_wrap=True)
        console.print(Text(rest), soft_wrap=True)


def _tree(graph: Graph, environment: str) -> Tree:
    root = Tree(Text(environment, style="bold"), guide_style="dim")
    for urn in ["", *(resource.urn for resource in graph.of_type(STACK_TYPE))]:
        _grow(root, graph, [child for child in graph.children(urn) if child.type != STACK_TYPE])
    return root


def _grow(branch: Tree, graph: Graph, children: list[Resource]) -> None:
    for child in children:
        if not child.custom:
            leaf = branch.add(Text.assemble((child.name, "bold"), f"  {_kind(child)}", (_facts(child), "dim")))
            _grow(leaf, graph, list(graph.children(child.urn)))
    plain = Counter(_kind(child) for child in children if child.custom)
    if plain:
        branch.add(Text(", ".join(f"{count} × {kind}" if count > 1 else kind for kind, count in plain.items())))


def _facts(component: Resource) -> str:
    """What a component tells of itself in `summary`, an output of one line."""
    summary = component.outputs.get("summary")
    return f"  {summary}" if isinstance(summary, str) else ""


def _kind(resource: Resource) -> str:
    """The last part of the type token; providers are named for their package."""
    if resource.type.startswith("pulumi:providers:"):
        return f"provider {resource.type.rsplit(':', 1)[-1]}"
    return resource.type.rsplit(":", 1)[-1]


def _counts(rehearsal: Rehearsal) -> str:
    resources = [resource for resource in rehearsal.graph if resource.type != STACK_TYPE]
    custom = sum(resource.custom for resource in resources)
    severities = Counter(finding.severity for finding in rehearsal.findings)
    findings = ", ".join(_plural(severities[severity], severity.value) for severity in Severity if severities[severity])
    components = _plural(len(resources) - custom, "component")
    return f"{_plural(custom, 'resource')} in {components}; {findings or 'no findings'}."


def _plural(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
