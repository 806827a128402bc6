"""The command `penstock explain`."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from penstock.report.explanation import Explanation


class ExplanationFormat(StrEnum):
    """How an explanation is written."""

    TEXT = "text"
    JSON = "json"


def explain(
    code: Annotated[str, typer.Argument(metavar="CODE", help="The code of a finding, or the id of a rule.")],
    format_: Annotated[
        ExplanationFormat, typer.Option("--format", help="For people or machines.")
    ] = ExplanationFormat.TEXT,
) -> None:
    """Explain the code of a finding: what holds when all is well, and of a rule why, how to fix it and its sources."""
    from penstock.cli.options import Format
    from penstock.cli.output import write
    from penstock.cli.running import errors_in
    from penstock.report import explanation

    with errors_in(Format(format_.value), code, None, command="explain"):
        found = explanation.explain(code)
    if format_ is ExplanationFormat.JSON:
        from penstock.report.json import text_of

        write(text_of(explanation.document(found)), None)
        return
    write(_for_people(found), None)


def _for_people(found: Explanation) -> str:
    from rich.console import Console
    from rich.padding import Padding
    from rich.text import Text

    from penstock.report import explanation
    from penstock.report.terminal import harmless_text

    console = Console(highlight=False)
    head = f"  {found.kind}{f', {found.category}' if found.category else ''}"
    with console.capture() as written:
        console.print(Text.assemble((found.code, "bold"), head))
        for text in (found.title, found.severity):
            console.print(Padding(harmless_text(text), (0, 0, 0, 2), expand=False))
        for name, text in explanation.lines(found):
            console.print(Text(f"\n{name}", style="bold"))
            for line in text.split("\n"):
                if line.startswith("https://"):
                    console.print(harmless_text(f"  {line}"), soft_wrap=True)
                else:
                    console.print(Padding(harmless_text(line), (0, 0, 0, 2), expand=False))
    return written.get().rstrip("\n")
