"""The command `penstock import`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from penstock.cli.options import Format, Timeout
from penstock.cli.running import end_with, running


def import_platform(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="SOURCE",
            help="A `pulumi stack export`, a Cluster Toolkit blueprint, an eksctl ClusterConfig, or a Terraform file "
            "that calls terraform-aws-modules/eks.",
        ),
    ],
    *,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="Pulumi.NAME.yaml", help="The stack file to write. Default: named after the stack or platform."
        ),
    ] = None,
    timeout: Timeout = None,
) -> None:
    """Write the nearest description of an existing platform, and list what it lacks and what would change."""
    if out is not None:
        _check_name(out)
    with running(Format.TEXT, str(source), None, timeout, command="import"):
        from penstock.app import conversion
        from penstock.report import conversion as report
        from penstock.report.progress import counting

        with counting(source.name) as progress:
            imported = conversion.import_platform(source, out, progress=progress)
        conversion.write_new(imported.text, imported.file)
    show = partial(report.show, written=str(imported.file), title=imported.title, notes=imported.notes)
    end_with(imported.checked, Format.TEXT, None, show)


def _check_name(out: Path) -> None:
    parts = out.name.split(".")
    if len(parts) != 3 or parts[0] != "Pulumi" or not parts[1] or parts[2] not in ("yaml", "yml"):  # noqa: PLR2004
        raise typer.BadParameter(f"--out {out}: stack files are called Pulumi.NAME.yaml")
