"""The command line: parses, calls, prints.

Exit 0 is fine, 1 means findings that block, 2 that there is no result: bad input, a program that failed, was killed or
did not end, a report that cannot be written. 130 is for Ctrl-C.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from penstock import __version__, cycles
from penstock.cli_catalog import catalog
from penstock.cli_cost import cost
from penstock.cli_explain import explain
from penstock.cli_fleet import list_stacks, run_fleet
from penstock.cli_jobs import jobs
from penstock.cli_options import (
    HERE,
    All,
    AsFormat,
    Base,
    Engine,
    Env,
    Faults,
    Format,
    HoldSettings,
    OtherStacks,
    Out,
    Stack,
    State,
    Timeout,
    Unknown,
    Verbose,
    Watch,
    WithEngine,
)
from penstock.cli_output import STDERR, behave_as_a_command, page, refused, supervisors, write, writing
from penstock.cli_preflight import preflight
from penstock.cli_running import defect_of, end_with, errors_in, message_of, running
from penstock.cli_schema import policy_pack, schema
from penstock.cli_size import size
from penstock.errors import PenstockError, Unwritable

if TYPE_CHECKING:
    from penstock.rehearsal.changes.revision import Baseline
    from penstock.rehearsal.engine.steps import EngineStep
    from penstock.rehearsal.environment import Environment

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


@app.command()
def rehearse(
    env: Env = HERE,
    stack: Stack = None,
    format_: AsFormat = Format.TEXT,
    out: Out = None,
    faults: Faults = None,
    *,
    stack_output: OtherStacks = None,
    timeout: Timeout = None,
    engine: WithEngine = Engine.EMBEDDED,
    unknown: Unknown = False,
    verbose: Verbose = False,
    all_: All = False,
    watch: Watch = False,
) -> None:
    """Run the whole `pulumi up` of ENV against simulated clouds. Nothing is created, and no credentials are needed."""
    if unknown and engine is Engine.PULUMI:
        raise typer.BadParameter("--unknown goes with the embedded engine; the Pulumi CLI previews first anyway")
    again = partial(
        rehearse,
        faults=faults,
        stack_output=stack_output,
        timeout=timeout,
        engine=engine,
        unknown=unknown,
        verbose=verbose,
    )
    _repeat(again, env, stack, format_, out, all_=all_, watch=watch)
    with running(format_, stack or env, out, timeout, (env, stack), command="rehearse"):
        from penstock.policies.judge import judge_policies
        from penstock.rehearsal.environment import find_environment
        from penstock.rehearsal.schedule.faults import parse_faults
        from penstock.rehearsal.stack_outputs import read
        from penstock.report import overview, terminal
        from penstock.report.assessment import home_of
        from penstock.report.progress import counting

        started = time.perf_counter()
        asked = parse_faults(faults) if faults else None
        environment = find_environment(env, stack, stack_outputs=read(stack_output or ()))
        with counting(environment.stack) as progress:
            rehearsal = environment.rehearse(preview=unknown, progress=progress)
            steps: tuple[EngineStep, ...] = ()
            if engine is Engine.PULUMI:
                from penstock.rehearsal.engine import automation

                rehearsal, steps = automation.run_engine(environment, rehearsal, faults=asked, progress=progress)
        whole = overview.overview_of(
            rehearsal,
            environment=environment.stack,
            cloud=environment.cloud,
            policies=judge_policies(rehearsal.graph, environment.policies, beside=rehearsal.judgement),
            faults=asked,
            steps=steps,
            home=home_of(environment.project, environment.stack),
            usage=environment.usage,
        )
        found = (*whole.findings, *environment.usage_findings(whole.cost.unmatched, whole.cost.misdeclared))
        whole = replace(whole, findings=environment.located(found, whole.graph))
    seconds = time.perf_counter() - started
    end_with(whole, format_, out, partial(terminal.show, seconds=seconds, verbose=verbose))


@app.command()
def check(
    env: Env = HERE,
    stack: Stack = None,
    format_: AsFormat = Format.TEXT,
    out: Out = None,
    *,
    stack_output: OtherStacks = None,
    timeout: Timeout = None,
    verbose: Verbose = False,
    all_: All = False,
    watch: Watch = False,
) -> None:
    """Show what is wrong with ENV, and no more: its description, the provider rules, and policies."""
    again = partial(check, stack_output=stack_output, timeout=timeout, verbose=verbose)
    _repeat(again, env, stack, format_, out, all_=all_, watch=watch)
    with running(format_, stack or env, out, timeout, (env, stack), command="check"):
        from penstock.rehearsal.environment import find_environment
        from penstock.rehearsal.stack_outputs import read
        from penstock.report import terminal
        from penstock.report.checked import assessment_of
        from penstock.report.progress import counting

        started = time.perf_counter()
        environment = find_environment(env, stack, stack_outputs=read(stack_output or ()))
        with counting(environment.stack) as progress:
            assessment = assessment_of(environment, environment.rehearse(progress=progress))
    ending = f"Checked in {time.perf_counter() - started:.1f} s; nothing was created."
    end_with(assessment, format_, out, partial(terminal.show_check, ending=ending, verbose=verbose))


@app.command()
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
    from penstock.report import audit as report
    from penstock.report import terminal
    from penstock.report.progress import counting
    from penstock.report.wording import plural

    with running(format_, str(export), out, timeout, command="audit"), counting(export.name, "Auditing"):
        assessment = report.audit_of(export, config)
    resources = plural(sum(each.custom for each in assessment.graph), "resource")
    owner = (
        f" of stack {assessment.graph.stack} of project {assessment.graph.project}" if assessment.graph.stack else ""
    )
    end_with(
        assessment, format_, out, partial(terminal.show_check, ending=f"Audited {resources}{owner}.", verbose=verbose)
    )


@app.command()
def diff(
    env: Env = HERE,
    stack: Stack = None,
    format_: AsFormat = Format.TEXT,
    out: Out = None,
    *,
    stack_output: OtherStacks = None,
    timeout: Timeout = None,
    base: Base = None,
    state: State = None,
    hold_settings: HoldSettings = False,
    verbose: Verbose = False,
) -> None:
    """Show what ENV would change: what is created, updated, replaced and deleted, and which data is lost with it."""
    if (base is None) is (state is None):
        raise typer.BadParameter("give one of --base and --state: what ENV is compared with")
    if hold_settings and base is None:
        raise typer.BadParameter("--hold-settings goes with --base: a state has no settings")
    with running(format_, stack or env, out, timeout, (env, stack), command="diff"):
        from penstock.rehearsal.environment import find_environment
        from penstock.rehearsal.stack_outputs import read
        from penstock.report import changes as report
        from penstock.report.compared import overview_of_change
        from penstock.report.progress import counting

        environment = find_environment(env, stack, stack_outputs=read(stack_output or ()))
        with counting(environment.stack) as progress:
            baseline = _baseline(environment, base, state)
            whole = overview_of_change(environment, baseline, hold_settings=hold_settings, progress=progress)
    title = environment.stack
    end_with(whole, format_, out, partial(report.show, title=title, note=baseline.note, verbose=verbose))


app.command()(cost)
app.command()(preflight)
app.command()(jobs)
app.command()(size)
app.command("list")(list_stacks)
app.command()(explain)
app.command()(schema)
app.command("policy-pack")(policy_pack)
app.add_typer(catalog, name="catalog")


def _repeat(
    again: partial[None],
    env: str,
    stack: str | None,
    format_: Format,
    out: Path | None,
    *,
    all_: bool,
    watch: bool,
) -> None:
    """Do the work of a command for every stack, or after every change, and end it; return if neither is asked for."""
    if not (all_ or watch):
        return

    if all_ and watch:
        raise typer.BadParameter("give one of --all and --watch, not both")
    if watch:
        from penstock.cli_watch import LONGEST_RUN_S, keep_watching

        if format_ is not Format.TEXT or out is not None:
            raise typer.BadParameter("--watch shows verdicts in the terminal: leave out --format and --out")
        keep_watching(_repeated(partial(again, timeout=again.keywords["timeout"] or LONGEST_RUN_S)), env, stack)
    from penstock.report import fleet as report

    if stack is not None:
        raise typer.BadParameter("--all takes every stack: leave out --stack")
    if format_ is not Format.TEXT and format_.value not in report.formats():
        others = ", ".join((Format.TEXT, *report.formats()))
        raise typer.BadParameter(f"--format {format_} is of one stack; with --all use one of {others}")
    with errors_in(format_, env, out, command=again.func.__name__):
        fleet = run_fleet(_repeated(again), env, format_.value)
    if format_ is Format.TEXT:
        with page(out) as console:
            report.show(fleet, console)
    else:
        write(report.rendered(fleet, format_.value), out)
    raise typer.Exit(fleet.status)


def _repeated(again: partial[None]) -> Callable[..., NoReturn]:
    """Return what does the work of a command in a process that ends with its status."""

    def command(env: str, stack: str, format_: str = Format.TEXT) -> NoReturn:
        _end(_status(partial(again, env, stack, Format(format_))))

    return command


@app.command("language-server")
def language_server() -> None:
    """Serve an editor: errors and fixes of stack files while they are typed, completion, and cost at the cursor."""
    from penstock.cli_editor import serve_editor
    from penstock.cli_watch import LONGEST_RUN_S

    raise typer.Exit(serve_editor(_repeated(partial(rehearse, timeout=LONGEST_RUN_S))))


def main() -> None:
    """Run the `penstock` command: an error that a person can fix is a message, never a traceback."""
    cycles.search_rarely()
    behave_as_a_command()
    _end(_status(app))


def _end(status: int) -> NoReturn:
    """End the process with a status, once all that it printed is written."""
    try:
        with writing(None):
            if not sys.stdout.closed:  # the language server closes it with its connection
                sys.stdout.flush()
    except Unwritable as unwritable:
        status = refused(str(unwritable))
    try:
        if not sys.stderr.closed:
            sys.stderr.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), STDERR)  # Python would end with a status of its own
    if supervisors:
        supervisors[-1].leave(status)
    cycles.search_no_more()
    sys.exit(status)


def _status(command: Callable[[], object]) -> int:
    """Run a command, and return its exit status."""
    try:
        command()
    except SystemExit as end:  # how Typer ends every command
        return int(end.code or 0)
    except typer.Exit as end:  # of a command that Typer has not called
        return end.exit_code
    except PenstockError as error:
        return refused(message_of(error))
    except Exception as error:  # noqa: BLE001 whatever it is, it is no result
        return refused(str(defect_of(error)))
    return 0


def _baseline(environment: Environment, base: str | None, state: Path | None) -> Baseline:
    """Return the stack before a change: at another revision, rehearsed, or from an exported state."""
    from penstock.rehearsal.changes import revision

    if base is not None:
        return revision.baseline_at(base, environment)
    assert state is not None  # noqa: S101 - one of the two is given
    from penstock.rehearsal.changes.state import load_state
    from penstock.rehearsal.redaction import Redaction

    stood, redaction = load_state(state, project=environment.project.name, stack=environment.stack), Redaction({}, ())
    for resource in stood:
        redaction.learn(resource)
    return revision.Baseline(stood, redaction)


if __name__ == "__main__":
    main()
