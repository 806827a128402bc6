"""The command line: parses, calls, prints.

Exit 0 is fine, 1 means findings that block, 2 that there is no result: bad input, a program that failed, was killed or
did not end, a report that cannot be written. 130 is for Ctrl-C.
"""

from __future__ import annotations

from typing import Annotated

import typer

from penstock import __version__
from penstock.cli.audit import audit
from penstock.cli.catalog import catalog
from penstock.cli.check import check
from penstock.cli.comment import comment
from penstock.cli.cost import cost
from penstock.cli.diff import diff
from penstock.cli.exit import exit_with, status_of
from penstock.cli.explain import explain
from penstock.cli.import_ import import_platform
from penstock.cli.init import init
from penstock.cli.jobs import jobs
from penstock.cli.language_server import language_server
from penstock.cli.list_ import list_stacks
from penstock.cli.mcp import mcp
from penstock.cli.merge import merge
from penstock.cli.output import behave_as_a_command
from penstock.cli.preflight import preflight
from penstock.cli.rehearse import rehearse
from penstock.cli.review import review
from penstock.cli.schema import policy_pack, schema
from penstock.cli.size import size
from penstock.core import cycles

app = typer.Typer(
    context_settings={"help_option_names": ["-h", "--help"]},
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="AI infrastructure with Pulumi, rehearsed before it is provisioned.",
)


def _print_version(wanted: bool) -> None:  # noqa: FBT001 - as Typer calls it
    if wanted:
        print(f"penstock {__version__}")
        raise typer.Exit


Version = Annotated[
    bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
]


@app.callback()
def _every_command(*, version: Version = False) -> None:
    """Take the options before the name of a command."""


app.command()(init)
app.command()(rehearse)
app.command()(check)
app.command()(audit)
app.command()(diff)
app.command()(comment)
app.command()(review)
app.command()(merge)
app.command()(cost)
app.command()(preflight)
app.command()(jobs)
app.command()(size)
app.command("import")(import_platform)
app.command("list")(list_stacks)
app.command()(explain)
app.command()(schema)
app.command()(policy_pack)
app.command()(language_server)
app.command()(mcp)
app.add_typer(catalog, name="catalog")


def main() -> None:
    """Run the `penstock` command: an error that a person can fix is a message, never a traceback."""
    cycles.search_rarely()
    behave_as_a_command()
    exit_with(status_of(app))
