"""The command `penstock preflight`."""

from __future__ import annotations

from penstock.cli.options import HERE, AsFormat, Env, Format, OtherStacks, Out, Stack, Timeout
from penstock.cli.running import end_with, running


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
        from penstock.report.preflight import preflight_of, show
        from penstock.simulate.environment import find_environment
        from penstock.simulate.stack_outputs import read

        answered = preflight_of(find_environment(env, stack, stack_outputs=read(stack_output or ())))
    end_with(answered, format_, out, show)
