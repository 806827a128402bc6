"""What a stack's configuration says of policies, judged: `penstock:policies`, and what a description adds to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from pydantic import ValidationError

from penstock.errors import InvalidDescription
from penstock.findings import Finding
from penstock.spec.codes import Code
from penstock.spec.problems import Coded, Problem, finding
from penstock.spec.wording import Path, Place, did_you_mean, listed, quoted
from penstock_policies import settings
from penstock_policies.settings import KEY, Settings


def judged(config: Mapping[str, str], file: str | None = None, places: Mapping[Path, Place] | None = None) -> Settings:
    """The settings of policies; `file` and `places` give findings their lines.

    Raises:
        InvalidDescription: something of them has no right form, or names a rule that does not exist.
    """
    data = settings.declared(config)
    if KEY in data:
        problem = Problem((), "Policies are a block of fields.", "Such as {packs: [baseline, cost]}.")
        raise InvalidDescription(_findings([(Code.WRONG_KIND, problem)], file, places or {}))
    try:
        found = Settings.model_validate(data)
    except ValidationError as error:
        from penstock.spec import misfits  # only a mistake needs it

        raise InvalidDescription(_findings(misfits.problems(error, data, Settings), file, places or {})) from None
    problems = list(_unknown_rules(found))
    if problems:
        raise InvalidDescription(_findings(problems, file, places or {}))
    return found


def _unknown_rules(found: Settings) -> Iterator[Coded]:
    """Names of rules that do not exist: a rule that was to be turned off, or on, would silently not be."""
    if not found.rules and not found.waivers:
        return
    from penstock_policies import state_audit
    from penstock_policies.rule import Concern
    from penstock_policies.rules import catalogue

    ids = [rule.id for rule in catalogue()]
    names = [*Concern, *state_audit.Code, *ids]
    for name in found.rules:
        if name not in names:
            message = f"No policy rule or concern is called {quoted(name)}."
            hint = f"{did_you_mean(name, names)} Concerns: {listed(Concern)}.".strip()
            yield Code.UNKNOWN_WORD, Problem(("rules", name), message, hint)
    for index, waiver in enumerate(found.waivers):
        if waiver.rule not in ids:
            message = f"No policy rule is called {quoted(waiver.rule)}."
            hint = did_you_mean(waiver.rule, ids) or "A waiver names one rule by its id, such as aws-ebs-encrypted."
            yield Code.UNKNOWN_WORD, Problem(("waivers", index, "rule"), message, hint)


def _findings(problems: list[Coded], file: str | None, places: Mapping[Path, Place]) -> list[Finding]:
    found = [finding(code, problem, file, _place(problem.path, places)) for code, problem in problems]
    return [replace(each, path=f"{KEY}.{each.path}" if each.path else KEY) for each in found]


def _place(path: Path, places: Mapping[Path, Place]) -> Place | None:
    """Where a part of the settings stands in the stack file, or the nearest block above it that does."""
    full: tuple[Any, ...] = ("config", KEY, *path)
    return next((places[full[:end]] for end in range(len(full), 1, -1) if full[:end] in places), None)
