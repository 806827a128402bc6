"""Changed settings of rules in a report: what a change loosens in its own judge is seen in every format."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from rich.console import Console
from rich.text import Text

from penstock.core.clock import utc_today
from penstock.core.findings import Finding, Severity, Source
from penstock.core.wording import plural
from penstock.cost.budget import limits
from penstock.graph.graph import Graph
from penstock.report.markdown_text import code, folded, plain, table_lines
from penstock.report.wording import harmless
from penstock.rules.settings import Settings
from penstock.rules.settings_changes import Direction, SettingChange, settings_changes
from penstock.simulate.environment import Environment

_STYLES: Final = {Direction.LOOSENED: "bold red", Direction.TIGHTENED: "green", Direction.CHANGED: "yellow"}
_LOOSENED: Final = "DIFF-022"
_UNKNOWN_BASE: Final = "DIFF-027"
_HELD: Final = "The settings of the base judge this change."


def changes_of_settings(before: Settings, after: Settings, graphs: tuple[Graph, Graph]) -> tuple[SettingChange, ...]:
    """Return the changes of settings, and those of budgets from one Graph to the other."""
    return (*settings_changes(before, after, today=utc_today()), *_budgets(*graphs))


def _budgets(before: Graph, after: Graph) -> Iterator[SettingChange]:
    old, new = limits(before), limits(after)
    for urn, (path, limit) in old.items():
        now = new.get(urn)
        if now is None or now[1] == limit:
            continue
        direction = Direction.LOOSENED if now[1] > limit else Direction.TIGHTENED
        name = f"budget {after[urn].name}"
        yield SettingChange((path,), name, f"{limit:,.0f} a month", f"{now[1]:,.0f} a month", direction, urn=urn)
    for urn in old.keys() - new.keys():
        name = f"budget {before[urn].name}"
        yield SettingChange((), name, f"{old[urn][1]:,.0f} a month", "none", Direction.LOOSENED)


def findings_of(changes: tuple[SettingChange, ...], environment: Environment, *, held: bool) -> Iterator[Finding]:
    """Yield a warning for each setting that is loosened, at its line in the stack file."""
    for each in changes:
        if each.direction is not Direction.LOOSENED:
            continue
        path, file, place = environment.place_of_setting(each.steps)
        yield Finding(
            code=_LOOSENED,
            severity=Severity.WARNING,
            source=Source.POLICY,
            message=f"The change loosens what judges it: {_in_words(each)}",
            hint=_HELD if held else "Review it on its own, or judge with the base's settings by --hold-settings.",
            urn=each.urn or None,
            path=str(each.steps[0]) if each.urn else path,
            file=file,
            line=place.line if place else None,
            column=place.column if place else None,
        )


def blocking(finding: Finding) -> Finding:
    """Return a finding as an error if settings are loosened or a base hides whether they are, else unchanged."""
    return replace(finding, severity=Severity.ERROR) if finding.code in (_LOOSENED, _UNKNOWN_BASE) else finding


def show(changes: tuple[SettingChange, ...], console: Console) -> None:
    """Print each changed setting."""
    if not changes:
        return
    console.print(Text("\nSettings of the checks", style="bold"))
    for each in changes:
        line = Text.assemble(
            "  ", (harmless(each.direction), _STYLES[each.direction]), f"  {harmless(_in_words(each))}"
        )
        console.print(line, soft_wrap=True)


def document(changes: tuple[SettingChange, ...]) -> list[dict[str, Any]]:
    """Return the changed settings as data."""
    return [
        {
            "name": each.name,
            "before": each.before,
            "after": each.after,
            "direction": each.direction.value,
            "note": each.note or None,
        }
        for each in changes
    ]


def markdown(changes: tuple[SettingChange, ...]) -> Iterator[str]:
    """Yield the changed settings as a table, open if one is loosened."""
    if changes:
        loosened = [each for each in changes if each.direction is Direction.LOOSENED]
        rows = [
            (each.direction.value, code(each.name), plain(each.before), plain(each.after), plain(each.note))
            for each in sorted(changes, key=lambda each: each.direction is not Direction.LOOSENED)
        ]
        title = f"<b>{summary(changes)}</b>" if loosened else summary(changes)
        yield from folded(title, table_lines(("", "Setting", "Before", "After", ""), rows), is_open=bool(loosened))


def summary(changes: tuple[SettingChange, ...]) -> str:
    """The changed settings counted, in a few words."""
    loosened = sum(each.direction is Direction.LOOSENED for each in changes)
    return f"{plural(len(changes), 'setting')} of the checks changed" + (f", {loosened} loosened" if loosened else "")


def _in_words(each: SettingChange) -> str:
    note = f" ({each.note})" if each.note else ""
    return f"{each.name}: {each.before} → {each.after}{note}"
