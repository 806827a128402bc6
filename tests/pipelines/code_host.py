"""GitHub and GitLab as far as comments on one request go: a server on this machine, which stores them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

TOKEN = "t0ken-of-the-pipeline"


@dataclass
class CodeHost:
    """A code host: its comments, what it was asked, and who asks; `user` is None for an app, which has no user."""

    address: str
    user: str | None
    comments: list[dict[str, Any]] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    @property
    def pull_request(self) -> str:
        """A pull request in the form of GitHub."""
        return f"{self.address}/acme/infra/pull/7"

    @property
    def merge_request(self) -> str:
        """A merge request in the form of GitLab."""
        return f"{self.address}/acme/platform/infra/-/merge_requests/7"

    def add(self, body: str, author: str, kind: str = "User") -> None:
        """Store a comment of anybody."""
        names = {"login": author, "username": author, "type": kind}
        self.comments.append({"id": len(self.comments) + 1, "body": body, "user": names, "author": names})

    def bodies(self) -> list[str]:
        """The texts of all comments."""
        return [comment["body"] for comment in self.comments]

    def answer(self, method: str, url: str, token: str, body: Mapping[str, Any]) -> tuple[int, Any]:
        """Return the status and the answer of a call."""
        path = urlsplit(url).path
        self.asked.append(f"{method} {path}")
        if token != f"Bearer {TOKEN}":
            return 401, {"message": "Bad credentials"}
        if path.endswith("/user"):
            return (200, {"login": self.user, "username": self.user}) if self.user else (403, {"message": "not an app"})
        if method == "GET":
            page = int(parse_qs(urlsplit(url).query)["page"][0])
            return 200, self.comments[100 * (page - 1) : 100 * page]
        if method == "POST":
            self.add(body["body"], self.user or "github-actions[bot]", "User" if self.user else "Bot")
            return 201, self.comments[-1]
        comment = self.comments[int(path.rpartition("/")[2]) - 1]
        comment["body"] = body["body"]
        return 200, comment


@contextmanager
def started(user: str | None = None) -> Iterator[CodeHost]:
    """A code host that listens on a free port."""

    class Handler(BaseHTTPRequestHandler):
        def handle_any(self) -> None:
            length = int(self.headers.get("Content-Length", 0))
            body = json.loads(self.rfile.read(length)) if length else {}
            status, answer = host.answer(self.command, self.path, self.headers["Authorization"], body)
            content = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Location", "http://elsewhere.invalid/")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = do_PATCH = do_PUT = handle_any  # noqa: N815 - as the server calls them

        def log_message(self, *_: Any) -> None:
            """Stay silent."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        host = CodeHost(f"http://127.0.0.1:{server.server_port}", user)
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield host
        finally:
            server.shutdown()
            thread.join()
