"""A client of the protocol: what a coding assistant gets, and what it does not."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from penstock.app.warm_up import warm_up
from penstock.cli.mcp import run_command
from penstock.mcp_server.server import create_server
from penstock.simulate.warm import WarmProcess

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning"),  # the command forks before it has threads
]

PENSTOCK = Path(sys.executable).with_name("penstock")
PROGRAM = """\
import pulumi
from pulumi_aws import ebs

print("the program prints")
size = int(pulumi.Config("data").require("size"))
zone = pulumi.Config("data").require("zone")
ebs.Volume("archive", availability_zone=zone, size=size, encrypted=True)
pulumi.export("token", pulumi.Config("data").require_secret("token"))
"""
PROJECT = """\
name: acme
runtime: python
config:
  data:token: {value: s3cr3t-of-acme, secret: true}
"""
STACK = "config: {{'data:size': '{size}', 'data:zone': {zone}}}\n"
MOST_CHARACTERS = 30_000
"""The most of an answer, its text and its data together."""

Work = Callable[[Client], Awaitable[None]]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a project of one program and two stacks, the current folder."""
    folder = tmp_path / "acme"
    folder.mkdir()
    (folder / "Pulumi.yaml").write_text(PROJECT)
    (folder / "Pulumi.dev.yaml").write_text(STACK.format(size=8, zone="us-east-1a"))
    (folder / "Pulumi.bad.yaml").write_text(STACK.format(size=0, zone="us-east-1a"))
    (folder / "__main__.py").write_text(PROGRAM)
    for command in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-qm", "acme"]):
        identity = ["-c", "user.name=A", "-c", "user.email=a@example.com"]
        subprocess.run(["git", *identity, *command], cwd=folder, check=True)
    monkeypatch.chdir(folder)
    return folder


def with_a_client(work: Work) -> None:
    """Let a client work with a server of the current folder, in this process."""

    async def run() -> None:
        async with Client(create_server(warm, Path.cwd())) as client:
            await work(client)

    warm = WarmProcess(run_command, warm_up)
    try:
        asyncio.run(run())
    finally:
        warm.close()


async def answer(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """The data that a tool answers with."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    assert len(result.model_dump_json()) < MOST_CHARACTERS
    found: dict[str, Any] | None = result.structured_content
    assert found is not None
    return found


async def error(client: Client, tool: str, **arguments: Any) -> str:
    """The text of the error that a tool answers with."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error, result.structured_content
    (content,) = result.content
    assert content.type == "text"
    assert "Traceback" not in content.text
    return content.text


@pytest.mark.usefixtures("project")
def test_every_tool_only_reads_and_describes_what_it_answers() -> None:
    async def work(client: Client) -> None:
        for tool in (await client.list_tools()).tools:
            assert tool.annotations is not None
            assert tool.annotations.read_only_hint
            assert not tool.annotations.open_world_hint
            assert tool.output_schema is not None
            assert tool.description

    with_a_client(work)


def test_a_stack_is_rehearsed_again_after_an_edit(project: Path) -> None:
    async def work(client: Client) -> None:
        clean = await answer(client, "rehearse", stack="dev")
        (project / "Pulumi.dev.yaml").write_text(STACK.format(size=0, zone="us-east-1a"))
        wrong = await answer(client, "rehearse", stack="dev")

        assert (clean["ok"], clean["findings"], clean["resources"]) == (True, [], 1)
        assert clean["resources_by_type"] == {"aws:ebs/volume:Volume": 1}
        assert clean["monthly_usd"] > 0
        (finding,) = wrong["findings"]
        assert (wrong["ok"], finding["code"], finding["file"], finding["line"]) == (
            False,
            "aws-ebs-size-range",
            "__main__.py",
            7,
        )
        assert finding["fix"]

    with_a_client(work)


def test_a_change_is_compared_with_a_revision(project: Path) -> None:
    async def work(client: Client) -> None:
        (project / "Pulumi.dev.yaml").write_text(STACK.format(size=8, zone="us-east-1b"))

        found = await answer(client, "diff", stack="dev", base="main")

        assert found["replaced"] == ["archive (Volume)"]
        assert found["data_lost"] == ["archive (Volume)"]
        assert found["totals"] == {"created": 0, "updated": 0, "replaced": 1, "deleted": 0, "data_lost": 1}
        assert found["old_usd"] == found["new_usd"]
        assert "no revision" in await error(client, "diff", stack="dev", base="nowhere")
        for base in ("--output=/tmp/x", "main; rm -rf .", ""):
            assert "is not a revision" in await error(client, "diff", stack="dev", base=base)

    with_a_client(work)


def test_a_change_is_reviewed_in_every_stack_that_it_touches(project: Path) -> None:
    async def work(client: Client) -> None:
        (project / "Pulumi.dev.yaml").write_text(STACK.format(size=0, zone="us-east-1a"))
        (project / "Pulumi.new.yaml").write_text(STACK.format(size=8, zone="us-east-1b"))

        found = await answer(client, "review", base="main")
        dev, new = found["stacks"]
        page = await answer(client, "details", report=new["report"], section="changes.created")

        assert (found["ok"], found["affected"], found["total"]) == (False, 2, 3)
        assert (dev["stack"], dev["change"], dev["ok"]) == ("dev", "changed", False)
        assert "aws-ebs-size-range" in [each["code"] for each in dev["findings"]]
        assert (new["stack"], new["change"], new["because"]) == ("new", "new", ["Pulumi.new.yaml"])
        assert [each["name"] for each in page["items"]] == ["archive"]
        assert await error(client, "review", base="nowhere")
        assert "is not a revision" in await error(client, "review", base="--help")

    with_a_client(work)


@pytest.mark.usefixtures("project")
def test_a_cost_a_size_and_an_explanation_are_summaries() -> None:
    async def work(client: Client) -> None:
        cost = await answer(client, "cost", stack="dev", by="type")
        size = await answer(client, "size", parameters="7B", task="lora", options={"tokens": "1B"})
        explained = await answer(client, "explain", code="aws-ebs-encrypted")

        assert [group["name"] for group in cost["groups"]] == ["aws:ebs/volume:Volume"]
        assert size["choices"][0]["accelerators"] >= 1
        assert explained["explanation"]["title"] == "A volume is encrypted."
        assert "Did you mean tokens?" in await error(client, "size", parameters="7B", options={"toks": "1B"})
        assert "Did you mean aws-ebs-encrypted?" in await error(client, "explain", code="aws-ebs-encryptd")

    with_a_client(work)


def test_lists_of_a_report_are_read_a_page_at_a_time(project: Path) -> None:
    (project / "__main__.py").write_text(
        "from pulumi_aws import sns\nfor number in range(45): sns.Topic(f'topic-{number}')\n"
    )

    async def work(client: Client) -> None:
        report = await answer(client, "rehearse", stack="dev")
        offset: int | None = 0
        names = []
        while offset is not None:
            page = await answer(
                client, "details", report=report["report"], section="resources", contains="sns/topic", offset=offset
            )
            names += [each["name"] for each in page["items"]]
            offset = page["next_offset"]

        assert sorted(names) == sorted(f"topic-{number}" for number in range(45))
        assert "Its lists: resources" in await error(client, "details", report=report["report"], section="nothing")
        assert "there is no report" in await error(client, "details", report="rehearse . prod", section="resources")

    with_a_client(work)


@pytest.mark.usefixtures("project")
def test_fields_pages_and_stacks_are_found_without_a_run() -> None:
    async def work(client: Client) -> None:
        nodes = await answer(client, "schema", path="node_pools[].nodes")
        found = await answer(client, "search_docs", query="waive a policy until a date")
        code = await answer(client, "search_docs", query="DIFF-001")
        stacks = await answer(client, "list_stacks")

        assert {field["name"] for field in nodes["fields"]} == {"min", "max"}
        assert "guides/policies.md" in [hit["page"] for hit in found["hits"]]
        assert code["hits"][0]["title"] == "DIFF-001"
        assert [stack["stack"] for stack in stacks["stacks"]] == ["bad", "dev"]
        assert "Did you mean node_pools?" in await error(client, "schema", path="node_pool")

    with_a_client(work)


def test_nothing_outside_of_the_folder_is_read(project: Path, tmp_path: Path) -> None:
    outside = tmp_path / "other"
    outside.mkdir()
    (outside / "Pulumi.yaml").write_text("name: other\nruntime: python\n")
    (outside / "Pulumi.dev.yaml").write_text("config: {}\n")
    (outside / "__main__.py").write_text(f"open({str(outside / 'ran')!r}, 'w')\n")
    (project / "link").symlink_to(outside)
    (project / "Pulumi.linked.yaml").symlink_to(outside / "Pulumi.dev.yaml")
    (project / "main").mkdir()
    (project / "main" / "Pulumi.yaml").write_text("name: inner\nruntime: python\nmain: ../../other\n")
    (project / "main" / "Pulumi.dev.yaml").write_text("config: {}\n")

    async def work(client: Client) -> None:
        for folder in ("../other", str(outside), "link", "/", "nowhere", "a\0b"):
            assert await error(client, "rehearse", stack="dev", folder=folder)
            assert await error(client, "list_stacks", folder=folder)
        for stack in ("../other/dev", "linked", "/etc/passwd", "--help"):
            assert await error(client, "rehearse", stack=stack)
        assert "Pulumi.linked.yaml of project acme is outside" in await error(client, "list_stacks")
        assert "outside of the folder" in await error(client, "rehearse", stack="dev", folder="main")

    with_a_client(work)
    assert not (outside / "ran").exists()


def test_a_project_above_the_folder_is_not_used(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "inner").mkdir()
    monkeypatch.chdir(project / "inner")

    async def work(client: Client) -> None:
        assert "outside of the folder" in await error(client, "rehearse", stack="dev")
        assert "outside of the folder" in await error(client, "list_stacks")

    with_a_client(work)


def test_bad_input_is_an_error_with_its_place(project: Path) -> None:
    (project / "Pulumi.typo.yaml").write_text(
        "config:\n  penstock:platform:\n    environment: dev\n    cloud: {provider: aws, region: us-est-1}\n"
    )

    async def work(client: Client) -> None:
        assert "Its stacks: bad, dev, typo" in await error(client, "rehearse", stack="prod")
        assert "Pulumi.typo.yaml:4" in await error(client, "rehearse", stack="typo")
        assert "kind of fault" in await error(client, "rehearse", stack="dev", faults=["nothing:*"])
        (project / "__main__.py").write_text("import os\nos._exit(7)\n")
        assert "ended the whole process" in await error(client, "rehearse", stack="dev")
        (project / "__main__.py").write_text("raise ValueError('no')\n")
        assert "ValueError: no" in await error(client, "rehearse", stack="dev")
        (project / "__main__.py").write_text(PROGRAM)
        assert (await answer(client, "rehearse", stack="dev"))["ok"]

    with_a_client(work)


def test_the_command_speaks_nothing_but_the_protocol_and_shows_no_secret(project: Path) -> None:
    async def work() -> str:
        parameters = StdioServerParameters(command=str(PENSTOCK), args=["mcp"], cwd=project)
        async with Client(stdio_client(parameters)) as client:
            report = await client.call_tool("rehearse", {"stack": "dev"})
            name = (report.structured_content or {})["report"]
            page = await client.call_tool("details", {"report": name, "section": "resources"})
            return report.model_dump_json() + page.model_dump_json()

    said = asyncio.run(work())

    assert "[secret]" in said
    assert "s3cr3t" not in said

    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
    }
    call = {
        "jsonrpc": "2.0",
        "id": 2,
        "method": "tools/call",
        "params": {"name": "explain", "arguments": {"code": "INTERNAL"}},
    }
    begun = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    with subprocess.Popen(
        [PENSTOCK, "mcp"],
        cwd=project,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        for message in (hello, begun, call):
            server.stdin.write(json.dumps(message) + "\n")
            server.stdin.flush()
        ids = [json.loads(server.stdout.readline())["id"] for _ in range(2)]
        server.stdin.close()
        assert server.stdout.read() == ""
    assert (ids, server.returncode) == ([1, 2], 0)


def test_a_folder_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    run = subprocess.run(
        [PENSTOCK, "mcp", "nowhere"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )

    assert (run.returncode, run.stdout) == (2, "")
    assert "nowhere is not a folder" in run.stderr
