"""One rehearsal for machines to read."""

from __future__ import annotations

import json
from typing import Any

from penstock.findings import Finding
from penstock.rehearsal.graph import Options, Resource
from penstock.rehearsal.run import Rehearsal
from penstock.rehearsal.values import shown


def render(rehearsal: Rehearsal, *, environment: str, cloud: str | None) -> str:
    """The whole rehearsal as JSON. Secrets read "[secret]" and values that only the cloud can tell "[unknown]"."""
    document = {
        "environment": environment,
        "cloud": cloud,
        "ok": rehearsal.ok,
        "resources": [_resource(resource) for resource in rehearsal.graph],
        "findings": [finding_as_json(finding) for finding in rehearsal.findings],
    }
    return json.dumps(document, indent=2)


def render_findings(findings: tuple[Finding, ...], *, environment: str) -> str:
    """What is wrong with a description, when nothing could be rehearsed."""
    document = {
        "environment": environment,
        "cloud": None,
        "ok": False,
        "resources": [],
        "findings": [finding_as_json(finding) for finding in findings],
    }
    return json.dumps(document, indent=2)


def finding_as_json(finding: Finding) -> dict[str, Any]:
    """A finding by the names of the published contract."""
    return {
        "code": finding.code,
        "severity": finding.severity.value,
        "source": finding.source.value,
        "urn": finding.urn,
        "path": finding.path,
        "message": finding.message,
        "hint": finding.hint,
        "file": finding.file,
        "line": finding.line,
        "column": finding.column,
    }


def _resource(resource: Resource) -> dict[str, Any]:
    return {
        "urn": resource.urn,
        "type": resource.type,
        "name": resource.name,
        "parent": resource.parent or None,
        "dependencies": list(resource.dependencies),
        "inputs": shown(resource.inputs),
        "outputs": shown({"id": resource.id, **resource.outputs} if resource.id else resource.outputs),
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
