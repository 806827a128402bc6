"""Unit tests of infrastructure: rehearse a stack, a platform, a component or a program, and assert on the result.

from penstock.testing import diff, rehearse

def test_dev_has_no_findings() -> None:
    rehearse("dev").assert_no_findings()

def test_training_nodes_stay_in_one_zone() -> None:
    group = rehearse(description).resource("aws:eks/nodeGroup:NodeGroup", "platform-dev-train")
    assert len(group.inputs["subnetIds"]) == 1

def test_another_pool_loses_no_data() -> None:
    diff(rehearse(description), rehearse(with_another_pool)).assert_no_data_lost()

The pytest plugin `penstock.pytest_plugin` loads by itself. It has the fixture `rehearse`, and shortens failures.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from penstock import description
from penstock.app.assess import judged
from penstock.app.description import rehearse_platform
from penstock.core.errors import PenstockError
from penstock.core.findings import Finding
from penstock.description.platform import Spec
from penstock.description.policies import judged as settings_of
from penstock.report.assessment import Assessment
from penstock.report.redacted import redacted
from penstock.rules.settings import KEY
from penstock.simulate.program import program_file
from penstock.simulate.run import Rehearsal
from penstock.simulate.run import rehearse as _rehearse
from penstock.testing.comparison import Comparison, diff
from penstock.testing.result import RehearsalResult

if TYPE_CHECKING:
    from penstock.timeline.outcome import FaultOutcome

__all__ = ["Comparison", "RehearsalResult", "diff", "rehearse", "violations"]

Rehearsable = str | Path | Spec | Mapping[str, Any] | Callable[[], object]
"""What can be rehearsed: see `rehearse`."""

_PROJECT: Final = "penstock"
_STACK: Final = "test"


def rehearse(
    what: Rehearsable,
    *,
    stack: str | None = None,
    config: Mapping[str, str] | None = None,
    preview: bool = False,
    faults: Sequence[str] = (),
) -> RehearsalResult:
    """Rehearse a stack, a description, or a program that creates resources.

    Args:
        what: the name of a stack in the project of this folder, a stack file, or the folder of a project; a description
            (a `Spec`, or the mapping below `penstock:platform`); the file of a program (`*.py`), or a function.
        stack: the stack, if `what` is a folder with several; the name of the stack otherwise, `test` by default.
        config: the configuration of the stack, with namespaces; a stack of a project has its own.
        preview: leave computed values unknown, as before the first `pulumi up`.
        faults: the faults to inject, as `penstock rehearse --faults` takes them: `no_capacity:*-train`.

    Raises:
        InvalidDescription: the description cannot be built.
        NotAProject: there is no such stack.
        ProgramFailed: the program raised.
        UnusableFaults: a fault has no right form, or no resource could meet it.
        TypeError: `what` is something else, or `config` is given for a stack of a project.
    """
    __tracebackhide__ = True
    try:
        if isinstance(what, str | Path) and Path(what).suffix != ".py":
            if config is not None:
                raise TypeError("config goes with a description or a program; the stack file has that of a stack")
            return _rehearse_stack(str(what), stack, preview=preview, faults=faults)
        return _rehearse_alone(what, stack or _STACK, config, preview=preview, faults=faults)
    except PenstockError as error:
        raise error.with_traceback(None) from None  # its text has the place, in the user's own files


def violations(rehearsal: Rehearsal, policies: Mapping[str, Any] | None = None) -> tuple[Finding, ...]:
    """Return the findings of policies on a rehearsal; `policies` is as below `penstock:policies` in a stack file.

    Raises:
        InvalidDescription: `policies` has no right form, or names a rule that does not exist.
    """
    from penstock.app.judge import judge_policies

    settings = settings_of({KEY: json.dumps(policies or {})})
    return judge_policies(rehearsal.graph, settings, beside=rehearsal.judgement).findings


def _rehearse_stack(target: str, stack: str | None, *, preview: bool, faults: Sequence[str]) -> RehearsalResult:
    from penstock.simulate.environment import find_environment

    environment = find_environment(target, stack)
    run = environment.rehearse(preview=preview)
    outcome = _outcome(run, faults)
    found = replace(run, findings=judged(environment, run)[1])
    return _result(found, outcome, usage=environment.usage, settings=environment.policies)


def _rehearse_alone(
    what: Rehearsable,
    stack: str,
    config: Mapping[str, str] | None,
    *,
    preview: bool,
    faults: Sequence[str],
) -> RehearsalResult:
    if isinstance(what, Mapping):
        what = description.parse(what)
    of_run: dict[str, Any] = {"project": _PROJECT, "stack": stack, "config": config, "preview": preview}
    if isinstance(what, Spec):
        run = rehearse_platform(what, **of_run)
    elif isinstance(what, str | Path):
        program = program_file(Path(what))
        with program.at_home():
            run = _rehearse(program, root=program.folder, **of_run)
    elif callable(what):
        run = _rehearse(what, **of_run)
    else:
        raise TypeError(
            "rehearse takes the name of a stack, a path, a description or a function that creates resources, got "
            f"{type(what).__name__}"
        )
    return _result(run, _outcome(run, faults))


def _outcome(run: Rehearsal, faults: Sequence[str]) -> FaultOutcome | None:
    if not faults:
        return None
    from penstock.timeline.faults import parse_faults
    from penstock.timeline.outcome import play

    return play(run.graph, parse_faults([faults] if isinstance(faults, str) else faults))


def _result(run: Rehearsal, outcome: FaultOutcome | None, **of_stack: Any) -> RehearsalResult:
    """The result of a run, whose findings show no secrets."""
    findings = (*run.findings, *(outcome.findings() if outcome is not None else ()))
    shown = redacted(Assessment(environment="", findings=findings, redaction=run.redaction))
    return RehearsalResult(
        graph=run.graph,
        findings=shown.findings,
        judgement=run.judgement,
        preconditions=run.preconditions,
        redaction=run.redaction,
        quotas=run.quotas,
        faults=outcome,
        **of_stack,
    )
