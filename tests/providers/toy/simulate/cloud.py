"""The toy cloud, simulated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from penstock.simulate.clouds import CreateRequest, CreateResponse


def create(request: CreateRequest) -> CreateResponse:
    """A resource with an id and an address of the toy cloud's form."""
    kind = request.type.rpartition(":")[2].lower()
    return CreateResponse(
        request.id or f"{kind}-{request.name}", {**request.inputs, "address": f"{request.name}.toy.example"}
    )


def invoke(token: str, arguments: Mapping[str, Any], provider: Mapping[str, Any]) -> Mapping[str, Any]:
    """The toy cloud has no functions."""
    raise NotImplementedError(token, arguments, provider)
