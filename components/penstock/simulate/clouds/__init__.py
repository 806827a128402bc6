"""Simulated clouds: each answers for one Pulumi provider, with ids, ARNs and endpoints of the true form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any, Protocol, cast

from penstock.providers import provider_of

_BESIDES_CLOUDS = ("pulumi", "random")
"""Packages that are simulated and have no record: they reach no provider."""


@dataclass(frozen=True, slots=True)
class CreateRequest:
    """A program's request to a provider: one resource, with the provider's own configuration.

    `id` is that of a resource which is there already, of a `get` or an import; one to be created has none. One that is
    `looked_up` was created by others: the program gave nothing of it but what finds it.
    """

    urn: str
    type: str
    name: str
    inputs: Mapping[str, Any]
    provider: Mapping[str, Any]
    id: str = ""
    looked_up: bool = False


@dataclass(frozen=True, slots=True)
class CreateResponse:
    """The cloud's response: the id, and the outputs that only the cloud knows.

    `documented` are the outputs, and `id`, whose values have the form that the cloud documents, or are certain: what
    the simulation did not invent.
    """

    id: str
    outputs: Mapping[str, Any]
    documented: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class InvokeResponse:
    """The results of a provider's function; `documented` as of a resource."""

    results: Mapping[str, Any]
    documented: frozenset[str] = frozenset()


class Cloud(Protocol):
    """A simulated provider."""

    def create(self, request: CreateRequest) -> CreateResponse:
        """Makes a resource. The same question always gets the same answer."""

    def invoke(self, token: str, arguments: Mapping[str, Any], provider: Mapping[str, Any]) -> InvokeResponse:
        """Answers a provider function such as `aws:index/getCallerIdentity:getCallerIdentity`."""


@cache
def simulated(package: str) -> Cloud:
    """The cloud behind a provider; one that we never named is answered from its SDK's types alone."""
    provider = provider_of(package)
    own = provider.module("simulated_cloud") if provider is not None else None
    name = package if package in _BESIDES_CLOUDS else "any_provider"
    return cast(Cloud, own or import_module(f"penstock.simulate.clouds.{name}"))
