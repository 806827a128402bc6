"""The tools of the server: each calls a command, or looks something up, and answers with a summary."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations
from pydantic import BaseModel, Field

from penstock import __version__
from penstock.app.stacks import listed_stacks
from penstock.core.errors import PenstockError
from penstock.core.wording import did_you_mean, quoted
from penstock.mcp_server import documents, results
from penstock.mcp_server.fields import SchemaFields, schema_fields
from penstock.mcp_server.folder import ServedFolder, revision
from penstock.mcp_server.runs import CommandRuns, RefusedRun
from penstock.report.stack_list import ListedStack
from penstock.simulate.warm import WarmProcess

_INSTRUCTIONS: Final = """\
Penstock describes AI infrastructure in Pulumi stack files (Pulumi.NAME.yaml, below penstock:platform) and rehearses \
`pulumi up` without a cloud. All tools read only: nothing is created, changed or charged.
Begin with list_stacks. Call rehearse after each edit of a stack file or program, and review with the base branch \
before you finish. Use schema before you write a field, explain for the code of a finding, and details for a list \
that a summary cuts."""

_READS: Final = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
_MOST_REPORTS: Final = 32
_MOST_ITEMS: Final = 20
_MOST_CHARACTERS: Final = 12_000
_MOST_HITS: Final = 8

Stack = Annotated[str | None, Field(description="The stack; may be left out if the project has only one.")]
Folder = Annotated[str, Field(description="The folder of the project, relative to the folder of the server.")]


class StackList(BaseModel):
    """The stacks of a project."""

    stacks: list[ListedStack]


class CodeExplanation(BaseModel):
    """What is known of a code: title, reason, fix, and sources."""

    explanation: dict[str, Any]


class DetailPage(BaseModel):
    """A part of a list in a report; `penstock schema --report` has the form of the items."""

    report: str
    section: str
    total: int
    offset: int
    next_offset: int | None = Field(description="Where the next page begins; None after the last.")
    items: list[Any]


class SearchHit(BaseModel):
    """A section of the documentation."""

    title: str
    section: str
    page: str
    excerpt: str


class SearchResult(BaseModel):
    """The sections that match best, the best first."""

    hits: list[SearchHit]


class _Reports:
    """The last reports, by their names: what `details` reads."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, results.Report] = OrderedDict()

    def keep(self, name: str, report: results.Report) -> str:
        self._kept.pop(name, None)
        self._kept[name] = report
        if len(self._kept) > _MOST_REPORTS:
            self._kept.popitem(last=False)
        return name

    def section(self, name: str, section: str) -> list[Any]:
        report = self._kept.get(name)
        if report is None:
            kept = ", ".join(self._kept) or "none yet"
            raise ToolError(f"there is no report {quoted(name)}. {did_you_mean(name, [*self._kept])} Kept: {kept}.")
        lists = dict(results.lists_in(report))
        if section not in lists:
            raise ToolError(f"{name} has no list {quoted(section)}. Its lists: {', '.join(lists)}.")
        return lists[section]


def create_server(warm: WarmProcess, root: Path) -> MCPServer:
    """Return a server for the projects in a folder, the current one; `warm` runs its commands."""
    server = MCPServer(
        "penstock", title="Penstock", instructions=_INSTRUCTIONS, version=__version__, log_level="WARNING"
    )
    folder, runs, reports = ServedFolder(root), CommandRuns(warm), _Reports()
    _add_runs(server, folder, runs, reports)
    _add_look_ups(server, folder, runs, reports)
    return server


def _add_runs(server: MCPServer, served: ServedFolder, runs: CommandRuns, reports: _Reports) -> None:
    @_tool(server, "Rehearse a stack")
    async def rehearse(
        stack: Stack = None,
        folder: Folder = ".",
        faults: Annotated[list[str] | None, Field(description="Faults to inject: no_capacity:*-train.")] = None,
        preview: Annotated[bool, Field(description="Leave computed values unknown, as a preview does.")] = False,  # noqa: FBT002
    ) -> results.RehearsalSummary:
        """Run the whole `pulumi up` of a stack against simulated clouds: findings, resources, cost and time."""
        where, name = served.stack(folder, stack)
        report = await runs.run_stack("rehearse", where, name, faults=faults or None, unknown=preview)
        return results.rehearsal_summary(reports.keep(f"rehearse {where} {name}", report), report)

    @_tool(server, "Compare a stack with a revision")
    async def diff(
        base: Annotated[str, Field(description="A branch, tag or commit in git, such as origin/main.")],
        stack: Stack = None,
        folder: Folder = ".",
    ) -> results.ChangesSummary:
        """Show what a stack changes from a revision: resources, data that is lost, machines, and cost."""
        where, name = served.stack(folder, stack)
        report = await runs.run_stack("diff", where, name, base=revision(base))
        return results.changes_summary(reports.keep(f"diff {where} {name}", report), report, base)

    @_tool(server, "Review a change")
    async def review(
        base: Annotated[str, Field(description="The branch, tag or commit that the change goes to: origin/main.")],
        folder: Folder = ".",
    ) -> results.ReviewSummary:
        """Review what a change in git does to every stack that it touches: changes, lost data, cost and findings."""
        where = served.project(folder)
        report = await runs.run("review", env=where, base=revision(base))
        names = {
            each["environment"]: reports.keep(f"review {where} {each['environment']}", each)
            for each in report["environments"]
        }
        return results.review_summary(report, base, names)

    @_tool(server, "Price a stack")
    async def cost(
        stack: Stack = None,
        folder: Folder = ".",
        by: Annotated[Literal["component", "pool", "resource", "type"], Field(description="The groups.")] = "component",
    ) -> results.CostSummary:
        """Show what a month of a stack costs, in groups, with bounds and what the sum leaves out."""
        where, name = served.stack(folder, stack)
        report = await runs.run_stack("cost", where, name, by=by)
        return results.cost_summary(reports.keep(f"cost {where} {name}", report), report)

    @_tool(server, "Size machines for a model")
    async def size(
        parameters: Annotated[str, Field(description="Parameters of the model: 70B.")],
        task: Literal["train", "finetune", "lora", "serve"] = "train",
        options: Annotated[
            dict[str, str] | None,
            Field(
                description="Other options of `penstock size`, by name: tokens, sequence, precision, deadline, cloud, "
                "region, accelerator, accelerators, machine_type, requests_per_second, input_tokens, output_tokens."
            ),
        ] = None,
    ) -> results.SizeSummary:
        """Show which machines a model needs, how many, how long, and the cost: training, fine-tuning, serving."""
        asked = {"parameters": parameters, "task": task, **(options or {})}
        report = await runs.run("size", options=asked)
        return results.size_summary(reports.keep("size", report), report)


def _add_look_ups(server: MCPServer, served: ServedFolder, runs: CommandRuns, reports: _Reports) -> None:
    @_tool(server, "List stacks")
    async def list_stacks(folder: Folder = ".") -> StackList:
        """List the stacks of a project: cloud, region, pools and accelerators. Nothing is run."""
        return StackList(stacks=list(listed_stacks(served.project(folder))))

    @_tool(server, "Read a list of a report")
    async def details(
        report: Annotated[str, Field(description="The name of a report, from a summary.")],
        section: Annotated[str, Field(description="One of the sections in the summary, such as resources.")],
        offset: Annotated[int, Field(ge=0)] = 0,
        contains: Annotated[str, Field(description="Only items with this text.")] = "",
    ) -> DetailPage:
        """Return items of a list in the last report of its kind, a page at a time."""
        items = [each for each in reports.section(report, section) if contains in json.dumps(each, ensure_ascii=False)]
        return _page(report, section, items, offset)

    @_tool(server, "Explain a code")
    async def explain(
        code: Annotated[str, Field(description="The code of a finding, or the id of a rule: aws-ebs-encrypted.")],
    ) -> CodeExplanation:
        """Explain the code of a finding: what must hold, why, how to fix it, and the sources."""
        return CodeExplanation(explanation=dict(await runs.run("explain", code=code)))

    @_tool(server, "Look up fields of a stack file")
    async def schema(
        path: Annotated[str, Field(description="A path below penstock:platform: node_pools, node_pools[].nodes.")] = "",
    ) -> SchemaFields:
        """Return the fields that a stack file may have at a path, with types, allowed words and meaning."""
        return schema_fields(path)

    @_tool(server, "Search the documentation")
    async def search_docs(query: Annotated[str, Field(max_length=400)]) -> SearchResult:
        """Search guides, concepts, codes, provider rules and policies; returns sections with excerpts."""
        hits = documents.search(query, _MOST_HITS)
        return SearchResult(
            hits=[
                SearchHit(
                    title=each.section.title, section=each.section.section, page=each.section.page, excerpt=each.excerpt
                )
                for each in hits
            ]
        )


def _page(report: str, section: str, items: list[Any], offset: int) -> DetailPage:
    page: list[Any] = []
    size = 0
    for item in items[offset : offset + _MOST_ITEMS]:
        size += len(json.dumps(item))
        if page and size > _MOST_CHARACTERS:
            break
        page.append(item if size <= _MOST_CHARACTERS else json.dumps(item)[:_MOST_CHARACTERS])
    end = offset + len(page)
    return DetailPage(
        report=report,
        section=section,
        total=len(items),
        offset=offset,
        next_offset=end if end < len(items) else None,
        items=page,
    )


def _tool(server: MCPServer, title: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add a function as a tool: its errors that a person can fix are those of the tool, with their text."""

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        async def tool(**arguments: Any) -> Any:
            try:
                return await function(**arguments)
            except RefusedRun as refused:
                raise ToolError(results.error_text(refused.findings)) from None
            except PenstockError as error:
                raise ToolError(str(error)) from None

        server.tool(title=title, annotations=_READS, structured_output=True)(tool)
        return tool

    return add
