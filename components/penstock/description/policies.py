"""The configuration of policies in a stack, validated: `penstock:policies`, and what a description adds to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from pydantic import ValidationError

from penstock.core.errors import InvalidDescription
from penstock.core.findings import Finding
from penstock.core.wording import did_you_mean, listed, quoted, shortened
from penstock.description import secrets
from penstock.description.codes import Code
from penstock.description.own_keys import NAMESPACE, unknown_keys
from penstock.description.positions import Path, Place, written
from penstock.description.problems import Coded, Problem, finding
from penstock.graph.values import ENCRYPTED
from penstock.rules import packs, registry, settings
from penstock.rules.levels import Category, Enforcement, RuleKind
from penstock.rules.rule import Rule
from penstock.rules.settings import DESCRIPTION, KEY, Pack, Settings
from penstock.rules.waivers import Origin, Waiver
from penstock.secrets import forms

_DESCRIBED: Mapping[Path, Path] = {
    ("environment",): ("environment",),
    ("frameworks",): ("compliance", "frameworks"),
    ("residency",): ("compliance", "residency"),
    ("parameters", "max_accelerators"): ("budget", "max_accelerators"),
}
"""What a description says of policies where the settings do not, by the paths of both."""


def judged(config: Mapping[str, str], file: str | None = None, places: Mapping[Path, Place] | None = None) -> Settings:
    """The settings of policies; `file` and `places` give findings their lines.

    Raises:
        InvalidDescription: something of them has no right form, or names a rule that does not exist; or a key below
            `penstock:` is unknown, which may have been meant to be theirs.
    """
    data = settings.declared(config)
    found, problems = _read(data)
    strangers = [_stranger(*each, file, places or {}) for each in unknown_keys(config)]
    if found is None or problems or strangers:
        raise InvalidDescription([*strangers, *_findings(problems, settings.own(config), file, places or {})])
    return _placed(found, settings.own(config), file, places or {})


def _read(data: Mapping[str, Any]) -> tuple[Settings | None, list[Coded]]:
    """The settings that plain data makes, if it makes any, and what is wrong: secrets are reported first."""
    leaked = list(_secrets(data.get(KEY, data), ()))
    if leaked:
        return None, leaked
    if KEY in data:
        hint = "Such as {packs: [baseline, cost]}."
        return None, [(Code.WRONG_KIND, Problem((), "Policies are a block of fields.", hint))]
    unknown = list(_unknown_rules(data))
    try:
        found = Settings.model_validate(data)
    except ValidationError as error:
        from penstock.description import type_mismatches  # only a mistake needs it

        return None, [*type_mismatches.problems(error, data, Settings), *unknown]
    return found, [*unknown, *_lowered(found)]


def _lowered(found: Settings) -> Iterator[Coded]:
    """Critical rules that settings lower although an enabled pack binds them."""
    if not any(packs.PACKS[pack].is_binding for pack in packs.in_force(found)):
        return
    given: list[tuple[Path, str, Enforcement]] = [
        *((("enforcement", severity), severity, level) for severity, level in found.enforcement.items()),
        *((("rules", name), name, level) for name, level in found.rules.items()),
    ]
    for path, name, level in given:
        bound = _bound(name, found) if level is not Enforcement.MANDATORY else None
        if bound is not None:
            rule, pack = bound
            of = "" if name == rule.id else f", such as {rule.id}"
            message = (
                f"The pack {pack} does not allow {quoted(name)} to be {level.value}: it blocks critical rules{of}."
            )
            hint = "Waive the rule for single resources, with a reason, an owner and a last day."
            yield Code.BINDING, Problem(path, message, hint)


def _bound(name: str, found: Settings) -> tuple[Rule, Pack] | None:
    """The first rule of a name, a category or a severity that an enabled pack binds, and that pack."""
    for rule in registry.rules_of(RuleKind.POLICY):
        if name in (rule.id, rule.category, rule.severity) and (pack := packs.binding(rule, found)):
            return rule, pack
    return None


def _secrets(value: Any, path: Path) -> Iterator[Coded]:
    """Yield secrets and values that look like one: no message may repeat them, and nobody can review encrypted ones."""
    if value == ENCRYPTED or (isinstance(value, Mapping) and list(value) == ["secure"]):
        hint = "Set it without --secret: it is there for people to review."
        yield Code.SECRET, Problem(path, "Policies take no encrypted value.", hint)
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _secrets(item, (*path, secrets.hidden(str(key))))
            yield from _secrets(str(key), (*path, secrets.hidden(str(key))))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _secrets(item, (*path, index))
    elif isinstance(value, str) and (kind := forms.kind_of_secret(value)):
        hint = "Take it out, and replace it: one that was committed has been read."
        yield Code.SECRET, Problem(path, f"The value looks like {kind}.", hint)


def _unknown_rules(data: Mapping[str, Any]) -> Iterator[Coded]:
    """Names of rules that do not exist: a rule that was to be turned off, or on, would silently not be."""
    named, waivers = data.get("rules"), data.get("waivers")
    levels = named if isinstance(named, Mapping) else {}
    waived = (
        [each.get("rule") if isinstance(each, Mapping) else None for each in waivers]
        if isinstance(waivers, list)
        else []
    )
    if not levels and not waived:
        return
    from penstock.rules import registry

    ids = [rule.id for rule in registry.all_rules()]
    names = [*Category, *ids]
    for name in levels:
        if name not in names:
            message = f"No rule or category is called {quoted(name)}."
            hint = f"{did_you_mean(name, names)} Categories: {listed(Category)}.".strip()
            yield Code.UNKNOWN_WORD, Problem(("rules", name), message, hint)
    for index, rule in enumerate(waived):
        if isinstance(rule, str) and rule.strip() and rule.strip() not in ids:
            message = f"No rule is called {quoted(rule)}."
            hint = did_you_mean(rule, ids) or "A waiver names one rule by its id, such as aws-ebs-encrypted."
            yield Code.UNKNOWN_WORD, Problem(("waivers", index, "rule"), message, hint)


def _stranger(code: str, problem: Problem, file: str | None, places: Mapping[Path, Place]) -> Finding:
    """An unknown key with its place; a project called penstock may write its keys without the namespace."""
    (key,) = problem.path
    bare = str(key).removeprefix(NAMESPACE)
    place = places.get(("config", key), places.get(("config", bare)))
    return replace(finding(code, problem, file if place else None, place), path=shortened(str(key)))


def _findings(problems: list[Coded], block: Any, file: str | None, places: Mapping[Path, Place]) -> list[Finding]:
    """Each problem with its place in the stack file, be it in the settings or in the description."""
    found = []
    for code, problem in problems:
        key, path = _origin(problem.path, block)
        each = finding(code, replace(problem, path=path), file, _place((key, *path), places))
        found.append(replace(each, path=_written_path(key, path)))
    return sorted(found, key=lambda each: (each.line or 0, each.column or 0))


def _placed(found: Settings, block: Any, file: str | None, places: Mapping[Path, Place]) -> Settings:
    """The settings with waivers that know where they are written."""

    def placed(index: int, waiver: Waiver) -> Waiver:
        key, path = _origin(("waivers", index), block)
        place = _place((key, *path), places)
        return waiver.written_at(Origin(_written_path(key, path), *((file, *place) if place else ())))

    return found.model_copy(update={"waivers": tuple(placed(*each) for each in enumerate(found.waivers))})


def _written_path(key: str, path: Path) -> str:
    """A path as a finding names it: those of the description are known without its key."""
    below = written(path)
    return below if key == DESCRIPTION else f"{KEY}.{below}" if below else KEY


def _origin(path: Path, block: Any) -> tuple[str, Path]:
    """The key of the configuration that holds a path of the settings, and the path below it."""
    block = block if isinstance(block, Mapping) else {}
    own = block.get("waivers", ())
    if path[:1] == ("waivers",) and len(path) > 1 and isinstance(path[1], int) and path[1] >= len(own):
        return DESCRIPTION, ("waivers", path[1] - len(own), *path[2:])
    for here, there in _DESCRIBED.items():
        if path[: len(here)] == here and here[0] not in block:
            return DESCRIPTION, (*there, *path[len(here) :])
    return KEY, path


def place_of(steps: Path, config: Mapping[str, str], places: Mapping[Path, Place]) -> tuple[str, Place | None]:
    """The path of a setting as findings name it, and its position in the stack file, or that of a block around it."""
    key, path = _origin(steps, settings.own(config))
    return _written_path(key, path), _place((key, *path), places)


def _place(path: Path, places: Mapping[Path, Place]) -> Place | None:
    """Return the position of a part of the configuration in the stack file, or the nearest block above it that does."""
    full: tuple[Any, ...] = ("config", *path)
    return next((places[full[:end]] for end in range(len(full), 1, -1) if full[:end] in places), None)
