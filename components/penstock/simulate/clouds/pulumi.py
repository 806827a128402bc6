"""The engine's own resources: a stash keeps what it is given, a reference to another stack has no outputs here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from penstock.simulate.clouds import CreateRequest, CreateResponse, InvokeResponse, any_provider
from penstock.simulate.clouds.identity import uuid


def create(request: CreateRequest) -> CreateResponse:
    """Makes a resource; what a stash is given it also returns."""
    kept = {"output": request.inputs["input"]} if "input" in request.inputs else {}
    return CreateResponse(request.id or uuid(request.urn), kept, frozenset({"id", "output"}))


def invoke(token: str, arguments: Mapping[str, Any], provider: Mapping[str, Any]) -> InvokeResponse:
    """Answers by the declared types."""
    return any_provider.invoke(token, arguments, provider)
