"""Describes why a program failed: its own error, with the line that led to it and what would fix it."""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import Distribution, packages_distributions, version
from pathlib import Path
from typing import Any, Final

from penstock.core.distribution import with_extras
from penstock.core.errors import InvalidDescription, ProgramFailed
from penstock.core.findings import Finding, Severity, Source
from penstock.description.block import SpecBlock
from penstock.graph.graph import SourceLocation
from penstock.providers import Provider, all_providers
from penstock.secrets.redaction import Redaction
from penstock.simulate.raised import description_of

_UNFIT: Final = re.compile(
    r"While processing resource: '(?P<name>[^']*)', type '(?P<type>[^']*)'.*"
    r"While processing input: '(?P<input>[^']*)'.*Unexpected type\. Expected '(?P<has>\w+)' got '(?P<wanted>[\w.]+)",
    re.DOTALL,
)
"""The text of Pulumi's SDK about an input that is a list or a mapping where another form belongs."""

_FORMS: Final = {"list": "a list", "tuple": "a list", "dict": "a mapping", "Mapping": "a mapping", "Sequence": "a list"}

_OURS: Final = Path(__file__).parent

Raised = Mapping[str, Any]
"""The description of an error (`raised.description_of`)."""


@dataclass(frozen=True, slots=True)
class Packages:
    """Where a program that runs with its own interpreter finds packages: folders, and the interpreter."""

    path: Sequence[str]
    interpreter: Path


def program_failed(error: BaseException, root: Path, redaction: Redaction) -> ProgramFailed | InvalidDescription:
    """Return an error of the program of the project at `root` as a person needs it: its line and text, no secrets.

    Its cause is the program's own error, but where that would show what is left out here, such as in pytest's report.
    Where Penstock refused the description, the findings are returned, whatever error the program made of them.
    """
    raised = description_of(error)
    if "refused" in raised:
        return _refusal(raised, redaction)
    failed = _failed(raised, root, redaction, None)
    whole = "".join(traceback.format_exception(error))
    failed.__cause__ = error if redaction.of(whole) == whole else None
    return failed


def program_failed_elsewhere(
    raised: Raised, root: Path, redaction: Redaction, packages: Packages
) -> ProgramFailed | InvalidDescription:
    """Return the same for what a program raised in a process of its own."""
    return _refusal(raised, redaction) if "refused" in raised else _failed(raised, root, redaction, packages)


def _refusal(raised: Raised, redaction: Redaction) -> InvalidDescription:
    return InvalidDescription(
        [
            Finding(
                code=each["code"],
                severity=Severity.ERROR,
                source=Source.SPEC,
                message=redaction.of(each["message"]),
                hint=redaction.of(each["hint"]),
                path=each["path"],
            )
            for each in raised["refused"]
        ]
    )


def _failed(raised: Raised, root: Path, redaction: Redaction, packages: Packages | None) -> ProgramFailed:
    failed = _with_text(raised, root, redaction, packages)
    if isinstance(raised.get("key"), str):
        failed.missing_key = raised["key"]
    failed.missing_sdk = _provider_of(raised.get("missing", "")) is not None
    return failed


def _with_text(raised: Raised, root: Path, redaction: Redaction, packages: Packages | None) -> ProgramFailed:
    if "status" in raised:
        status = raised["status"]
        ended = f"with status {status}" if isinstance(status, int) else f"and says: {status}"
        return ProgramFailed(redaction.of(f"the program ended itself {ended}"))
    if "syntax" in raised and Path(raised["syntax"][0]).is_relative_to(root):
        file, line, text = raised["syntax"]
        message = redaction.of(f"the program is not valid Python: {text}")
        return ProgramFailed(message, str(Path(file).relative_to(root)), line)
    message = _missing(raised["missing"], root, packages) if "missing" in raised else _said(raised)
    message = redaction.of(message)
    place = innermost(((file, line or 0) for file, line in reversed(raised["frames"])), root)
    return ProgramFailed(message, place.file, place.line) if place is not None else ProgramFailed(message)


def innermost(frames: Iterable[tuple[str, int]], root: Path) -> SourceLocation | None:
    """The first of the frames (files and lines, the innermost first) that is of the project at `root`."""
    for file, line in frames:
        path = Path(file)
        # In a clone of Penstock, its own functions lie below the root, too.
        if path.is_relative_to(root) and "site-packages" not in path.parts and not path.is_relative_to(_OURS):
            return SourceLocation(str(path.relative_to(root)), line)
    return None


def _said(raised: Raised) -> str:
    if "parts" in raised:
        return "\n".join(map(_said, raised["parts"]))
    if "model" in raised:
        from penstock.description import type_mismatches  # only a mistake needs it, with all blocks of a description

        if model := _spec_of(raised["model"]):
            return f"the program failed: {type_mismatches.described(raised['details'], model)}"
    if (unfit := _UNFIT.search(raised["text"])) is not None:
        wanted = _FORMS.get(unfit["wanted"].rpartition(".")[2], unfit["wanted"])
        has = _FORMS.get(unfit["has"], unfit["has"])
        return f"{unfit['type']} {unfit['name']!r} has {has} in {unfit['input']} where its SDK takes {wanted}"
    said = (
        raised["text"]
        .replace("The Pulumi CLI does not", "A rehearsal does not")
        .replace(" Please update the Pulumi CLI.", "")
    )
    return f"the program failed: {raised['type']}: {said}"


def _spec_of(title: str) -> type[SpecBlock] | None:
    """The block of a description that the program built with wrong arguments; None for models of the program."""
    waiting = [SpecBlock]
    while waiting:
        block = waiting.pop()
        if block.__name__ == title:
            return block
        waiting += block.__subclasses__()
    return None


def _missing(module: str, root: Path, packages: Packages | None) -> str:
    """A program's packages are seen when they are installed beside Penstock, or in the project's own environment."""
    package, _, rest = module.partition(".")
    installed = _installed(package, packages)
    if installed and rest:
        return f"the program imports {module}, which {installed} does not have"
    listed = next((name for name in ("requirements.txt", "pyproject.toml") if (root / name).is_file()), None)
    provider = _provider_of(module)
    wanted = f"'{with_extras(provider.name)}'" if provider is not None else package.replace("_", "-")
    if packages is not None:
        pip = f"{packages.interpreter} -m pip install"
        hint = f"{pip} -r {listed}" if listed == "requirements.txt" else f"{pip} {wanted}"
        return f"the program imports {module}, which its Python does not have. Install it there, such as by `{hint}`."
    hint = (
        f"; {listed} lists all that the program needs"
        if listed and provider is None
        else f", such as by `pip install {wanted}`"
    )
    return (
        f"the program imports {module}, which is not installed. Install it beside Penstock, or in the project's own "
        f"virtual environment{hint}."
    )


def _provider_of(module: str) -> Provider | None:
    """Return the provider whose SDK has a module: its name is that of the extra that brings the SDK."""
    package = module.partition(".")[0]
    return next((provider for provider in all_providers() if provider.sdk == package), None)


def _installed(package: str, packages: Packages | None) -> str | None:
    """The distribution that has a package, with its version; None where it is not installed."""
    if packages is None:
        found = packages_distributions().get(package)
        return f"{found[0]} {version(found[0])}" if found else None
    known = Distribution.discover(name=package, path=list(packages.path))
    return next((f"{each.name} {each.version}" for each in known), None)
