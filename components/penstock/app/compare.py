"""A stack compared with its baseline: what changes, which settings judge it, and the rehearsal behind it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from penstock.app.assess import overview_of
from penstock.app.baseline import baseline_changes
from penstock.app.judge import judge_policies
from penstock.changes.diff import diff
from penstock.changes.revision import Baseline, baseline_at
from penstock.report import settings
from penstock.report.assessment import home_of
from penstock.report.overview import Overview
from penstock.rules import registry
from penstock.rules.baseline import FindingsBaseline
from penstock.rules.settings_changes import custom_rule_changes
from penstock.secrets.redaction import Redaction
from penstock.simulate.environment import Environment
from penstock.simulate.exported_state import load_state


def compare(
    environment: Environment,
    baseline: Baseline,
    *,
    hold_settings: bool = False,
    with_policies: bool = False,
    known: tuple[FindingsBaseline, FindingsBaseline] | None = None,
    progress: Callable[[str], None] | None = None,
) -> Overview:
    """Rehearse an environment and return its changes from the baseline.

    With `hold_settings` the settings and custom rules of the baseline judge it, its policies and budgets included;
    `with_policies` evaluates the policies in any case, and adds the preconditions that the baseline lacks.
    `known` are the known findings on both sides, of which a change is one of settings.
    """
    own_rules = registry.custom_rules()
    before = baseline.judges
    held = before if hold_settings else None
    if held is not None:
        registry.use_custom_rules(held.rules)
    judged = environment if held is None else replace(environment, policies=held.settings)
    rehearsal = judged.rehearse(before=baseline.graph, progress=progress)
    rehearsal.redaction.include(baseline.redaction)
    changed_settings = (
        ()
        if before is None
        else (
            *settings.changes_of_settings(before.settings, environment.policies, (baseline.graph, rehearsal.graph)),
            *custom_rule_changes(before.rules, own_rules),
            *(baseline_changes(*known, environment.stack) if known is not None else ()),
        )
    )
    has_policies = with_policies or held is not None
    whole = overview_of(
        rehearsal,
        environment=environment.stack,
        cloud=environment.cloud,
        policies=judge_policies(rehearsal.graph, judged.policies, beside=rehearsal.judgement) if has_policies else None,
        changes=diff(baseline.graph, rehearsal),
        settings_changes=changed_settings,
        budgets=baseline.graph if held is not None else None,
        home=home_of(environment.project, environment.stack),
        usage=environment.usage,
    )
    found = (*settings.findings_of(changed_settings, environment, held=held is not None), *whole.findings)
    needed_before = {each.what for each in baseline.preconditions}
    needed = tuple(each for each in rehearsal.preconditions if each.what not in needed_before)
    return replace(
        whole,
        findings=environment.located(found, baseline.graph, whole.graph),
        preconditions=needed if with_policies else None,
    )


def baseline_of(environment: Environment, *, revision: str | None = None, state: Path | None = None) -> Baseline:
    """Return the stack before a change: rehearsed at a revision in git, or as `pulumi stack export` wrote it.

    Raises:
        NoSuchRevision: as `baseline_at`.
        UnusableState: the export cannot be read.
    """
    if revision is not None:
        return baseline_at(revision, environment)
    if state is None:
        raise TypeError("a baseline is at a revision or in a state")
    graph = load_state(state, project=environment.project.name, stack=environment.stack)
    return Baseline(graph, Redaction.of_graph(graph))
