"""An Azure of tests: Resource Manager and Graph in the form of their REST references, on loopback."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import NamedTuple

from tests.preflight.httpapi import Answer, HttpApi, Request

from penstock.azure.preflight.subscription import AzureSubscription

SUBSCRIPTION = "00000000-0000-0000-0000-000000000000"
HERE = f"subscriptions/{SUBSCRIPTION}"


class Token(NamedTuple):
    """A token, as azure-core takes it."""

    token: str
    expires_on: int


class Credential:
    """Credentials that need no directory."""

    def get_token(self, *scopes: str, **options: object) -> Token:  # noqa: ARG002 - as the SDK calls it
        """Return a token that holds for an hour."""
        return Token("token", int(time.time()) + 3600)


@dataclass
class AzureServer(HttpApi):
    """A subscription, by answers to paths; what has no answer is absent, as Resource Manager says so."""

    def answer(self, request: Request) -> tuple[int, Answer]:
        found = self.answers.get(request.path.strip("/"))
        if found is None:
            message = f"The Resource '{request.path}' was not found."
            return 404, {"error": {"code": "ResourceNotFound", "message": message}}
        return found if isinstance(found, tuple) else (200, found)

    def subscription(self) -> AzureSubscription:
        """The subscription, asked here."""
        return AzureSubscription(SUBSCRIPTION, Credential(), self.url, self.url)


def denied(action: str) -> tuple[int, Answer]:
    """An answer that refuses (Azure RBAC documentation, troubleshooting)."""
    message = f"The client does not have authorization to perform action '{action}'."
    return 403, {"error": {"code": "AuthorizationFailed", "message": message}}
