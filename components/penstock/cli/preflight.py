"""The command `penstock preflight`."""

from __future__ import annotations

from penstock.cli.options import HERE, AsFormat, Env, Format, OtherStacks, Out, Stack, Timeout
from penstock.cli.running import end_with, environment_at, running


def preflight(
    env: Env = HERE,
    stack: Stack = None,
    format_: AsFormat = Format.TEXT,
    out: Out = None,
    *,
    stack_output: OtherStacks = None,
    timeout: Timeout = None,
) -> None:
    """Ask the real clouds of ENV for every precondition of `pulumi up`. Reads only, with your credentials."""
    with running(format_, stack or env, out, timeout, (env, stack), command="preflight"):
        from penstock.app import preflight as app
        from penstock.report.preflight import show
        from penstock.report.progress import answering, counting

        environment = environment_at(env, stack, stack_output)
        with counting(environment.stack) as progress:
            rehearsal = environment.rehearse(progress=progress)
        with answering(f"Asking the clouds of {environment.stack}", "answers") as tick:
            answered = app.preflight(environment, rehearsal, progress=tick)
    end_with(answered, format_, out, show)
