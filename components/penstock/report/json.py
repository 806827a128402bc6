"""One rehearsal for machines to read."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from penstock.core.findings import Finding
from penstock.graph.graph import Options, Resource
from penstock.report import cost, coverage, engine, faults, found, policies, preconditions, topology
from penstock.report.assessment import Assessment
from penstock.report.cost_change import cost_change_of
from penstock.report.excused import disabled, waived_document
from penstock.report.overview import Overview
from penstock.rules.judge import Report
from penstock.rules.levels import RuleKind
from penstock.secrets.withheld import properties_of
from penstock.timeline.timeline import Timeline

_ESCAPE: Final = re.compile(r"\\(?:ud[89ab]\w\w\\ud[c-f]\w\w|(ud[89a-f]\w\w)|.)")
"""An escape in JSON; the group is half a character, which a program may hold and strict readers refuse."""


def render(assessment: Assessment) -> str:
    """Return an assessment as JSON. Secrets read "[secret]" and values that only the cloud knows "[unknown]"."""
    document: dict[str, Any] = {"environment": assessment.environment, "cloud": assessment.cloud, "ok": assessment.ok}
    if isinstance(assessment, Overview):
        document["resources"] = [_resource(resource) for resource in assessment.graph]
    document["findings"] = [found.document(finding) for finding in assessment.findings]
    if assessment.known:
        document["known"] = [found.document(finding) for finding in assessment.known]
    document["checks"] = None if assessment.judgement is None else _checks(assessment.judgement)
    document["policies"] = None if assessment.policies is None else policies.document(assessment.policies)
    document["coverage"] = None if assessment.coverage is None else coverage.document(assessment.coverage)
    if isinstance(assessment, Overview):
        document |= _of_rehearsal(assessment)
    if assessment.preconditions is not None:
        document["preconditions"] = preconditions.document(assessment.preconditions)
    if assessment.changes is not None:
        from penstock.report import changes, settings

        document["changes"] = changes.document(assessment.changes)
        document["changes"]["settings"] = settings.document(assessment.settings_changes)
        change = cost_change_of(assessment)
        if change is not None:
            document["cost_change"] = cost.change_document(change)
    return text_of(document)


def render_findings(findings: tuple[Finding, ...], *, environment: str) -> str:
    """Return the findings on a description, when nothing could be rehearsed."""
    document = {
        "environment": environment,
        "cloud": None,
        "ok": False,
        "resources": [],
        "findings": [found.document(finding) for finding in findings],
        "checks": None,
        "policies": None,
        "coverage": None,
        "cost": None,
        "timeline": None,
        "topology": [],
        "preconditions": [],
    }
    return text_of(document)


def text_of(document: Mapping[str, Any]) -> str:
    """A document as JSON that every reader takes, in ASCII: nothing in it steers a terminal."""
    return _ESCAPE.sub(lambda found: r"\ufffd" if found[1] else found[0], json.dumps(document, indent=2))


def _checks(judgement: Report) -> dict[str, Any]:
    return {
        "passed": judgement.passed,
        "unknown": [
            {"code": each.rule.id, "urn": each.resource.urn, "because": each.why_undetermined}
            for each in judgement.undetermined
        ],
        "waived": [waived_document(answer) for answer in judgement.of("waived")],
        "disabled": disabled(judgement.settings, RuleKind.PROVIDER),
    }


def _of_rehearsal(overview: Overview) -> dict[str, Any]:
    document: dict[str, Any] = {
        "cost": cost.document(overview.cost),
        "timeline": _timeline(overview.timeline),
        "topology": topology.document(overview.graph),
    }
    if overview.outcome is not None:
        document["faults"] = faults.document(overview.outcome)
    if overview.steps:
        document["engine"] = engine.document(overview.steps)
    return document


def _timeline(timeline: Timeline) -> dict[str, Any]:
    first = timeline.first_accelerator
    return {
        "makespan_s": timeline.makespan_s,
        "time_to_first_accelerator_s": timeline.time_to_first_accelerator_s,
        "min": {
            "makespan_s": timeline.makespan.min_s,
            "time_to_first_accelerator_s": first.min_s if first else None,
        },
        "p95": {
            "makespan_s": timeline.makespan.p95_s,
            "time_to_first_accelerator_s": first.p95_s if first else None,
        },
        "bound_s": timeline.bound_s,
        "first_accelerator_bound_s": timeline.first_accelerator_bound_s,
        "critical_path": [{"urn": urn, "end_s": timeline.ends[urn]} for urn in timeline.critical_path],
        "resources": [
            {"urn": urn, "start_s": timeline.starts[urn], "end_s": end}
            for urn, end in timeline.ends.items()
            if end > timeline.starts[urn]
        ],
        "excess": [
            {
                "urn": wait.waiting,
                "dependency": wait.dependency,
                "makespan_s": wait.saves_s,
                "time_to_first_accelerator_s": wait.saves_first_accelerator_s,
            }
            for wait in timeline.excess
        ],
    }


def _resource(resource: Resource) -> dict[str, Any]:
    return {
        "urn": resource.urn,
        "type": resource.type,
        "name": resource.name,
        "parent": resource.parent or None,
        "dependencies": list(resource.dependencies),
        "inputs": properties_of(resource, resource.inputs),
        "outputs": properties_of(
            resource, {"id": resource.id, **resource.outputs} if resource.id else resource.outputs
        ),
        "options": _options(resource.options),
    }


def _options(options: Options) -> dict[str, Any]:
    """The options that were set."""
    every = {
        "protect": options.protect,
        "retainOnDelete": options.retain_on_delete,
        "deleteBeforeReplace": options.delete_before_replace,
        "ignoreChanges": list(options.ignore_changes),
        "replaceOnChanges": list(options.replace_on_changes),
        "additionalSecretOutputs": list(options.additional_secret_outputs),
        "aliases": list(options.aliases),
        "deletedWith": options.deleted_with,
        "import": options.import_id,
        "customTimeouts": {
            key: value
            for key, value in (
                ("create", options.timeouts.create),
                ("update", options.timeouts.update),
                ("delete", options.timeouts.delete),
            )
            if value
        },
    }
    return {key: value for key, value in every.items() if value}
