"""An environment: one stack of a project, judged and ready to be rehearsed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from os.path import relpath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from penstock import description
from penstock.catalog import price_overrides
from penstock.catalog.price_files import PriceFileProblem
from penstock.core.errors import InvalidDescription, ProgramFailed
from penstock.core.findings import Finding, Severity, Source, UsageProblem
from penstock.description import document, judgement, policies
from penstock.description.codes import Code
from penstock.description.own_keys import NAMESPACE, USAGE
from penstock.description.positions import Path as Steps
from penstock.description.positions import Place
from penstock.graph.graph import Graph
from penstock.rules.custom import load_custom_rules
from penstock.rules.settings import Settings
from penstock.simulate import description_mapping, quotas
from penstock.simulate.interpreter import Interpreter
from penstock.simulate.program import PLATFORM_PROGRAM, ProgramFile, exists, own_process
from penstock.simulate.project import (
    PYTHON,
    Config,
    PulumiProject,
    as_typed,
    config_of,
    in_another_language,
    locate,
    no_project,
)
from penstock.simulate.run import Rehearsal, rehearse
from penstock.simulate.stack_outputs import StackOutputs
from penstock.simulate.undeclared import undeclared_paths

if TYPE_CHECKING:
    from penstock.description.document import Document
    from penstock.description.platform import Spec
    from penstock.description.usage import Usage

_DESCRIPTION = document.KEY
_OF_DESCRIPTIONS = "SPEC-"


@dataclass(frozen=True, slots=True)
class Environment:
    """A stack, its settings of rules, and its description; None where it has no description of ours.

    `document` is the text of a description that is a block of the stack file. `places` has the position of each part
    of that file, if it declares anything of ours. `stack_outputs` are those of other stacks that come from elsewhere
    than its configuration.
    """

    stack: str
    project: PulumiProject
    config: Config
    policies: Settings
    rule_problems: tuple[Finding, ...] = ()
    stack_outputs: StackOutputs = field(default_factory=dict)
    description: Spec | None = None
    document: Document | None = None
    places: Mapping[Steps, Place] = field(default_factory=dict)
    usage: Usage | None = None
    """What the stack declares of a month (`penstock:usage`); None where it declares nothing."""
    home: PulumiProject | None = None
    """The project whose Python runs the program, where this is a copy of it, of another revision."""

    @property
    def cloud(self) -> str | None:
        """The cloud of the description."""
        return None if self.description is None else self.description.cloud.provider

    @property
    def in_python(self) -> bool:
        """True if the program is one that can be rehearsed without the Pulumi CLI."""
        return self.project.runtime == PYTHON

    def rehearse(
        self,
        *,
        preview: bool = False,
        progress: Callable[[str], None] | None = None,
        before: Graph | None = None,
    ) -> Rehearsal:
        """Run the stack's program without a cloud; `preview`, `progress` and `before` as in `run.rehearse`.

        Raises:
            NotAProject: the program is not in Python; the text names what can judge it.
            ProgramFailed: the program raised; the text shows where.
            UnusablePython: as `python`.
            InvalidDescription: the program asked for a description, and the stack file has none, or its platform cannot
                be composed.
        """
        if not self.in_python:
            raise in_another_language(self.project)
        home = self.project.root if self.project.program == PLATFORM_PROGRAM else None
        program = ProgramFile(self.project.program, self.project.packages, self.python(), home)
        try:
            with program.at_home():
                rehearsal = rehearse(
                    program,
                    project=self.project.name,
                    stack=self.stack,
                    config=self.config.values,
                    secret_keys=self.config.secret_keys,
                    root=self.project.root,
                    preview=preview,
                    progress=progress,
                    before=before,
                    settings=self.policies,
                    placed=self.placed,
                    stack_outputs=self.stack_outputs,
                )
        except InvalidDescription as invalid:
            raise self._with_places(invalid) from None
        except ProgramFailed as failed:
            if failed.missing_key == _DESCRIPTION:
                document.read(as_typed(self.project.stack_file(self.stack)))  # raises what is there instead
            failed = self._with_place(failed)
            failed.noted = (*self.config.findings, *self.rule_problems, *failed.noted)
            raise failed from failed.__cause__
        own = (
            *self._notes(),
            *self.config.findings,
            *self.rule_problems,
            *undeclared_paths(rehearsal.graph, self.policies),
            *self._warnings(),
        )
        return replace(rehearsal, findings=(*own, *rehearsal.findings))

    def python(self) -> Interpreter | None:
        """The Python that the program runs with; None where that is this process.

        Raises:
            UnusablePython: the project names an environment that is not there, or has no Pulumi.
        """
        program = self.project.program
        if program == PLATFORM_PROGRAM or not self.in_python:
            return None
        return (self.home or self.project).interpreter() or own_process(program if program.is_dir() else program.parent)

    def located(self, findings: Iterable[Finding], *graphs: Graph) -> tuple[Finding, ...]:
        """The findings about resources of the graphs, with places in the description where it has one in this stack."""
        *earlier, present = graphs
        resources = {each.urn: description_mapping.outdated(each) for graph in earlier for each in graph}
        resources |= present.resources
        return description_mapping.located(findings, resources, self.document)

    def placed(self, graph: Graph) -> Graph:
        """Return a Graph of the stack with places in the description, where it has one."""
        found = self.document
        if found is None:
            return graph
        return description_mapping.placed(graph, found, relpath(self.project.stack_file(self.stack), self.project.root))

    def usage_findings(self, unmatched: Iterable[str], misdeclared: Iterable[UsageProblem] = ()) -> tuple[Finding, ...]:
        """Return the findings on `penstock:usage` and on price files, with their places."""
        of_files = tuple(map(_of_price_file, price_overrides.problems()))
        paths, problems = list(unmatched), list(misdeclared)
        if not paths and not problems:
            return of_files
        file = as_typed(self.project.stack_file(self.stack))
        found = []
        for path in paths:
            block, _, name = path.partition(".")
            named = name and block != "network"
            message = f"is called {name!r}" if named else f"is billed by {path}"
            warning = Finding(
                code="USAGE-001",
                severity=Severity.WARNING,
                source=Source.SPEC,
                message=f"Nothing in the program {message}, so that this usage counts for nothing.",
                hint="Use the name of a resource, of its component, or how either ends." if named else "",
                path=f"{USAGE}.{path}",
            )
            found.append((tuple(filter(None, (block, name))), warning))
        for each in problems:
            problem = Finding(
                code=each.code,
                severity=each.severity,
                source=Source.SPEC,
                message=each.message,
                hint=each.hint,
                path=f"{USAGE}.{'.'.join(each.path)}",
            )
            found.append((each.path, problem))
        return (*of_files, *(_at(finding, keys, str(file), self.places) for keys, finding in found))

    def place_of_setting(self, steps: Steps) -> tuple[str, str, Place | None]:
        """The path of a setting of rules as findings name it, the file of the stack, and the position in it."""
        file = as_typed(self.project.stack_file(self.stack))
        path, place = policies.place_of(steps, self.config.values, self.places)
        return path, str(file), place

    def _warnings(self) -> Iterator[Finding]:
        """The warnings about the description."""
        if self.document is not None:
            yield from judgement.warnings(self.document)

    def _notes(self) -> Iterator[Finding]:
        """The note that the stack has no program of its own."""
        if self.project.program == PLATFORM_PROGRAM:
            lacking = "" if self.project.file.is_file() else "a Pulumi.yaml with `name` and `runtime: python`, and "
            yield Finding(
                code="PROGRAM-011",
                severity=Severity.INFO,
                source=Source.PROGRAM,
                message="There is no program, so Penstock's own is rehearsed.",
                hint=f"`pulumi up` needs {lacking}a __main__.py: `from penstock.platform import deploy; deploy()`.",
            )

    def _with_place(self, failed: ProgramFailed) -> ProgramFailed:
        """A missing SDK with the place of the cloud that needs it, where the stack has a description."""
        place = self.document.place(("cloud", "provider")) if self.document is not None else None
        if not failed.missing_sdk or self.document is None or place is None:
            return failed
        return ProgramFailed(failed.findings[0].message, self.document.file, place.line)

    def _with_places(self, invalid: InvalidDescription) -> InvalidDescription:
        """What the program itself found wrong with the description, with its places in the stack's file."""
        found = self.document
        if found is None:
            return invalid
        places = [found.place(tuple((each.path or "").split("."))) for each in invalid.findings]
        return InvalidDescription(
            [
                replace(each, file=found.file, line=place.line, column=place.column) if place is not None else each
                for each, place in zip(invalid.findings, places, strict=True)
            ]
        )


def find_environment(
    target: str, stack: str | None = None, *, stack_outputs: StackOutputs | None = None
) -> Environment:
    """The environment that a person means: a stack's name, its file, or a folder and `stack`.

    `stack_outputs` are those of other stacks that are not in its configuration.

    Raises:
        NotAProject: nothing of the kind is there; the text names what is.
        InvalidDescription: its description cannot be built; carries every finding with its line.
    """
    project, name = locate(target, stack)
    config = config_of(project, name)
    described, read, settings = None, None, Settings()
    rule_problems = load_custom_rules(as_typed(project.root))
    file = as_typed(project.stack_file(name))
    places = _places(file, config)
    problems: list[Finding] = []
    with _collecting(problems):
        if _DESCRIPTION in config.values:
            described, read = _described(file, config)
    with _collecting(problems):
        _judge_quotas(file, places, config)
    usage = None
    with _collecting(problems):
        usage = _declared_usage(config, file, places)
    with _collecting(problems):
        settings = policies.judged(config.values, str(file), places)
    if problems:
        raise InvalidDescription([_placed_by_project(each, project) for each in _sorted(problems)])
    if project.runtime == PYTHON and not exists(project.program):
        if described is None and not project.file.is_file():
            raise no_project(project.root)
        project = project if described is None else replace(project, program=PLATFORM_PROGRAM)
    return Environment(
        name,
        project,
        config,
        settings,
        rule_problems,
        stack_outputs or {},
        description=described,
        document=read,
        places=places,
        usage=usage,
    )


@contextmanager
def _collecting(problems: list[Finding]) -> Iterator[None]:
    """Adds what is wrong to what was found before; of a broken description the policies repeat nothing."""
    try:
        yield
    except InvalidDescription as invalid:
        described = any(each.code.startswith(_OF_DESCRIPTIONS) for each in problems)
        problems += [each for each in invalid.findings if not described or (each.path or "").startswith(NAMESPACE)]


def _sorted(problems: list[Finding]) -> list[Finding]:
    """Problems in the order of the file."""
    return sorted(problems, key=lambda each: (each.line or 0, each.column or 0))


def _placed_by_project(finding: Finding, project: PulumiProject) -> Finding:
    """A finding about a key that the defaults of the project set, with its place there."""
    if finding.line is not None or finding.path is None or finding.path not in project.defaults:
        return finding
    file = as_typed(project.file)
    line, column = document.places(file)["config", finding.path]
    return replace(finding, file=str(file), line=line, column=column)


def _places(file: Path, config: Config) -> Mapping[Steps, Place]:
    """Where each part of the stack file is, if it declares anything of ours."""
    declares = any(key.startswith(NAMESPACE) for key in config.values)
    return document.places(file) if declares and file.is_file() else {}


def _declared_usage(config: Config, file: Path, places: Mapping[Steps, Place]) -> Usage | None:
    """The usage that a stack declares, judged."""
    text = config.values.get(USAGE)
    if text is None:
        return None
    from penstock.description.usage import parse_usage  # most stacks declare none

    try:
        block = json.loads(text)
    except ValueError:
        block = None
    return parse_usage(block, str(file), places)


def _judge_quotas(file: Path, places: Mapping[Steps, Place], config: Config) -> None:
    """Refuses a wrong declaration of quotas, each problem with its place in the stack file if it is there."""
    try:
        quotas.declared(config.values)
    except InvalidDescription as invalid:
        raise InvalidDescription([_placed(each, file, places) for each in invalid.findings]) from None


def _placed(finding: Finding, file: Path, places: Mapping[Steps, Place]) -> Finding:
    block: Steps = ("config", quotas.KEY)
    code = (finding.path or "").removeprefix(f"{quotas.KEY}.")
    place = places.get((*block, code), places.get(block))
    return replace(finding, file=str(file), line=place.line, column=place.column) if place else finding


def _described(file: Path, config: Config) -> tuple[Spec, Document | None]:
    """The description of a stack, judged, and its text where it is a block of the stack file.

    It may also come from the project's defaults, or be written as text; then its findings have no lines.
    """
    if _DESCRIPTION in config.objects:
        found = document.read(file)
        return description.parse(found.description, found), found
    return description.parse(_object(config.values[_DESCRIPTION], file)), None


def _object(text: str, file: Path) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        message = f"`{_DESCRIPTION}` in the configuration holds no description."
        hint = "It takes an object with `environment`, `cloud` and the rest."
        none = Finding(
            code=Code.NO_DESCRIPTION, severity=Severity.ERROR, source=Source.SPEC, message=message, hint=hint
        )
        place = document.places(file).get(("config", _DESCRIPTION)) if file.is_file() else None
        if place is not None:
            none = replace(none, file=str(file), line=place.line, column=place.column)
        raise InvalidDescription([replace(none, path=_DESCRIPTION)])
    return found


def _of_price_file(each: PriceFileProblem) -> Finding:
    return Finding(
        code="PRICE-001",
        severity=Severity.ERROR if each.grave else Severity.WARNING,
        source=Source.BUDGET,
        message=f"{each.message} The bill is made without it." if each.grave else each.message,
        hint=each.hint,
        path=each.column or None,
        file=str(as_typed(each.file)),
        line=each.line,
    )


def _at(finding: Finding, keys: tuple[str, ...], file: str, places: Mapping[Steps, Place]) -> Finding:
    """A finding on usage with its place: that of its keys, or of what they are below."""
    for end in range(len(keys), 0, -1):
        place = places.get(("config", USAGE, *keys[:end]))
        if place is not None:
            return replace(finding, file=file, line=place.line, column=place.column)
    return finding
