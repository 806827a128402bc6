"""The audit of a deployed stack, by what `pulumi stack export` wrote: no program runs and no cloud is asked."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from penstock.app.judge import judge_policies
from penstock.core.errors import NotAProject
from penstock.description import document, policies
from penstock.policies import state_audit
from penstock.report.assessment import Home
from penstock.report.audit import Audit
from penstock.report.coverage import coverage_of
from penstock.rules.custom import load_custom_rules
from penstock.rules.settings import DESCRIPTION, KEY, Settings
from penstock.secrets.redaction import Redaction
from penstock.simulate import exported_state
from penstock.simulate.project import project_at


def audit(export: Path, config: Path | None) -> Audit:
    """Audits an exported stack by the policies of a stack file; without one, by the baseline.

    Who asks for an audit wants to know: the baseline blocks here, also where no file turned it on.

    Raises:
        UnusableState: the export cannot be read.
        InvalidDescription: what the stack file says of policies has no right form.
    """
    content = exported_state.read_export(export)
    graph = exported_state.graph_of(content, export)
    problems = load_custom_rules(_project_folder(config))
    settings = settings_in(config, graph.project) if config is not None else Settings()
    report = judge_policies(graph, settings, of_state=state_audit.answers(content, graph, settings))
    return Audit(
        environment=graph.stack,
        command="audit",
        findings=(*problems, *report.findings),
        policies=report,
        home=Home(config or export, Path.cwd(), graph.project),
        graph=graph,
        coverage=coverage_of(graph, policies=report),
        redaction=Redaction.of_graph(graph),
    )


def _project_folder(config: Path | None) -> Path:
    """The folder of a stack file's project; where there is none, that of the file, or the one a person is in."""
    folder = config.parent if config is not None else Path()
    try:
        return project_at(folder).root
    except NotAProject:
        return folder


_FIELDS = frozenset({"config", "secretsprovider", "encryptedkey", "encryptionsalt", "environment"})
"""What a stack file may hold (Pulumi CLI 3.215, workspace.ProjectStack)."""


def settings_in(file: Path, project: str) -> Settings:
    """Return the settings of policies in a stack file; without any, the baseline.

    Raises:
        InvalidDescription: the file is not a stack file, or its settings are broken.
    """
    content = document.values(file) or {}
    block = content.get("config") if isinstance(content, Mapping) else content
    if not isinstance(block, Mapping | None) or (block is None and not content.keys() <= _FIELDS):
        raise document.no_configuration(file)
    config = {
        str(key) if ":" in str(key) else f"{project}:{key}": _text(value)
        for key, value in (block or {}).items()
        if value is not None
    }
    found = policies.judged(config, str(file), document.places(file))
    return found if KEY in config or DESCRIPTION in config else Settings()


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, default=str)
