"""A small API of tests on loopback: answers by path in JSON, and remembers every request."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

Answer = Mapping[str, Any]


@dataclass
class Request:
    """One request: its method, its path without the query, the query, and the body."""

    method: str
    path: str
    query: Mapping[str, list[str]]
    body: Any


@dataclass
class HttpApi:
    """Answers by path; a status and a document for errors. What has no answer is absent."""

    url: str = ""
    answers: dict[str, Answer | tuple[int, Answer]] = field(default_factory=dict)
    requests: list[Request] = field(default_factory=list)
    absent: Answer = field(default_factory=lambda: {"error": {"code": 404, "message": "not found"}})

    def answer(self, request: Request) -> tuple[int, Answer]:
        """Return the status and the document for a request; a subclass may look at more than its path."""
        found = self.answers.get(request.path, (404, self.absent))
        return found if isinstance(found, tuple) else (200, found)


@contextmanager
def serving(api: HttpApi) -> Iterator[HttpApi]:
    """Serve an API until the block ends."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as its base calls it
            """Say nothing."""

        def content(self) -> bytes:
            if self.headers.get("Transfer-Encoding") != "chunked":
                return self.rfile.read(int(self.headers.get("Content-Length") or 0))
            found = b""
            while size := int(self.rfile.readline(), 16):  # kubectl sends what it reads as chunks
                found += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
            return found

        def answered(self) -> None:
            text = self.content()
            parts = urlsplit(self.path)
            body = json.loads(text) if text.startswith(b"{") else text.decode()
            request = Request(self.command, unquote(parts.path), parse_qs(parts.query), body)
            api.requests.append(request)
            status, document = api.answer(request)
            content = json.dumps(document).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

    for method in ("GET", "POST", "PUT", "PATCH", "DELETE"):
        setattr(Handler, f"do_{method}", Handler.answered)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    api.url = f"http://127.0.0.1:{server.server_port}"
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield api
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
