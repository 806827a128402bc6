"""The command `penstock audit`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from penstock.cli.options import AsFormat, Format, Out, Timeout, Verbose
from penstock.cli.running import end_with, running


def audit(
    export: Annotated[Path, typer.Argument(metavar="EXPORT", help="What `pulumi stack export` wrote; - is stdin.")],
    config: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A stack file with `penstock:policies`; else the baseline.")
    ] = None,
    format_: AsFormat = Format.TEXT,
    out: Out = None,
    *,
    timeout: Timeout = None,
    verbose: Verbose = False,
) -> None:
    """Evaluate policies on a deployed stack, of any program, and look for plain-text secrets in its state."""
    from penstock.app import audit as app
    from penstock.core.wording import plural
    from penstock.report import terminal
    from penstock.report.progress import counting

    with running(format_, str(export), out, timeout, command="audit"), counting(export.name, "Auditing"):
        assessment = app.audit(export, config)
    resources = plural(sum(each.custom for each in assessment.graph), "resource")
    owner = (
        f" of stack {assessment.graph.stack} of project {assessment.graph.project}" if assessment.graph.stack else ""
    )
    end_with(
        assessment, format_, out, partial(terminal.show_check, ending=f"Audited {resources}{owner}.", verbose=verbose)
    )
