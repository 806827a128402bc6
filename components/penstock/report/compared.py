"""A stack compared with its baseline: what changes, which settings judge it, and the rehearsal behind it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from penstock.changes.diff import diff
from penstock.changes.revision import Baseline
from penstock.policies.judge import judge_policies
from penstock.report import settings
from penstock.report.assessment import home_of
from penstock.report.overview import Overview, overview_of
from penstock.rules import registry
from penstock.rules.settings_changes import custom_rule_changes
from penstock.simulate.environment import Environment


def overview_of_change(
    environment: Environment,
    baseline: Baseline,
    *,
    hold_settings: bool = False,
    progress: Callable[[str], None] | None = None,
) -> Overview:
    """Rehearse an environment and return its changes from the baseline.

    With `hold_settings` the settings and custom rules of the baseline judge it, its policies and budgets included.
    """
    own_rules = registry.custom_rules()
    held = baseline.settings if hold_settings else None
    if held is not None:
        registry.use_custom_rules(baseline.rules)
    judged = environment if held is None else replace(environment, policies=held)
    rehearsal = judged.rehearse(before=baseline.graph, progress=progress)
    rehearsal.redaction.include(baseline.redaction)
    changed_settings = (
        ()
        if baseline.settings is None
        else (
            *settings.changes_of_settings(baseline.settings, environment.policies, (baseline.graph, rehearsal.graph)),
            *custom_rule_changes(baseline.rules, own_rules),
        )
    )
    whole = overview_of(
        rehearsal,
        environment=environment.stack,
        cloud=environment.cloud,
        policies=judge_policies(rehearsal.graph, held, beside=rehearsal.judgement) if held is not None else None,
        changes=diff(baseline.graph, rehearsal),
        settings_changes=changed_settings,
        budgets=baseline.graph if held is not None else None,
        home=home_of(environment.project, environment.stack),
        usage=environment.usage,
    )
    found = (*settings.findings_of(changed_settings, environment, held=held is not None), *whole.findings)
    return replace(whole, findings=environment.located(found, baseline.graph, whole.graph))
