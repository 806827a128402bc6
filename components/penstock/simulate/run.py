"""Runs a Pulumi program against the simulated clouds, from its first line until no value of it is waited for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Final

from penstock.core.findings import Finding, Severity
from penstock.graph.graph import Graph
from penstock.graph.provenance import ValueProvenance
from penstock.preconditions import Precondition, preconditions_of
from penstock.rules.judge import Report, judge
from penstock.rules.levels import RuleKind
from penstock.rules.settings import Settings
from penstock.secrets.redaction import Redaction
from penstock.simulate import quotas
from penstock.simulate.in_process import run_in_process
from penstock.simulate.monitor.monitor import Monitor
from penstock.simulate.program import Program, ProgramFile, ProgramRun
from penstock.simulate.stack_outputs import StackOutputs
from penstock.simulate.stack_outputs import declared as declared_outputs

_OF_TYPES: Final = "TYPE-"
"""The beginning of the codes of findings on values of a wrong type."""


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """One run: what would be built, what is wrong with it, the report of the provider rules, and what must be there.

    `redaction` knows the run's secrets, so that no report shows one.
    """

    graph: Graph
    findings: tuple[Finding, ...]
    judgement: Report
    preconditions: tuple[Precondition, ...] = ()
    redaction: Redaction = field(default_factory=lambda: Redaction({}, ()), repr=False, compare=False)
    quotas: Mapping[str, float] = field(default_factory=dict, repr=False, compare=False)

    @property
    def ok(self) -> bool:
        """True if nothing was found that blocks."""
        return not any(finding.blocks for finding in self.findings)


def rehearse(
    program: Program,
    *,
    project: str = "project",
    stack: str = "stack",
    config: Mapping[str, str] | None = None,
    secret_keys: Sequence[str] = (),
    root: Path | None = None,
    preview: bool = False,
    progress: Callable[[str], None] | None = None,
    before: Graph | None = None,
    settings: Settings | None = None,
    placed: Callable[[Graph], Graph] | None = None,
    stack_outputs: StackOutputs | None = None,
) -> Rehearsal:
    """Runs `program` without a cloud.

    Args:
        program: what `pulumi up` would run: a function that registers resources, plain or async.
        project: the name of the Pulumi project.
        stack: the name of the stack.
        config: the stack's configuration, with namespaces (`aws:region`); objects as JSON.
        secret_keys: the keys of `config` that hold secrets.
        root: the project's folder, which places in findings are relative to.
        preview: leave computed values unknown, as before the first `pulumi up`.
        progress: called with the URN of each resource as it is registered.
        before: what exists already, of an earlier run or of a state; what did not change stays as it is there.
        settings: which provider rules are lowered, disabled or waived.
        placed: gives the resources other places than the lines of the program that create them.
        stack_outputs: the outputs of other stacks, by their names; those in `config` hold beneath them.

    Raises:
        ProgramFailed: the program raised; the text shows where.
        InvalidDescription: `config` declares quotas in a wrong way.
        UnusableStackOutputs: `config` has outputs of other stacks in a wrong form.
    """
    declared = quotas.declared(config or {})
    folder = (root or Path.cwd()).resolve()
    redaction = Redaction(config or {}, secret_keys)
    run = ProgramRun(project, stack, config or {}, tuple(secret_keys), folder, preview)
    monitor_for = partial(
        Monitor,
        project,
        stack,
        redaction=redaction,
        config=run.config,
        secret_keys=tuple(secret_keys),
        root=str(folder),
        preview=preview,
        progress=progress,
        before=before,
        stack_outputs={**declared_outputs(config or {}, secret_keys), **(stack_outputs or {})},
    )
    if isinstance(program, ProgramFile) and program.interpreter is not None:
        from penstock.simulate.host.process import process_of  # most programs need no other process
        from penstock.simulate.host.session import run_hosted

        monitor = run_hosted(process_of(program.interpreter), program, run, monitor_for, redaction)
    else:
        monitor = monitor_for()
        run_in_process(program, run, monitor, redaction)
    monitor.conclude()
    graph = placed(monitor.graph()) if placed is not None else monitor.graph()
    found = tuple(_on_known_values(monitor.findings, graph))
    return judged(graph, found, settings or Settings(), redaction, declared, before=before)


def judged(
    graph: Graph,
    findings: tuple[Finding, ...],
    settings: Settings,
    redaction: Redaction,
    declared_quotas: Mapping[str, float],
    *,
    before: Graph | None = None,
) -> Rehearsal:
    """Return a run that built a Graph, with what provider rules find in it beside the `findings` of the run itself."""
    judgement = judge(graph, settings, RuleKind.PROVIDER, quotas=declared_quotas, before=before)
    needed = preconditions_of(graph, declared_quotas)
    return Rehearsal(graph, (*findings, *judgement.findings), judgement, needed, redaction, declared_quotas)


def _on_known_values(findings: Sequence[Finding], graph: Graph) -> Iterator[Finding]:
    """Findings on types, of which those on an invented value are only noted: the real one may be of the right type."""
    provenance = ValueProvenance(graph)
    for finding in findings:
        of_type = finding.code.startswith(_OF_TYPES) and finding.urn and finding.path
        invention = provenance.invention(finding.urn or "", finding.path or "") if of_type else None
        if invention is None:
            yield finding
        else:
            message = f"{finding.message}; the simulation invented the value, {invention}, so that this is undetermined"
            yield replace(finding, severity=Severity.INFO, message=message, hint="")
