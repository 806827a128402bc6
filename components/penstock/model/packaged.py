"""The record of a component that programs in other languages use, by the name and the types of what it takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PackagedComponent:
    """One component of a cloud, as its package exports it.

    The record repeats the signature of the constructor, so that a schema needs no SDK of a cloud; a test compares them.

    Attributes:
        name: The class, which the package of the cloud exports.
        description: One sentence for the documentation of the generated SDKs.
        spec: The model of what to build. Its fields are inputs of the component.
        arguments: The annotation of each keyword argument: a handle, a model or plain values, with a `Doc` where the
            class says nothing. One with None among its types may be left out. An argument hides a field of its name.
        outputs: The annotation of each attribute that programs read.
        left_out: Fields of the model that only a whole platform reads.
    """

    name: str
    description: str
    spec: type[BaseModel]
    arguments: Mapping[str, Any]
    outputs: Mapping[str, Any] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()
