"""The options that several commands take."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final, TypeVar

import typer

SUFFIXES: Final = {".md": "markdown", ".sarif": "sarif", ".html": "html", ".json": "json"}
"""The formats of files by how their names end."""
_SUFFIXES_OF_ONE: Final = {**SUFFIXES, ".xml": "junit"}
"""Those of a report on one stack."""

AnyFormat = TypeVar("AnyFormat", bound=StrEnum)

_LEAST_TIMEOUT_S, _MOST_TIMEOUT_S = 0.001, 31_536_000


class Format(StrEnum):
    """How a result is written."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"
    JUNIT = "junit"
    MARKDOWN = "markdown"
    HTML = "html"


class Engine(StrEnum):
    """The engine that runs the program: Penstock itself, or the Pulumi CLI."""

    EMBEDDED = "embedded"
    PULUMI = "pulumi"


HERE: Final = "."
"""The folder in which a person is, whose project is meant where no ENV is named."""

Env = Annotated[
    str,
    typer.Argument(
        metavar="ENV",
        show_default=False,
        help="A stack, its file, or a folder with a Pulumi program. Default: the only stack of the project.",
    ),
]
Stack = Annotated[str | None, typer.Option(help="The stack, when ENV is a folder with several.")]
All = Annotated[bool, typer.Option("--all", help="Every stack of the project, in parallel, with one summary.")]
Watch = Annotated[bool, typer.Option("--watch", help="Stay, and show a new verdict after each change, until Ctrl-C.")]


def by_suffix(context: typer.Context, format_: AnyFormat) -> AnyFormat:
    """Return the format that a person asked for: by --format, else by how the name of --out ends."""
    source, out = context.get_parameter_source("format_"), context.params.get("out")
    if out is None or source is None or source.name != "DEFAULT":
        return format_
    wanted = _SUFFIXES_OF_ONE.get(Path(out).suffix, format_.value)
    formats = type(format_)
    if wanted not in set(formats):
        message = f"{out}: `{context.command_path}` has no report in {wanted}: use {', '.join(formats)}"
        raise typer.BadParameter(message, param_hint="--out")
    return formats(wanted)


FORMAT_HELP: Final = "For people, machines, or pull requests. Default: by the name of --out."
AsFormat = Annotated[Format, typer.Option("--format", callback=by_suffix, help=FORMAT_HELP)]
Out = Annotated[Path | None, typer.Option(help="Write to this file instead of the terminal.")]


def _is_time(seconds: float | None) -> float | None:
    if seconds is not None and not _LEAST_TIMEOUT_S <= seconds <= _MOST_TIMEOUT_S:  # neither is "nan"
        raise typer.BadParameter(f"{seconds:g} is no number of seconds from {_LEAST_TIMEOUT_S} to {_MOST_TIMEOUT_S}")
    return seconds


Timeout = Annotated[
    float | None,
    typer.Option(
        metavar="SECONDS", callback=_is_time, help="End with status 2 if there is no result by then. Default: none."
    ),
]
OtherStacks = Annotated[
    list[str] | None,
    typer.Option(
        "--stack-output",
        metavar="NAME=FILE",
        help="The outputs of another stack: what `pulumi stack output --json --show-secrets` printed. May be repeated.",
    ),
]
Unknown = Annotated[bool, typer.Option("--unknown", help="Leave computed values unknown, as a preview does.")]


def _checked_shard(text: str | None) -> str | None:
    if text is not None:
        index, _, count = text.partition("/")
        if not (index.isdecimal() and count.isdecimal() and 1 <= int(index) <= int(count)):
            raise typer.BadParameter(f"{text!r} is not a part such as 2/8")
    return text


SHARD_HELP: Final = "Only this part of the stacks, such as 2/8; `penstock merge` joins the parts in JSON."
ShardOption = Annotated[str | None, typer.Option("--shard", metavar="PART", callback=_checked_shard, help=SHARD_HELP)]


def _have_formats(files: list[Path] | None) -> list[Path]:
    for file in files or ():
        if file.suffix not in SUFFIXES:
            raise typer.BadParameter(f"{file}: the name must end with one of {', '.join(SUFFIXES)}")
    return files or []


Outs = Annotated[
    list[Path] | None,
    typer.Option(
        "--out",
        metavar="FILE",
        callback=_have_formats,
        help="Also write the report to a file: .md, .sarif, .html or .json. May be repeated.",
    ),
]

BaselineFile = Annotated[
    Path | None,
    typer.Option("--baseline", metavar="FILE", help="Known findings, which do not block: only new ones do."),
]

Verbose = Annotated[
    bool, typer.Option("-v", "--verbose", help="List each undetermined rule with its resource (text format only).")
]

Base = Annotated[str | None, typer.Option(metavar="REV", help="Compare with ENV as it is at this revision in git.")]
HoldSettings = Annotated[
    bool,
    typer.Option(
        "--hold-settings", help="Judge the change by the base's rules, packs, waivers and budgets, policies included."
    ),
]
State = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Compare with a deployed stack: what `pulumi stack export` wrote.")
]

Faults = Annotated[
    list[str] | None,
    typer.Option("--faults", metavar="RULE", help="KIND:PATTERN or seed=N: the faults to inject. May be repeated."),
]

WithEngine = Annotated[
    Engine, typer.Option("--engine", help="What runs the program: Penstock itself, or the Pulumi CLI.")
]

OfReport = Annotated[bool, typer.Option("--report", help="That of a report in JSON instead.")]
