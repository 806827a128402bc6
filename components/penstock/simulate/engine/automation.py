"""Drives the Pulumi CLI through a whole life of a stack: preview, up, a second up, refresh, destroy.

It goes through Pulumi's Automation API (https://www.pulumi.com/docs/iac/automation-api/), in a scratch project.
"""

from __future__ import annotations

import re
import shutil
import time
import warnings
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final, NamedTuple

from pulumi.automation import EngineEvent, InvalidVersionError
from pulumi.automation.errors import CommandError

from penstock.core.errors import UnusableEngine
from penstock.core.findings import Finding, Severity, Source
from penstock.graph.graph import STACK_REFERENCE, Graph
from penstock.secrets.redaction import Redaction
from penstock.simulate import quotas
from penstock.simulate.engine import agreement
from penstock.simulate.engine.scratch import NOTHING, Scratch, scratch
from penstock.simulate.engine.steps import EngineStep
from penstock.simulate.environment import Environment
from penstock.simulate.run import Rehearsal, judged
from penstock.timeline.faults import Faults, met_by

Progress = Callable[..., None]
"""Called with the URN of a resource that a step is done with, and the step's name."""

_COLOURS: Final = re.compile(r"<\{%.*?%\}>|\x1b\[[0-9;]*m")
_SAME: Final = "same"
_SUMMARIES: Final = ("preview failed", "update failed")
"""What the CLI adds to the errors that it has reported."""


class Run(NamedTuple):
    """A stack's life under the real engine, step by step.

    `rehearsal` is the embedded one with what the engine found besides. Its Graph is the one out of the engine's state,
    where the engine could build everything. A program in another language than Python has only that.
    """

    rehearsal: Rehearsal
    steps: tuple[EngineStep, ...]


def run_engine(
    environment: Environment,
    rehearsal: Rehearsal | None,
    *,
    faults: Faults | None = None,
    progress: Progress | None = None,
) -> Run:
    """Runs the environment's program under the Pulumi CLI, from nothing to nothing.

    `rehearsal` is the embedded one of the same environment: the engine must agree with it. None is for a program in
    another language than Python. `faults` are played in the first `up`; a second one must then fix all, without them.

    Raises:
        UnusableEngine: no Pulumi CLI is on the PATH, or it is too old, or refuses the stack, or the program refers to
            other stacks, or faults are asked of a program in another language; the text shows why.
        UnusableFaults: a fault rule means no resource that could meet its fault.
    """
    if rehearsal is None and faults is not None:
        raise UnusableEngine(
            f"--faults needs a program in Python, and this one is in {environment.project.runtime}; leave --faults out"
        )
    expected = _worded(faults, rehearsal.graph) if faults is not None and rehearsal is not None else NOTHING
    if shutil.which("pulumi") is None:
        raise UnusableEngine(
            "--engine pulumi needs the Pulumi CLI, and no pulumi is on the PATH; "
            "https://www.pulumi.com/docs/iac/download-install/ shows how to install it"
        )
    if rehearsal is not None and (others := rehearsal.graph.of_type(STACK_REFERENCE)):
        raise UnusableEngine(
            "--engine pulumi runs one stack in a scratch project and cannot answer for others, and this program refers "
            f"to {', '.join(each.id for each in others)}; leave --engine out"
        )
    try:
        with scratch(environment) as folder:
            return _Life(folder, rehearsal, environment, progress).lived(expected)
    except InvalidVersionError as error:
        raise UnusableEngine(f"--engine pulumi needs a newer Pulumi CLI: {error}") from None
    except CommandError as error:
        raise UnusableEngine(f"the Pulumi CLI refuses: {str(error).rpartition('stderr:')[2].strip()}") from None


class _Life:
    """One stack, step by step."""

    def __init__(
        self, folder: Scratch, rehearsal: Rehearsal | None, environment: Environment, progress: Progress | None
    ) -> None:
        self._scratch, self._stack = folder, folder.stack
        self._rehearsal, self._environment, self._progress = rehearsal, environment, progress
        self._steps: list[EngineStep] = []
        self._findings: list[Finding] = []

    def lived(self, faults: Mapping[str, str]) -> Run:
        built: Graph | None = None
        self._scratch.order(judges=True)
        if self._step("preview", self._stack.preview).ok:
            if self._up(faults).ok:
                built = self._environment.placed(self._scratch.graph())
                if self._rehearsal is not None:
                    self._findings += agreement.differences(built, self._rehearsal.graph)
                self._idle("second up", self._stack.up)
                self._idle("refresh", self._stack.refresh)
            self._destroy()
        return Run(self._whole(built), tuple(self._steps))

    def _whole(self, built: Graph | None) -> Rehearsal:
        """The embedded rehearsal with what the engine built and found; without one, what the engine built, judged."""
        if self._rehearsal is not None:
            findings = (*self._rehearsal.findings, *self._findings)
            return replace(self._rehearsal, graph=built or self._rehearsal.graph, findings=findings)
        environment = self._environment
        config = environment.config
        return judged(
            built or Graph(environment.project.name, environment.stack, {}),
            (*config.findings, *environment.rule_problems, *self._findings),
            environment.policies,
            Redaction(config.values, config.secret_keys),
            quotas.declared(config.values),
        )

    def _up(self, faults: Mapping[str, str]) -> EngineStep:
        """Builds everything; where a fault has kept it from that, again without faults, as a person would."""
        self._scratch.order(faults=faults)
        if not faults:
            return self._step("up", self._stack.up)
        step = self._step("up with faults", self._stack.up, must_succeed=False)
        self._scratch.order()
        if not step.ok:
            self._stack.cancel()  # a killed engine leaves its lock
            self._scratch.settle()
            step = self._step("up again", self._stack.up)
            if step.ok:
                self._converged()
        return step

    def _converged(self) -> None:
        """After a crash and a second run, the state holds all that is in the cloud, and holds it once."""
        world = self._scratch.world()
        for urn, _ in sorted(world.existing() - set(self._scratch.known())):
            self._complain("this resource exists in the cloud, and the engine does not know of it", urn)
        for urn in world.existing_twice():
            self._complain("this resource was created twice", urn)

    def _idle(self, name: str, command: Callable[..., object]) -> None:
        """A step that must leave everything as it is."""
        self._scratch.settle()
        step = self._step(name, command)
        changed = {operation: count for operation, count in step.changes.items() if operation != _SAME}
        if changed:
            reported = ", ".join(f"{count} {operation}" for operation, count in sorted(changed.items()))
            self._complain(f"the {name} should have changed nothing: {reported}", None)

    def _destroy(self) -> None:
        """Removes everything, what is protected too: it is in a simulated cloud only."""
        resources = self._scratch.resources()
        self._scratch.settle()
        if any(resource.get("protect") for resource in resources):
            self._scratch.pulumi("state", "unprotect", "--all", "--yes")
        self._step("destroy", self._stack.destroy)
        # The cloud itself deletes what is in another resource: the engine does not ask for it.
        kept = {each["urn"] for each in resources if each.get("retainOnDelete") or each.get("deletedWith")}
        for urn, _ in sorted(self._scratch.world().existing()):
            if urn not in kept:
                self._complain("this resource still exists after everything was destroyed", urn)

    def _step(self, name: str, command: Callable[..., object], *, must_succeed: bool = True) -> EngineStep:
        problems: list[str] = []
        printed: list[str] = []
        changes: dict[str, int] = {}

        def hear(event: EngineEvent) -> None:
            done, reported = event.res_outputs_event, event.diagnostic_event
            if done is not None and self._progress is not None:
                self._progress(done.metadata.urn, name)
            if event.summary_event is not None:
                changes.update({_word(operation): n for operation, n in event.summary_event.resource_changes.items()})
            if reported is not None and reported.severity == "error":
                problems.append(_COLOURS.sub("", reported.message).strip())
            if reported is not None and reported.severity == "info#err":
                printed.append(_COLOURS.sub("", reported.message))

        started = time.monotonic()
        try:
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", "Error in event stream")  # where the engine is killed
                command(on_event=hear)
        except CommandError as error:
            killed = self._scratch.world().was_killed()
            reported = [problem for problem in problems if problem not in _SUMMARIES]
            told = "".join(printed).strip() or str(error).strip()  # YAML's host only prints what is wrong
            problems = reported or ["the engine was killed" if killed else told]
        else:
            problems = []  # what was reported and did not fail the command
        step = EngineStep(name, changes, time.monotonic() - started, tuple(problems))
        self._steps.append(step)
        if must_succeed and (self._rehearsal is None or self._rehearsal.ok):
            for problem in problems:
                self._complain(f"{name} failed: {problem}", None, code="ENGINE-002")
        return step

    def _complain(self, message: str, urn: str | None, *, code: str = "ENGINE-003") -> None:
        self._findings.append(
            Finding(code=code, severity=Severity.ERROR, source=Source.PROGRAM, message=message, urn=urn)
        )


def _worded(faults: Faults, graph: Graph) -> Mapping[str, str]:
    """The cloud's messages by rule; each resource that meets a fault has one rule."""
    met = {str(rule): met_by(graph[rule.pattern], graph, rule.kind) for rule in faults.chosen(graph).rules}
    return {rule: fault.message for rule, fault in met.items() if fault is not None}


def _word(operation: object) -> str:
    return str(getattr(operation, "value", operation))
