"""The toy cloud, simulated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from penstock.rehearsal.clouds import Asked, Made


def create(asked: Asked) -> Made:
    """A resource with an id and an address of the toy cloud's form."""
    kind = asked.type.rpartition(":")[2].lower()
    return Made(asked.id or f"{kind}-{asked.name}", {**asked.inputs, "address": f"{asked.name}.toy.example"})


def invoke(token: str, arguments: Mapping[str, Any], provider: Mapping[str, Any]) -> Mapping[str, Any]:
    """The toy cloud has no functions."""
    raise NotImplementedError(token, arguments, provider)
