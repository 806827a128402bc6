"""Rules of a user's own: files in a folder beside the stacks, and packages that offer an entry point.

Each file, and each object that an entry point of the group `penstock.rules` names, has its rules in `RULES`: a
`RuleSet`. One that cannot be used is a finding, and the others count.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from traceback import extract_tb
from types import ModuleType

from penstock.core.findings import Finding, Severity, Source
from penstock.rules import registry
from penstock.rules.rule import Rule, RuleSet
from penstock.rules.time_limit import TimeLimitExceeded, within

FOLDER = "penstock_rules"
"""The folder beside the stacks, in the folder of Pulumi.yaml."""

ENTRY_POINTS = "penstock.rules"
"""The group of entry points by which a package offers rules."""

_LOADING_S = 10.0
"""Seconds that a file may take to be loaded."""

_ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)+")


@dataclass(frozen=True, slots=True)
class _Origin:
    """Where rules come from: a file, or a package's entry point; `load` runs it and returns what it offers."""

    name: str
    file: str | None
    load: Callable[[], object]


def load_custom_rules(folder: Path) -> tuple[Finding, ...]:
    """Register the rules in `folder`/penstock_rules and those of installed packages; return what is wrong with them."""
    origins = [*_files(folder / FOLDER), *map(_of_entry_point, entry_points(group=ENTRY_POINTS))]
    rules: list[Rule] = []
    findings: list[Finding] = []
    if origins:
        taken = {rule.id: "Penstock" for rule in registry.all_rules() if rule not in registry.custom_rules()}
        for origin in origins:
            found = _loaded(origin)
            if isinstance(found, Finding):
                findings.append(found)
                continue
            for rule in found:
                problem = _problem(rule, taken, origin)
                if problem is None:
                    taken[rule.id] = origin.name
                    rules.append(rule)
                else:
                    findings.append(problem)
    registry.use_custom_rules(rules)
    return tuple(findings)


def _files(folder: Path) -> Iterator[_Origin]:
    for file in sorted(folder.glob("*.py")) if folder.is_dir() else ():
        if not file.name.startswith("_"):
            yield _Origin(f"{folder.name}/{file.name}", str(file), lambda file=file: _executed(file))  # type: ignore[misc]


def _of_entry_point(entry: EntryPoint) -> _Origin:
    return _Origin(f"entry point {entry.name} ({entry.value})", None, entry.load)


def _executed(file: Path) -> ModuleType:
    name = f"{FOLDER}.{file.stem}"
    spec = spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise ImportError(f"{file} is not a Python file")
    module = module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _loaded(origin: _Origin) -> list[Rule] | Finding:
    """The rules of an origin, or what is wrong with it."""
    try:
        offered = within(_LOADING_S, origin.load)
    except TimeLimitExceeded:
        return _wrong(origin, f"it was not loaded within {_LOADING_S:g} s", "Let it define rules, and do nothing else.")
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a user's file does, the others count
        own = [frame for frame in extract_tb(error.__traceback__) if frame.filename == origin.file]
        line = own[-1].lineno if own else getattr(error, "lineno", None)
        return _wrong(origin, f"it raised {type(error).__name__}: {error}", "Correct the file.", line)
    rules = offered if isinstance(offered, RuleSet) else getattr(offered, "RULES", None)
    if not isinstance(rules, RuleSet):
        return _wrong(origin, "it has no RULES", "Define RULES = RuleSet(Category.…), and add rules to it.")
    return list(rules)


def _problem(rule: Rule, taken: dict[str, str], origin: _Origin) -> Finding | None:
    """Return the defect of a rule by itself; None where it has none."""
    if _ID.fullmatch(rule.id) is None:
        hint = "Use small letters, digits and hyphens, at least two words: acme-bucket-owner."
        return _wrong(origin, f"{rule.id!r} is not an id of a rule", hint)
    if rule.id in taken:
        return _wrong(
            origin, f"{rule.id} is the id of a rule of {taken[rule.id]}", "Begin ids with a word of your own."
        )
    if not rule.on:
        return _wrong(origin, f"{rule.id} judges no type", "Name type tokens in `on`, such as aws:s3/bucket:Bucket.")
    if not (rule.title and rule.fix and rule.rationale):
        return _wrong(origin, f"{rule.id} has no title, rationale or fix", "Give each: reports show them.")
    return None


def _wrong(origin: _Origin, message: str, hint: str, line: int | None = None) -> Finding:
    return Finding(
        code="RULE-001",
        severity=Severity.ERROR,
        source=Source.POLICY,
        message=f"{origin.name} cannot be used: {message}",
        hint=hint,
        file=origin.file,
        line=line,
    )
