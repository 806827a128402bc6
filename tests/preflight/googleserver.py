"""A Google Cloud of tests: the answers of its APIs in the form of their discovery documents, on loopback."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from tests.preflight.httpapi import Answer, HttpApi, Request

PROJECT = "example-training"
CALLER = f"deployer@{PROJECT}.iam.gserviceaccount.com"


@dataclass
class GoogleServer(HttpApi):
    """A project: its permissions, its enabled APIs, and answers by `SERVICE/PATH`.

    Errors have the form of the API design guide: `error` with code, message, status and details.
    """

    lacks: set[str] = field(default_factory=set)
    """Permissions that the caller does not have."""
    off: set[str] = field(default_factory=set)
    """APIs that are not enabled."""

    def answer(self, request: Request) -> tuple[int, Answer]:
        path = request.path.strip("/")
        if path == "token":
            return 200, {"access_token": "ya29.token", "expires_in": 3600, "token_type": "Bearer"}
        if path.endswith(":testIamPermissions"):
            return 200, {"permissions": [each for each in request.body["permissions"] if each not in self.lacks]}
        if path.endswith("services:batchGet"):
            services = [
                {"name": name, "state": "DISABLED" if name.rpartition("/")[2] in self.off else "ENABLED"}
                for name in request.query["names"]
            ]
            return 200, {"services": services}
        found = self.answers.get(path)
        if found is None:
            message = f"The resource '{path}' was not found"
            return 404, {"error": {"code": 404, "message": message, "status": "NOT_FOUND"}}
        return found if isinstance(found, tuple) else (200, found)

    def variables(self, folder: Path) -> Mapping[str, str]:
        """The environment that leads google-auth and its calls here, and nowhere else."""
        file = folder / "credentials.json"
        key = {
            "type": "service_account",
            "project_id": PROJECT,
            "private_key_id": "1",
            "private_key": _private_key(),
            "client_email": CALLER,
            "client_id": "1",
            "token_uri": f"{self.url}/token",
        }
        file.write_text(json.dumps(key))
        return {
            "GOOGLE_APPLICATION_CREDENTIALS": str(file),
            "PENSTOCK_GOOGLE_ENDPOINT": f"{self.url}/{{service}}",
            "NO_GCE_CHECK": "true",
        }


def denied(reason: str, message: str) -> tuple[int, Answer]:
    """An answer that refuses, as the API design guide has it."""
    details = [{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": reason}]
    error = {"code": 403, "message": message, "status": "PERMISSION_DENIED", "details": details}
    return 403, {"error": error}


@cache
def _private_key() -> str:
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    form = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    return key.private_bytes(*form).decode()
