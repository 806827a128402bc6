"""The description of a stack by itself: read from its file, or rehearsed as a platform without the stack's program."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from penstock.description import Spec, load
from penstock.simulate.project import locate

if TYPE_CHECKING:
    from penstock.rules.settings import Settings
    from penstock.simulate.run import Rehearsal


def description_at(target: str, stack: str | None) -> Spec:
    """Return the description in the file of a stack.

    Raises:
        NotAProject: there is no such stack.
        InvalidDescription: its file has no description, or a wrong one.
    """
    project, name = locate(target, stack)
    return load(project.stack_file(name))


def rehearse_platform(
    description: Spec,
    *,
    project: str = "project",
    stack: str = "stack",
    config: Mapping[str, str] | None = None,
    settings: Settings | None = None,
    preview: bool = False,
) -> Rehearsal:
    """Rehearse the platform of a description; the arguments are those of `penstock.simulate.run.rehearse`."""
    from penstock.platform import Platform
    from penstock.simulate.run import rehearse

    return rehearse(
        lambda: Platform(description), project=project, stack=stack, config=config, settings=settings, preview=preview
    )
