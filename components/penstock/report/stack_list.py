"""The stacks of a project as their descriptions have them: cloud, region, pools, and accelerators at most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field

from rich.table import Table

from penstock.core.wording import plural
from penstock.report.json import text_of
from penstock.report.terminal import harmless_text, table_of


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


def table(stacks: Sequence[ListedStack]) -> Table:
    """Return the stacks for people to read."""
    found = table_of("Stack", "Cloud", "Region", "Environment", "Pools", "Accelerators at most")
    for each in stacks:
        most = ", ".join(f"{count:,} {kind}" for kind, count in each.accelerators.items())
        wrong = f"its description has {plural(each.problems, 'problem')}" if each.problems else ""
        cells = (each.cloud, each.region, each.environment, ", ".join(each.pools), most or wrong)
        found.add_row(*map(harmless_text, (each.stack, *(cell or "" for cell in cells))))
    return found


def render_json(stacks: Sequence[ListedStack]) -> str:
    """Return the stacks as JSON."""
    return text_of({"stacks": [asdict(each) for each in stacks]})
