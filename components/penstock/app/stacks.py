"""The stacks of a project, by their descriptions: nothing is rehearsed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from penstock.core.errors import InvalidDescription, NotAProject
from penstock.description import document, load
from penstock.description.platform import Spec
from penstock.description.rules import known
from penstock.report.stack_list import ListedStack
from penstock.simulate.project import PulumiProject, as_typed, config_of, project_at


def listed_stacks(folder: str) -> Sequence[ListedStack]:
    """Return the stacks of the project that a folder belongs to, in the order of their names.

    Raises:
        NotAProject: there is no project, or no such folder.
    """
    if not Path(folder).is_dir():
        raise NotAProject(f"{folder} is no folder: name that of a project")
    project = project_at(Path(folder))
    return [_listed(project, stack) for stack in project.stacks()]


def _listed(project: PulumiProject, stack: str) -> ListedStack:
    file = as_typed(project.stack_file(stack))
    try:
        if document.KEY not in config_of(project, stack).objects:
            return ListedStack(stack, str(file))
        spec = load(file)
    except InvalidDescription as invalid:
        return ListedStack(stack, str(file), problems=len(invalid.findings))
    return ListedStack(
        stack,
        str(file),
        cloud=spec.cloud.provider,
        region=spec.cloud.region,
        environment=spec.environment,
        pools=[pool.name for pool in spec.node_pools],
        accelerators=dict(_most_accelerators(spec).most_common()),
    )


def _most_accelerators(spec: Spec) -> Counter[str]:
    most: Counter[str] = Counter()
    for pool in spec.node_pools:
        machine = known.machine(pool, spec)
        accelerator, count = (
            (pool.accelerator, pool.count or 1) if machine is None else (machine.accelerator, machine.accelerators)
        )
        if accelerator:
            most[accelerator] += count * pool.nodes.max
    return most
