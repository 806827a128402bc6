"""A client of the protocol, over pipes: what an editor gets while a person types, saves and asks."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient
from tests.editor.stackfiles import ROOT, TRAIN

pytestmark = pytest.mark.slow

PENSTOCK = Path(sys.executable).with_name("penstock")


class Editor:
    """An editor with one open stack file."""

    def __init__(self, client: LanguageClient, file: Path) -> None:
        self.client, self.file = client, file
        self.published: asyncio.Queue[list[lsp.Diagnostic]] = asyncio.Queue()
        self.version = 1

        def published(params: lsp.PublishDiagnosticsParams) -> None:
            self.published.put_nowait(list(params.diagnostics))

        client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(published)

    @property
    def document(self) -> lsp.TextDocumentIdentifier:
        return lsp.TextDocumentIdentifier(self.file.as_uri())

    async def open(self) -> list[lsp.Diagnostic]:
        text = self.file.read_text(encoding="utf-8")
        item = lsp.TextDocumentItem(self.document.uri, "yaml", self.version, text)
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
        return await self.published.get()

    async def type(self, text: str) -> list[lsp.Diagnostic]:
        self.version += 1
        versioned = lsp.VersionedTextDocumentIdentifier(self.version, self.document.uri)
        whole = lsp.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(versioned, [whole]))
        return await self.published.get()

    async def save(self, text: str) -> list[lsp.Diagnostic]:
        self.file.write_text(text, encoding="utf-8")
        await self.type(text)
        self.client.text_document_did_save(lsp.DidSaveTextDocumentParams(self.document))
        return await self.published.get()


def with_an_editor(tmp_path: Path, work: Callable[[Editor], Awaitable[None]]) -> None:
    """Open a stack of a copy of the project, do the work, and end the server as an editor does."""
    shutil.copy(ROOT / "Pulumi.yaml", tmp_path)
    (tmp_path / "stacks").mkdir()
    shutil.copy(ROOT / "stacks" / "__main__.py", tmp_path / "stacks")
    (tmp_path / ".venv").symlink_to(sys.prefix)
    file = tmp_path / "stacks" / "Pulumi.train.yaml"
    file.write_text(TRAIN, encoding="utf-8")

    async def run() -> None:
        client = LanguageClient("tests", "1")
        editor = Editor(client, file)
        await client.start_io(str(PENSTOCK), "language-server", cwd=tmp_path)
        asked = lsp.InitializeParams(capabilities=lsp.ClientCapabilities(), root_uri=tmp_path.as_uri())
        await client.initialize_async(asked)
        client.initialized(lsp.InitializedParams())
        try:
            await work(editor)
        finally:
            await client.shutdown_async(None)
            client.exit(None)
            await client.stop()  # type: ignore[no-untyped-call]

    asyncio.run(run())


def position(text: str, before: str) -> lsp.Position:
    """The place behind the first occurrence of a text."""
    start = text[: text.index(before) + len(before)]
    return lsp.Position(start.count("\n"), len(start.rpartition("\n")[2]))


def test_a_mistake_is_shown_where_it_is_while_it_is_typed_with_its_fix(tmp_path: Path) -> None:
    async def work(editor: Editor) -> None:
        assert await editor.open() == []
        wrong = TRAIN.replace("accelerator: h100", "accelerator: h1000")
        (found,) = await editor.type(wrong)

        assert found.code == "SPEC-061"
        assert "Did you mean h100?" in found.message
        assert found.range == lsp.Range(lsp.Position(9, 35), lsp.Position(9, 40))
        context = lsp.CodeActionContext([found])
        actions = await editor.client.text_document_code_action_async(
            lsp.CodeActionParams(editor.document, found.range, context)
        )
        assert actions
        assert isinstance(actions[0], lsp.CodeAction)
        assert actions[0].is_preferred
        assert actions[0].edit is not None
        assert list((actions[0].edit.changes or {})[editor.document.uri]) == [lsp.TextEdit(found.range, "h100")]

        assert {each.code for each in await editor.type(wrong[:200])}  # half of a file
        assert await editor.type(TRAIN) == []

    with_an_editor(tmp_path, work)


def test_what_a_rehearsal_finds_is_shown_after_a_save_and_costs_at_the_cursor(tmp_path: Path) -> None:
    async def work(editor: Editor) -> None:
        assert await editor.open() == []
        assert await editor.published.get() == []  # what the rehearsal found
        hover = await editor.client.text_document_hover_async(
            lsp.HoverParams(editor.document, position(TRAIN, "name: train"))
        )
        assert hover is not None
        assert isinstance(hover.contents, lsp.MarkupContent)
        assert "p5.48xlarge" in hover.contents.value
        assert "USD a month" in hover.contents.value

        dear = TRAIN.replace("monthly_usd: 900000", "monthly_usd: 9000")
        (found,) = await editor.save(dear)
        assert found.code == "BUDGET-001"
        assert found.range.start.line == dear[: dear.index("monthly_usd")].count("\n")
        (moved,) = await editor.type(f"# one more line\n{dear}")
        assert moved.range.start.line == found.range.start.line + 1

    with_an_editor(tmp_path, work)


def test_what_a_cursor_may_take_is_offered(tmp_path: Path) -> None:
    async def work(editor: Editor) -> None:
        await editor.open()
        text = TRAIN.replace("accelerator: h100", "accelerator: ")
        await editor.type(text)
        found = await editor.client.text_document_completion_async(
            lsp.CompletionParams(editor.document, position(text, "accelerator: "))
        )

        assert isinstance(found, lsp.CompletionList)
        assert {"h100", "a100"} <= {item.label for item in found.items}

    with_an_editor(tmp_path, work)


@pytest.mark.parametrize(("methods", "status"), [(("shutdown", "exit"), 0), (("exit",), 1)])
def test_the_server_ends_as_the_protocol_demands(tmp_path: Path, methods: tuple[str, ...], status: int) -> None:
    asked = [{"id": 1, "method": "initialize", "params": {"capabilities": {}}}]
    asked += [{"method": method} if method == "exit" else {"id": 2, "method": method} for method in methods]
    written = b""
    for each in asked:
        body = json.dumps({"jsonrpc": "2.0", **each}).encode()
        written += b"Content-Length: %d\r\n\r\n%s" % (len(body), body)

    ended = subprocess.run(
        [PENSTOCK, "language-server"], input=written, capture_output=True, cwd=tmp_path, timeout=60, check=False
    )

    assert b"Traceback" not in ended.stderr
    assert ended.returncode == status
