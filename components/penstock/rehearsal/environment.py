"""An environment: one stack of a project, judged and ready to be rehearsed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pulumi import ConfigMissingError

from penstock import spec
from penstock.errors import ProgramFailed
from penstock.rehearsal.project import Config, Project, as_typed, config_of, locate
from penstock.rehearsal.run import Rehearsal, program_at, rehearse

_DESCRIPTION = "penstock:platform"


@dataclass(frozen=True, slots=True)
class Environment:
    """A stack, and the cloud that its description names; None where the program has no description of ours."""

    stack: str
    cloud: str | None
    project: Project
    config: Config

    def rehearse(self, *, preview: bool = False, progress: Callable[[str], None] | None = None) -> Rehearsal:
        """Run the stack's program without a cloud; `preview` and `progress` as in `run.rehearse`.

        Raises:
            ProgramFailed: the program raised; the text tells where.
            InvalidDescription: the program asked for a description, and the stack file has none.
        """
        try:
            return rehearse(
                program_at(self.project.program),
                project=self.project.name,
                stack=self.stack,
                config=self.config.values,
                secret_keys=self.config.secret_keys,
                root=self.project.root,
                preview=preview,
                progress=progress,
            )
        except ProgramFailed as failed:
            if isinstance(failed.__cause__, ConfigMissingError) and failed.__cause__.key == _DESCRIPTION:
                _described_cloud(self.project, self.stack)
            raise


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
        cloud = _described_cloud(project, name)
    return Environment(name, cloud, project, config)


def _described_cloud(project: Project, stack: str) -> str:
    """The cloud of a stack's description, judged."""
    return spec.load(as_typed(project.stack_file(stack))).cloud.provider
