"""The command `penstock size`."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from penstock.cli.options import FORMAT_HELP, Format, by_suffix
from penstock.cli.output import PIPE_WIDTH
from penstock.cli.running import errors_in

if TYPE_CHECKING:
    from penstock.app.plan import Plan


_FEWEST_COLUMNS = 40


class SizeFormat(StrEnum):
    """How a sizing is written."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"


def size(
    file: Annotated[
        Path | None,
        typer.Argument(metavar="FILE", help="A YAML file with the same fields, and layers, hidden, batch and others."),
    ] = None,
    *,
    parameters: Annotated[str | None, typer.Option(metavar="70B", help="Parameters of the model.")] = None,
    task: Annotated[
        str | None, typer.Option(metavar="train|finetune|lora|serve", help="What is done with it; by default train.")
    ] = None,
    tokens: Annotated[
        str | None, typer.Option(metavar="1.4T", help="Tokens to train on; by default 20 for each active parameter.")
    ] = None,
    sequence: Annotated[str | None, typer.Option(metavar="8192", help="Tokens of a sequence; by default 4096.")] = None,
    active: Annotated[
        str | None, typer.Option(metavar="37B", help="Active parameters of a mixture of experts.")
    ] = None,
    experts: Annotated[str | None, typer.Option(metavar="256", help="Its experts in each layer.")] = None,
    experts_per_token: Annotated[str | None, typer.Option(metavar="8", help="Those that work on one token.")] = None,
    precision: Annotated[
        str | None,
        typer.Option(
            metavar="bf16|fp8|fp4|int8|int4|nf4",
            help="By default bf16. Training: bf16, fp8; LoRA also int4, nf4 (QLoRA); serving also fp4, int8, int4.",
        ),
    ] = None,
    optimizer: Annotated[
        str | None, typer.Option(metavar="adamw|adamw-bf16-gradients|adamw-8bit", help="By default adamw.")
    ] = None,
    deadline: Annotated[
        str | None, typer.Option(metavar="30d", help="When it must be done; by default 30d, 7d for fine-tuning.")
    ] = None,
    cloud: Annotated[str | None, typer.Option(metavar="aws|gcp|azure", help="By default all.")] = None,
    region: Annotated[str | None, typer.Option(help="By default the cheapest that sells the machine.")] = None,
    accelerator: Annotated[str | None, typer.Option(metavar="h100", help="Only this accelerator.")] = None,
    accelerators: Annotated[
        str | None, typer.Option(metavar="512", help="How many there are; by default as many as the deadline needs.")
    ] = None,
    machine_type: Annotated[str | None, typer.Option(help="Only this machine type.")] = None,
    mfu: Annotated[str | None, typer.Option(metavar="0.38", help="A utilisation that you measured.")] = None,
    recompute: Annotated[
        str | None, typer.Option(metavar="auto|none|full", help="Whether activations are computed twice.")
    ] = None,
    dataset: Annotated[str | None, typer.Option(metavar="10TB", help="Data on disk; by default text.")] = None,
    reserved: Annotated[str | None, typer.Option(metavar="0.6", help="Share of machines bought for years.")] = None,
    spot: Annotated[str | None, typer.Option(metavar="0.2", help="Share of machines bought as spot.")] = None,
    years: Annotated[str | None, typer.Option(metavar="1|3", help="Of the reservation; by default 1.")] = None,
    requests_per_second: Annotated[str | None, typer.Option(metavar="5", help="The load to serve.")] = None,
    input_tokens: Annotated[str | None, typer.Option(metavar="1000", help="Tokens that a request has.")] = None,
    output_tokens: Annotated[str | None, typer.Option(metavar="250", help="Tokens that an answer has.")] = None,
    token_latency: Annotated[str | None, typer.Option(metavar="50ms", help="The most between two tokens.")] = None,
    first_token: Annotated[
        str | None, typer.Option(metavar="200ms", help="The most to the first token; by default no limit.")
    ] = None,
    on_premises: Annotated[bool, typer.Option("--on-premises", help="Compare with servers of your own.")] = False,
    name: Annotated[str | None, typer.Option(help="The name of what is written.")] = None,
    write: Annotated[
        Path | None,
        typer.Option(metavar="stacks/Pulumi.X.yaml", help="Write the description of the platform that is recommended."),
    ] = None,
    format_: Annotated[SizeFormat, typer.Option("--format", callback=by_suffix, help=FORMAT_HELP)] = SizeFormat.TEXT,
    out: Annotated[Path | None, typer.Option(help="Write to this file instead of the terminal.")] = None,
) -> None:
    """Say which machines a model needs, how many, how long and for how much: training, fine-tuning, serving."""
    given: dict[str, Any] = dict(locals())
    for apart in ("file", "write", "format_", "out", "on_premises"):
        del given[apart]
    options = {field: value for field, value in given.items() if value is not None}
    if on_premises:
        options["on_premises"] = "true"
    if write is not None:
        options.setdefault("name", _stack_name(write))
    with errors_in(Format(format_.value), "" if file is None else str(file), out, command="size"):
        from penstock.app.plan import plan, stack_file_of
        from penstock.report.progress import answering

        with answering("Trying machines", "types") as progress:
            planned = plan(options, file, progress)
        text = rendered(planned, format_, out)
        if write is not None:
            _put(stack_file_of(planned, write), write)
    _put(text, out)
    if write is not None:
        sys.stderr.write(f"Wrote {write}. Put in your account, admins and ranges, then: penstock rehearse {write}\n")
    raise typer.Exit(0 if planned.ranking.choices else 1)


def rendered(planned: Plan, format_: SizeFormat, out: Path | None) -> str:
    """Return a sizing in a format; `out` is the file that it is for."""
    from penstock.report.sizing import forms
    from penstock.report.sizing.report import sizing_document

    document = sizing_document(planned.request, planned.ranking)
    if format_ is SizeFormat.JSON:
        return forms.as_json(document, planned.request, planned.ranking)
    if format_ is SizeFormat.MARKDOWN:
        return forms.as_markdown(document)
    return forms.as_text(document) if out is not None else forms.as_text(document, _columns())


def _columns() -> int:
    """The columns of the terminal, as COLUMNS or the terminal itself has them; those of a file for a pipe."""
    from shutil import get_terminal_size

    return max(_FEWEST_COLUMNS, get_terminal_size((PIPE_WIDTH, 0)).columns)


def _stack_name(file: Path) -> str:
    """The stack of a file that is to be written."""
    parts = file.name.split(".")
    if len(parts) != 3 or parts[0] != "Pulumi" or parts[2] != "yaml":  # noqa: PLR2004 Pulumi, the stack, yaml
        raise typer.BadParameter(f"--write {file}: stack files are called Pulumi.NAME.yaml")
    from pydantic import TypeAdapter, ValidationError

    from penstock.description.block import Name

    name: TypeAdapter[str] = TypeAdapter(Name)
    try:
        return name.validate_python(parts[1])
    except ValidationError:
        form = name.json_schema()["description"]
        raise typer.BadParameter(f"--write {file}: {parts[1]!r} is not the name of a platform. {form}") from None


def _put(text: str, file: Path | None) -> None:
    from penstock.core.errors import Unwritable

    if file is None:
        sys.stdout.write(text)
        return
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise Unwritable(f"{file} cannot be written: {(error.strerror or 'unknown error').lower()}") from None
