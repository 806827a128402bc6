"""A check of what other tools print: previews and exports of programs in any language, and Kubernetes manifests."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from penstock.app.audit import settings_in
from penstock.app.judge import judge_policies
from penstock.core.errors import NotAProject, UnusableState
from penstock.core.findings import Finding
from penstock.description import policies
from penstock.graph.graph import Graph
from penstock.policies import state_audit
from penstock.preconditions import Precondition, preconditions_of
from penstock.report.assessment import Assessment, Home
from penstock.report.coverage import coverage_of
from penstock.rules.custom import load_custom_rules
from penstock.rules.judge import Report, judge
from penstock.rules.levels import RuleKind
from penstock.secrets.redaction import Redaction
from penstock.simulate import exported_state, preview_digest
from penstock.simulate.kubernetes_manifests import rehearse_manifests
from penstock.simulate.project import project_at


def check_printed(file: Path) -> Assessment:
    """Judge what another tool printed by provider rules and policies; its content tells which tool that was.

    `Pulumi.STACK.yaml` of the current folder has the settings, if there is one.

    Args:
        file: a preview (`pulumi preview --json`), an export (`pulumi stack export`) or Kubernetes manifests.

    Raises:
        UnusableState: the file cannot be read, or is none of these.
        InvalidDescription: the settings are broken.
    """
    text = _text(file)
    problems = load_custom_rules(_project_folder())
    try:
        return _judged_text(text, file, problems)
    except RecursionError:
        raise UnusableState(f"{file} is nested too deeply to be read") from None


def _judged_text(text: str, file: Path, problems: Iterable[Finding]) -> Assessment:
    state: Mapping[str, Any]
    content = _json(text)
    if isinstance(content, Mapping) and preview_digest.is_preview(content):
        state = preview_digest.state_of(content, file)
        graph = preview_digest.with_default_providers(exported_state.graph_of(state, file), content)
        of_preview = (*preview_digest.errors(content), *preview_digest.left_out(content))
        judged = _judged(graph, state, file, found=(*problems, *of_preview))
    elif isinstance(content, Mapping) and "deployment" in content:
        state = exported_state.checked(content, file)
        judged = _judged(exported_state.graph_of(state, file), state, file, found=problems)
    elif isinstance(content, Mapping) and "kind" not in content:
        raise UnusableState(
            f"{file} is JSON of another tool; `penstock check` reads what `pulumi preview --json` and `pulumi stack "
            "export` print, and Kubernetes manifests"
        )
    else:
        judged = _judged_manifests(text, file, found=problems)
    return judged


def _judged(graph: Graph, state: Mapping[str, Any], file: Path, *, found: Iterable[Finding]) -> Assessment:
    """Judge the resources of a stack, and the state they lie in, by the settings of its own file if there is one."""
    own = Path(f"Pulumi.{graph.stack}.yaml")
    settings = settings_in(own, graph.project) if own.is_file() else policies.judged({})
    judgement = judge(graph, settings, RuleKind.PROVIDER)
    report = judge_policies(graph, settings, beside=judgement, of_state=state_audit.answers(state, graph, settings))
    home = Home(file, Path.cwd(), graph.project)
    needed, redaction = preconditions_of(graph, {}), Redaction.of_graph(graph)
    return _assessment(graph, judgement, report, found, home=home, needed=needed, redaction=redaction)


def _judged_manifests(text: str, file: Path, *, found: Iterable[Finding]) -> Assessment:
    settings = policies.judged({})
    rehearsal = rehearse_manifests(text, file, settings)
    report = judge_policies(rehearsal.graph, settings, beside=rehearsal.judgement)
    of_program = (each for each in rehearsal.findings if each not in rehearsal.judgement.findings)
    return _assessment(
        rehearsal.graph,
        rehearsal.judgement,
        report,
        (*found, *of_program),
        home=Home(file, Path.cwd()),
        needed=rehearsal.preconditions,
        redaction=rehearsal.redaction,
    )


def _assessment(
    graph: Graph,
    judgement: Report,
    report: Report,
    found: Iterable[Finding],
    *,
    home: Home,
    needed: tuple[Precondition, ...],
    redaction: Redaction,
) -> Assessment:
    return Assessment(
        environment=graph.stack,
        findings=(*found, *judgement.findings, *report.findings),
        judgement=judgement,
        policies=report,
        preconditions=needed,
        coverage=coverage_of(graph, judgement=judgement, policies=report),
        home=home,
        redaction=redaction,
    )


def _project_folder() -> Path:
    try:
        return project_at(Path()).root
    except NotAProject:
        return Path()


def _text(file: Path) -> str:
    try:
        return exported_state.text_of(file)
    except OSError as error:
        raise UnusableState(f"{file} cannot be read: {(error.strerror or 'unknown error').lower()}") from None
    except ValueError:
        raise UnusableState(f"{file} is not text in UTF-8") from None


def _json(text: str) -> Any:
    """Return the value of a text in JSON; None if it is in another format."""
    try:
        return json.loads(text)
    except ValueError:
        return None
