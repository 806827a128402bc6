"""The stacks of a project as their descriptions have them: cloud, region, pools, and accelerators at most."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from rich.table import Table

from penstock.core.errors import InvalidDescription, NotAProject
from penstock.core.wording import plural
from penstock.description import document, load
from penstock.description.platform import Spec
from penstock.description.rules import known
from penstock.report.json import text_of
from penstock.report.terminal import harmless_text
from penstock.simulate.project import PulumiProject, as_typed, config_of, project_at


@dataclass(frozen=True, slots=True)
class ListedStack:
    """A stack by its description; one without a description has the name of its file alone.

    `pools` are the names of the node pools, `accelerators` the most of each kind that all pools together can grow to;
    `problems` counts what is wrong with the description, of which nothing else is read then.
    """

    stack: str
    file: str
    cloud: str | None = None
    region: str | None = None
    environment: str | None = None
    pools: Sequence[str] = ()
    accelerators: Mapping[str, int] = field(default_factory=dict)
    problems: int = 0


def listed_stacks(folder: str) -> Sequence[ListedStack]:
    """Return the stacks of the project that a folder belongs to, in the order of their names.

    Raises:
        NotAProject: there is no project, or no such folder.
    """
    if not Path(folder).is_dir():
        raise NotAProject(f"{folder} is no folder: name that of a project")
    project = project_at(Path(folder))
    return [_listed(project, stack) for stack in project.stacks()]


def table(stacks: Sequence[ListedStack]) -> Table:
    """Return the stacks for people to read."""
    found = Table(box=None, pad_edge=False, header_style="bold")
    for head in ("Stack", "Cloud", "Region", "Environment", "Pools", "Accelerators at most"):
        found.add_column(head, no_wrap=head == "Stack")
    for each in stacks:
        most = ", ".join(f"{count:,} {kind}" for kind, count in each.accelerators.items())
        wrong = f"its description has {plural(each.problems, 'problem')}" if each.problems else ""
        cells = (each.cloud, each.region, each.environment, ", ".join(each.pools), most or wrong)
        found.add_row(*map(harmless_text, (each.stack, *(cell or "" for cell in cells))))
    return found


def render_json(stacks: Sequence[ListedStack]) -> str:
    """Return the stacks as JSON."""
    return text_of({"stacks": [asdict(each) for each in stacks]})


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
