"""Findings as SARIF 2.1.0, the form in which GitHub and other places that scan code take them.

GitHub shows what has a file of the repository, ranks by `security-severity` and knows a finding again by its
fingerprint: it is made of what is wrong with which resource, so that moving lines neither closes nor opens one. It
opens an alert for a suppressed result as for any other, so what is waived is not a result here.
https://docs.github.com/en/code-security/code-scanning/integrating-with-code-scanning/sarif-support-for-code-scanning
"""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from os import fsencode
from os.path import normpath
from pathlib import Path
from typing import Any, Final

from penstock import __version__
from penstock.core.findings import Finding, Severity, resource_of
from penstock.report import coverage, policies, preconditions
from penstock.report.assessment import Assessment, Home, is_file
from penstock.report.code_entries import CodeEntry, entry_of
from penstock.report.excused import disabled_names, waived_answers, waived_document
from penstock.report.json import text_of
from penstock.report.overview import Overview
from penstock.report.wording import harmless
from penstock.rules.levels import Category, RuleSeverity
from penstock.rules.rule import Rule

_SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
EMPTY_LOG: Final = {"$schema": _SCHEMA, "version": "2.1.0", "runs": []}
"""A log without a run."""

_ROOT: Final = "%SRCROOT%"
"""The repository's folder, as a placeholder; whoever reads the file knows where that is."""

_LEVELS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_SCORES: Final = {
    RuleSeverity.CRITICAL: "9.5",
    RuleSeverity.HIGH: "8.0",
    RuleSeverity.MEDIUM: "5.5",
    RuleSeverity.LOW: "3.0",
}
"""Numbers within what GitHub calls critical (above 9.0), high (from 7.0), medium (from 4.0) and low."""

MOST_RESULTS: Final = 25_000
"""GitHub refuses a run with more, and shows the gravest 5,000."""

_NO_SECURITY: Final = (Category.COST, Category.RESILIENCE, Category.TAGS)


def render(assessment: Assessment) -> str:
    """One run with a result for each finding, gravest first.

    Its properties count the other checks and the results for which there is no room, list what is waived and what is
    disabled, and have the cost, the timeline, the preconditions and the changes.
    """
    found = sorted(assessment.findings, key=lambda finding: tuple(_LEVELS).index(finding.severity))
    shown = found[:MOST_RESULTS]
    entries = {finding.code: entry_of(finding) for finding in shown}
    order = {code: index for index, code in enumerate(entries)}
    seen: Counter[str] = Counter()
    run = {
        "tool": {
            "driver": {
                "name": "Penstock",
                "semanticVersion": __version__,
                "rules": [_rule(entry) for entry in entries.values()],
            }
        },
        "automationDetails": {"id": f"penstock/{assessment.environment}/"},
        "columnKind": "unicodeCodePoints",
        "results": [
            {
                **_result(finding, assessment.home),
                "ruleIndex": order[finding.code],
                "partialFingerprints": {"primaryLocationLineHash": _fingerprint(finding, seen)},
            }
            for finding in shown
        ],
        "properties": _beside(assessment) | {"leftOut": len(found) - len(shown)},
    }
    return text_of({**EMPTY_LOG, "runs": [run]})


def _result(finding: Finding, home: Home | None) -> dict[str, Any]:
    location: dict[str, Any] = {"physicalLocation": _physical(finding, home)}
    if finding.urn is not None:
        qualified = f"{finding.urn}#{finding.path}" if finding.path else finding.urn
        name = resource_of(finding.urn)[0]
        location["logicalLocations"] = [{"name": name, "fullyQualifiedName": qualified, "kind": "resource"}]
    what = f"{finding.path}: {finding.message}" if finding.path and finding.path not in finding.message else None
    text = "\n".join(part for part in (what or finding.message, finding.hint) if part)
    return {
        "ruleId": finding.code,
        "level": _LEVELS[finding.severity],
        "message": {"text": text},
        "locations": [location],
    }


def _physical(finding: Finding, home: Home | None) -> dict[str, Any]:
    """The file and line; the stack's file replaces a missing one, since GitHub takes no result without a file."""
    region = {"startLine": finding.line or 1}
    if finding.file is None:
        return {"artifactLocation": _artifact(home.file if home else Path("Pulumi.yaml"), home), "region": region}
    if finding.column is not None:
        region["startColumn"] = finding.column
    return {"artifactLocation": _artifact(Path(harmless(finding.file)), home), "region": region}


def _artifact(file: Path, home: Home | None) -> dict[str, str]:
    """A file by its path from the repository's root: findings name it from the project's folder or from here."""
    folders = [folder.resolve() for folder in (*([home.folder] if home else []), Path.cwd())]
    whole = Path(normpath(next((folder / file for folder in folders if is_file(folder / file)), folders[0] / file)))
    root = next((above for above in (folders[0], *folders[0].parents) if (above / ".git").exists()), folders[0])
    if whole.is_relative_to(root):
        return {"uri": _quoted(whole.relative_to(root)), "uriBaseId": _ROOT}
    return {"uri": whole.as_uri()}


def _quoted(file: Path) -> str:
    from urllib.parse import quote

    return quote(fsencode(file.as_posix()))


def _fingerprint(finding: Finding, seen: Counter[str]) -> str:
    """The identity of a finding by code, resource and path, in GitHub's own form; the second of its kind is `:2`."""
    where = finding.urn or finding.file or ""
    key = sha256("\0".join((finding.code, where, finding.path or "")).encode(errors="replace")).hexdigest()[:16]
    seen[key] += 1
    return f"{key}:{seen[key]}"


def _rule(entry: CodeEntry) -> dict[str, Any]:
    """A rule with all that GitHub requires of one."""
    properties: dict[str, Any] = {"tags": [entry.group], "precision": "very-high"}
    if entry.severity is not None:
        if entry.group in _NO_SECURITY:
            grave = entry.severity in (RuleSeverity.CRITICAL, RuleSeverity.HIGH)
            properties["problem.severity"] = "error" if grave else "warning"
        else:
            properties["tags"] = ["security", entry.group]
            properties["security-severity"] = _SCORES[entry.severity]
    return {
        "id": entry.code,
        "shortDescription": {"text": entry.title},
        "fullDescription": {"text": entry.rule.rationale if entry.rule else entry.title},
        "help": _help(entry.rule) if entry.rule else {"text": entry.title},
        "properties": properties,
    }


def _help(rule: Rule) -> dict[str, str]:
    others = [*(f"CIS {control}" for control in rule.cis), *rule.peers]
    parts = [rule.title, f"Why: {rule.rationale}", f"How to fix it: {rule.fix}"]
    if others:
        parts.append(f"The same elsewhere: {', '.join(others)}.")
    markdown = [rule.title, f"**Why.** {rule.rationale}", f"**How to fix it.** {rule.fix}", *parts[3:]]
    return {"text": "\n\n".join(parts), "markdown": "\n\n".join(markdown)}


def _beside(assessment: Assessment) -> dict[str, Any]:
    """What a report holds beside its results: one without results does not prove that all is well."""
    beside: dict[str, Any] = {}
    if assessment.judgement is not None:
        beside["cloudRules"] = {
            "passed": assessment.judgement.passed,
            "unknown": len(assessment.judgement.undetermined),
        }
    if assessment.policies is not None:
        beside["policies"] = {outcome: assessment.policies.count(outcome) for outcome in policies.OUTCOMES}
    if assessment.judgement is not None or assessment.policies is not None:
        beside["waived"] = [waived_document(answer) for answer in waived_answers(assessment)]
        beside["disabled"] = disabled_names(assessment)
        beside["known"] = [{"rule": each.code, "urn": each.urn, "path": each.path} for each in assessment.known]
    if assessment.coverage is not None:
        beside["coverage"] = coverage.document(assessment.coverage)
    if isinstance(assessment, Overview):
        beside["cost"] = {
            "monthlyUsd": round(assessment.cost.monthly_usd, 2),
            "complete": assessment.cost.is_complete,
            "unpriced": len(assessment.cost.unpriced),
        }
        beside["timeline"] = {
            "makespanS": assessment.timeline.makespan_s,
            "firstAcceleratorS": assessment.timeline.time_to_first_accelerator_s,
        }
    if assessment.preconditions is not None:
        beside["preconditions"] = preconditions.document(assessment.preconditions)
    if assessment.changes is not None:
        from penstock.report import changes

        beside["changes"] = changes.document(assessment.changes)
    return beside
