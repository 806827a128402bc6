"""A server on loopback that speaks as much of HashiCorp Vault as External Secrets asks: no Vault, but its protocol.

It lets in the service account of one role by a token that the API server vouches for, as Vault's Kubernetes login does,
and answers reads of a KV engine of version 2.
"""

from __future__ import annotations

import json
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.cluster.control_plane import ControlPlane
from tests.cluster.controllers import make_certificate

_TOKEN = "hvs.of-the-operator"


@dataclass
class Vault:
    """One that runs.

    Attributes:
        server: its address.
        ca: the certificate that its own is signed by, in PEM.
        role: the only role that may log in.
        users: the service accounts that the role is for.
        values: the value of each secret, by its path.
    """

    server: str
    ca: str
    role: str
    users: frozenset[str]
    values: dict[str, str] = field(default_factory=dict)

    def answer(self, path: str, token: str | None, body: Any, name_of: Callable[[str], str]) -> tuple[int, Any]:
        """The status and content of an answer."""
        if path == "/v1/auth/kubernetes/login":
            if body["role"] != self.role or name_of(body["jwt"]) not in self.users:
                return 403, {"errors": ["permission denied"]}
            return 200, {"auth": {"client_token": _TOKEN, "lease_duration": 3600, "renewable": False}}
        if token != _TOKEN:
            return 403, {"errors": ["permission denied"]}
        if path == "/v1/auth/token/lookup-self":
            return 200, {"data": {"id": _TOKEN, "ttl": 3600, "type": "service", "expire_time": None}}
        value = self.values.get(path.removeprefix("/v1/"))
        if value is None:
            return 404, {"errors": []}
        return 200, {"data": {"data": {"value": value}, "metadata": {"version": 1}}}


@contextmanager
def vault(cluster: ControlPlane, folder: Path, role: str, *users: str) -> Iterator[Vault]:
    """A server that runs for as long as the block does, and asks a cluster whose a token is."""
    folder.mkdir()
    make_certificate(folder, "vault.lan")
    listener = ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "tls.crt", folder / "tls.key")
    listener.socket = context.wrap_socket(listener.socket, server_side=True)
    ca = (folder / "tls.crt").read_text(encoding="utf-8")
    found = Vault(f"https://127.0.0.1:{listener.server_port}", ca, role, frozenset(users))

    def name_of(token: str) -> str:
        review = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenReview", "metadata": {}}
        return str(cluster.api.create({**review, "spec": {"token": token}})["status"].get("user", {}).get("username"))

    class Handler(BaseHTTPRequestHandler):
        def handle_any(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(length) or b"null")
            status, content = found.answer(
                self.path.partition("?")[0], self.headers.get("X-Vault-Token"), body, name_of
            )
            text = json.dumps(content).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        do_GET = do_PUT = do_POST = handle_any  # noqa: N815 - as the library calls them

        def log_message(self, *_: object) -> None:
            """Say nothing: tests are not about requests."""

    listener.RequestHandlerClass = Handler
    threading.Thread(target=listener.serve_forever, daemon=True).start()
    try:
        yield found
    finally:
        listener.shutdown()
        listener.server_close()
