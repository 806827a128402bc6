"""An environment: one stack of a project, judged and ready to be rehearsed."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pulumi import ConfigMissingError

from penstock import spec
from penstock.errors import InvalidDescription, ProgramFailed
from penstock.findings import Finding, Severity, Source
from penstock.rehearsal import quotas
from penstock.rehearsal.program import ProgramFile
from penstock.rehearsal.project import Config, Project, as_typed, config_of, locate
from penstock.rehearsal.run import Rehearsal, rehearse
from penstock.rehearsal.undeclared import undeclared_paths
from penstock.resources.graph import Graph
from penstock.rules.custom import load_custom_rules
from penstock.rules.settings import KEY, Settings
from penstock.spec import document, policies
from penstock.spec.codes import Code
from penstock.spec.positions import Path as Steps
from penstock.spec.positions import Place

_DESCRIPTION = "penstock:platform"


@dataclass(frozen=True, slots=True)
class Environment:
    """A stack, what it says of policies, and the cloud of its description; None where it has no description of ours."""

    stack: str
    cloud: str | None
    project: Project
    config: Config
    policies: Settings
    rule_problems: tuple[Finding, ...] = ()

    def rehearse(
        self,
        *,
        preview: bool = False,
        progress: Callable[[str], None] | None = None,
        before: Graph | None = None,
    ) -> Rehearsal:
        """Run the stack's program without a cloud; `preview`, `progress` and `before` as in `run.rehearse`.

        Raises:
            ProgramFailed: the program raised; the text tells where.
            InvalidDescription: the program asked for a description, and the stack file has none.
        """
        program = ProgramFile(self.project.program, self.project.packages)
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
                )
        except ProgramFailed as failed:
            if isinstance(failed.__cause__, ConfigMissingError) and failed.__cause__.key == _DESCRIPTION:
                _described_cloud(self.project, self.stack, self.config)
            raise
        own = (*self.config.findings, *self.rule_problems, *undeclared_paths())
        return replace(rehearsal, findings=(*own, *rehearsal.findings))


def find(target: str, stack: str | None = None) -> Environment:
    """The environment that a person means: a stack's name, its file, or a folder and `stack`.

    Raises:
        NotAProject: nothing of the kind is there; the text names what is.
        InvalidDescription: its description cannot be built; carries every finding with its line.
    """
    project, name = locate(target, stack)
    config = config_of(project, name)
    cloud = None
    if _DESCRIPTION in config.values:
        cloud = _described_cloud(project, name, config)
    rule_problems = load_custom_rules(as_typed(project.root))
    file = as_typed(project.stack_file(name))
    places = _places(file, config)
    _judge_quotas(file, places, config)
    return Environment(name, cloud, project, config, policies.judged(config.values, str(file), places), rule_problems)


def _places(file: Path, config: Config) -> Mapping[Steps, Place]:
    """Where each part of the stack file stands, if it declares anything of ours."""
    declares = {quotas.KEY, KEY, _DESCRIPTION} & config.values.keys()
    return document.places(file) if declares and file.is_file() else {}


def _judge_quotas(file: Path, places: Mapping[Steps, Place], config: Config) -> None:
    """Refuses a wrong declaration of quotas, each problem with its place in the stack file if it stands there."""
    try:
        quotas.declared(config.values)
    except InvalidDescription as invalid:
        raise InvalidDescription([_placed(each, file, places) for each in invalid.findings]) from None


def _placed(finding: Finding, file: Path, places: Mapping[Steps, Place]) -> Finding:
    block: Steps = ("config", quotas.KEY)
    code = (finding.path or "").removeprefix(f"{quotas.KEY}.")
    place = places.get((*block, code), places.get(block))
    return replace(finding, file=str(file), line=place.line, column=place.column) if place else finding


def _described_cloud(project: Project, stack: str, config: Config) -> str:
    """The cloud of a stack's description, judged.

    The description may also come from the project's defaults, or be written as text; then its findings have no lines.
    """
    text = config.values.get(_DESCRIPTION)
    if text is None or _DESCRIPTION in config.objects:
        return spec.load(as_typed(project.stack_file(stack))).cloud.provider
    return spec.parse(_object(text)).cloud.provider


def _object(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        message = f"`{_DESCRIPTION}` in the configuration holds no description."
        hint = "It takes an object with `environment`, `cloud` and the rest."
        raise InvalidDescription(
            [Finding(code=Code.NO_DESCRIPTION, severity=Severity.ERROR, source=Source.SPEC, message=message, hint=hint)]
        )
    return found
