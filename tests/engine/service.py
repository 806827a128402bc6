"""A stand-in for the service that policy packs are published to: it takes what `pulumi policy publish` sends."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

ORGANIZATION = "acme"
_USER = {"githubLogin": ORGANIZATION, "name": ORGANIZATION, "organizations": [{"githubLogin": ORGANIZATION}]}


@dataclass
class Published:
    """What was published: the metadata of the pack, its archive, and the version that was completed."""

    metadata: dict[str, Any] = field(default_factory=dict)
    archive: bytes = b""
    completed: str = ""


@contextmanager
def service() -> Iterator[tuple[str, Published]]:
    """The address of a service, and what it was sent."""
    published = Published()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer(_USER if self.path == "/api/user" else {"capabilities": []})

        def do_POST(self) -> None:
            body = self._body()
            if self.path == f"/api/orgs/{ORGANIZATION}/policypacks":
                published.metadata = json.loads(body)
                self._answer({"version": 1, "uploadURI": f"{address}/upload"})
            else:
                published.completed = self.path.removesuffix("/complete").rpartition("/")[2]
                self._answer({})

        def do_PUT(self) -> None:
            published.archive = self._body()
            self._answer({})

        def log_message(self, *_: Any) -> None:
            """Print nothing."""

        def _body(self) -> bytes:
            if self.headers.get("Transfer-Encoding") == "chunked":
                chunks = []
                while size := int(self.rfile.readline(), 16):
                    chunks.append(self.rfile.read(size))
                    self.rfile.readline()
                return b"".join(chunks)
            return self.rfile.read(int(self.headers.get("Content-Length", 0)))

        def _answer(self, document: Any) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(json.dumps(document).encode())

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    address = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield address, published
    finally:
        server.shutdown()
        server.server_close()
