"""The command `penstock comment`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def comment(
    report: Annotated[
        Path, typer.Argument(metavar="REPORT", help="A Markdown report, such as `penstock review` writes.")
    ],
    url: Annotated[
        str, typer.Argument(metavar="URL", help="The pull request of GitHub, or the merge request of GitLab.")
    ],
) -> None:
    """Post REPORT as a comment on a pull request, or update the earlier one. Reads GITHUB_TOKEN or GITLAB_TOKEN."""
    from penstock.app.comment import post

    typer.echo(f"{'Updated' if post(report, url) else 'Created'} the comment on {url}")
