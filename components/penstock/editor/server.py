"""The language server: what the protocol asks of the other modules, and when."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from penstock import __version__
from penstock.core.errors import NotAProject, PenstockError
from penstock.core.findings import Finding, Severity, Source
from penstock.description.codes import Code
from penstock.description.platform import Spec
from penstock.editor.completion import proposals
from penstock.editor.diagnosis import description_of, moved
from penstock.editor.fixes import fixes_for
from penstock.editor.hover import hover_text
from penstock.editor.stack_text import TextSpan, span_of_key, span_of_value
from penstock.report.stack_verdict import StackVerdict, verdict_from
from penstock.simulate.project import locate
from penstock.simulate.warm import FinishedRun, WarmProcess

_NAME: Final = "penstock"
_SEVERITIES: Final = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
    Severity.INFO: lsp.DiagnosticSeverity.Information,
}
_TRIGGERS: Final = [":", " ", "{", ",", "[", "-"]


@dataclass
class OpenStack:
    """An open stack file: its text, what is wrong with it, and what the last rehearsal of it found.

    `rehearsed` is the text as it was then; `spec` the last description that had nothing wrong.
    """

    file: str
    text: str
    version: int | None = None
    spec: Spec | None = None
    problems: Sequence[Finding] = ()
    rehearsed: str = ""
    findings: Sequence[Finding] = ()
    costs: dict[int, float] = field(default_factory=dict)

    def read(self, text: str, version: int | None) -> None:
        """Take another text, and find what is wrong with its description."""
        self.text, self.version = text, version
        spec, self.problems = description_of(text, self.file)
        self.spec = spec or self.spec

    def all_findings(self) -> Iterator[Finding]:
        """What is wrong with the description; else what the rehearsal found on lines that have not changed since."""
        yield from self.problems
        if not self.problems:
            yield from moved(self.findings, self.rehearsed, self.text)


class StackServer(LanguageServer):
    """Serves stack files: a rehearsal runs in another process after each save, the last one that is asked for.

    `is_to_end` is true once the editor has asked for a shutdown, as it must before it ends the server.
    """

    def __init__(self, warm: WarmProcess) -> None:
        super().__init__(_NAME, __version__, text_document_sync_kind=lsp.TextDocumentSyncKind.Full)
        self.warm = warm
        self.stacks: dict[str, OpenStack] = {}
        self.is_to_end = False
        self._running: tuple[int, str, str] | None = None

    def opened(self, uri: str, text: str, version: int | None) -> None:
        """Take a file that was opened, and rehearse it."""
        self.stacks[uri] = OpenStack(to_fs_path(uri) or uri, text)
        self.changed(uri, text, version)
        self.saved(uri)

    def changed(self, uri: str, text: str, version: int | None) -> None:
        """Take another text of an open file, and publish what is wrong with it."""
        if uri in self.stacks:
            self.stacks[uri].read(text, version)
            self.publish(uri)

    def saved(self, uri: str) -> None:
        """Rehearse the stack of an open file; a rehearsal that runs is given up."""
        stack = self.stacks.get(uri)
        if stack is None or not Path(stack.file).is_file():
            return
        try:
            project, name = locate(stack.file)
        except NotAProject:
            return  # the description is judged all the same
        if self._running is not None:
            self.warm.abandon()
        self._running = (self.warm.begin(str(project.root), name), uri, stack.text)

    def finished(self) -> None:
        """Take the result of a rehearsal, and publish it with what is wrong by now."""
        try:
            run = self.warm.finished()
        except PenstockError as error:
            asyncio.get_running_loop().remove_reader(self.warm.fileno())
            self.window_log_message(lsp.LogMessageParams(lsp.MessageType.Error, str(error)))
            return
        if self._running is None or run.number != self._running[0]:
            return
        _, uri, text = self._running
        self._running = None
        if uri in self.stacks:
            self._take(self.stacks[uri], run, text)
            self.publish(uri)

    def publish(self, uri: str) -> None:
        """Publish the findings on an open file."""
        stack = self.stacks[uri]
        found = [self._diagnostic(each, stack.text) for each in stack.all_findings()]
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, found, stack.version))

    # ------------------------------------------------------------------ answers

    def actions(self, uri: str, asked: lsp.Range) -> Iterator[lsp.CodeAction]:
        """Yield the edits that fix what is wrong with the description on some lines."""
        stack = self.stacks.get(uri)
        for finding in stack.problems if stack is not None else ():
            if stack is None or not asked.start.line <= (finding.line or 0) - 1 <= asked.end.line:
                continue
            diagnostic = self._diagnostic(finding, stack.text)
            for fix in fixes_for(finding, stack.text, stack.file):
                edit = lsp.TextEdit(self._range(fix.span, stack.text), fix.text)
                yield lsp.CodeAction(
                    title=fix.title,
                    kind=lsp.CodeActionKind.QuickFix,
                    diagnostics=[diagnostic],
                    edit=lsp.WorkspaceEdit(changes={uri: [edit]}),
                    is_preferred=fix.is_likely,
                )

    def completions(self, uri: str, position: lsp.Position) -> Iterator[lsp.CompletionItem]:
        """Yield what may be typed at a position."""
        stack = self.stacks.get(uri)
        if stack is None:
            return
        line, character = self._cursor(position, stack.text)
        span, found = proposals(stack.text, line, character)
        if span is None:
            return
        for number, each in enumerate(found):
            text = f"{each.text}: " if each.is_key else each.text
            yield lsp.CompletionItem(
                label=each.text,
                kind=lsp.CompletionItemKind.Property if each.is_key else lsp.CompletionItemKind.EnumMember,
                detail=each.detail or None,
                documentation=each.meaning or None,
                sort_text=f"{number:04}",
                text_edit=lsp.TextEdit(self._range(span, stack.text), text),
            )

    def explanation(self, uri: str, position: lsp.Position) -> lsp.Hover | None:
        """Return what the part of the description at a position means, what follows from it, and its cost."""
        stack = self.stacks.get(uri)
        if stack is None:
            return None
        line, character = self._cursor(position, stack.text)
        found = hover_text(stack.text, stack.file, line, character, spec=stack.spec, costs=stack.costs)
        if found is None:
            return None
        span, text = found
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, text), self._range(span, stack.text))

    def _diagnostic(self, finding: Finding, text: str) -> lsp.Diagnostic:
        line, column = finding.line or 1, finding.column or 1
        is_key = finding.source is not Source.SPEC or finding.code == Code.UNKNOWN_FIELD
        span = None if is_key else span_of_value(text, line, column)
        return lsp.Diagnostic(
            range=self._range(span or span_of_key(text, line, column), text),
            message="\n".join(part for part in (finding.message, finding.hint) if part),
            severity=_SEVERITIES[finding.severity],
            code=finding.code,
            source=_NAME,
        )

    def _range(self, span: TextSpan, text: str) -> lsp.Range:
        """The range of a span in the units of the client, which may count a character as two."""
        found = lsp.Range(lsp.Position(span.line, span.start), lsp.Position(span.line, span.end))
        return self.workspace.position_codec.range_to_client_units(text.splitlines(keepends=True), found)

    def _cursor(self, position: lsp.Position, text: str) -> tuple[int, int]:
        """The line and the character of a position in the client's units."""
        found = self.workspace.position_codec.position_from_client_units(text.splitlines(keepends=True), position)
        return found.line, found.character

    # ------------------------------------------------------------------ rehearsals

    def _take(self, stack: OpenStack, run: FinishedRun, text: str) -> None:
        if run.note is None:
            return
        verdict = verdict_from(run.note.verdict)
        if verdict.is_result and not stack.rehearsed:
            self.warm.prepare(*run.arguments)
        stack.rehearsed = text
        root = Path(run.arguments[0])
        stack.findings = [_in_this_file(each, stack, root) for each in _of_rehearsal(verdict)]
        stack.costs = {}
        for place, usd in verdict.costs_by_place.items():
            file, _, line = place.rpartition(":")
            if _is_same(file, stack.file, root):
                stack.costs[int(line)] = stack.costs.get(int(line), 0) + usd


def _of_rehearsal(verdict: StackVerdict) -> Iterable[Finding]:
    """The findings but for those on the description, which are found in the text while it is typed."""
    return (each for each in verdict.findings if each.source is not Source.SPEC)


def _in_this_file(finding: Finding, stack: OpenStack, root: Path) -> Finding:
    """A finding with a place in the open file: one elsewhere is shown at its top, with the place in the message."""
    if finding.file is not None and _is_same(finding.file, stack.file, root):
        return finding
    where = f"{finding.file}:{finding.line}  " if finding.file is not None else ""
    return replace(finding, message=f"{where}{finding.message}", file=stack.file, line=1, column=1)


def _is_same(file: str, open_file: str, root: Path) -> bool:
    return any((folder / file).resolve() == Path(open_file).resolve() for folder in (Path.cwd(), root))


def create_server(warm: WarmProcess) -> StackServer:
    """Return a server that answers for stack files, and rehearses them in a warm process."""
    server = StackServer(warm)
    _follow_files(server)
    _answer_questions(server)
    return server


def _follow_files(server: StackServer) -> None:
    @server.feature(lsp.SHUTDOWN)
    def shutdown(_: None) -> None:
        server.is_to_end = True

    @server.feature(lsp.INITIALIZED)
    def initialized(_: lsp.InitializedParams) -> None:
        asyncio.get_running_loop().add_reader(server.warm.fileno(), server.finished)

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def did_open(params: lsp.DidOpenTextDocumentParams) -> None:
        document = params.text_document
        server.opened(document.uri, document.text, document.version)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(params: lsp.DidChangeTextDocumentParams) -> None:
        uri = params.text_document.uri
        server.changed(uri, server.workspace.get_text_document(uri).source, params.text_document.version)

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    def did_save(params: lsp.DidSaveTextDocumentParams) -> None:
        server.saved(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(params: lsp.DidCloseTextDocumentParams) -> None:
        server.stacks.pop(params.text_document.uri, None)
        server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(params.text_document.uri, []))


def _answer_questions(server: StackServer) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions([lsp.CodeActionKind.QuickFix]))
    def code_action(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        return list(server.actions(params.text_document.uri, params.range))

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=_TRIGGERS))
    def completion(params: lsp.CompletionParams) -> lsp.CompletionList:
        return lsp.CompletionList(
            is_incomplete=False, items=list(server.completions(params.text_document.uri, params.position))
        )

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    def hover(params: lsp.HoverParams) -> lsp.Hover | None:
        return server.explanation(params.text_document.uri, params.position)
