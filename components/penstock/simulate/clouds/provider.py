"""One simulated provider over the whole life of its resources: what the monitor and the plugins of the engine ask."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final

from penstock.simulate import lifecycle, sdk_types
from penstock.simulate.clouds import (
    CreateRequest,
    CreateResponse,
    InvokeResponse,
    provider_decisions,
    provider_defaults,
    simulated,
    version_counters,
)
from penstock.simulate.lifecycle import Change
from penstock.simulate.sdk_types import Mismatch

_NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})


class SimulatedProvider:
    """The provider of one package (`aws`), with its own configuration."""

    def __init__(self, package: str, config: Mapping[str, Any]) -> None:
        self._config = config
        self._cloud = simulated(package)

    def check(self, type_: str, inputs: Mapping[str, Any]) -> list[Mismatch]:
        """What the SDK's types do not allow of these inputs, and the provider cannot read as what they want either."""
        return [wrong for wrong in sdk_types.mismatches(type_, inputs) if not wrong.convertible]

    def diff(
        self,
        type_: str,
        old: Mapping[str, Any],
        new: Mapping[str, Any],
        *,
        old_outputs: Mapping[str, Any] = _NOTHING,
        ignore_changes: Sequence[str] = (),
        replace_on_changes: Sequence[str] = (),
    ) -> Change:
        """The effect of another request for the same resource; see `lifecycle.differences`."""
        before, after = provider_defaults.evened(type_, old, old_outputs, new, self._config)
        found = lifecycle.differences(
            type_, before, after, ignore_changes=ignore_changes, replace_on_changes=replace_on_changes
        )
        elsewhere = provider_decisions.inherited(type_, old, old_outputs, new, self._config)
        return lifecycle.following(type_, (*found, *elsewhere))

    def create(self, asked: CreateRequest, *, instead_of: str = "") -> CreateResponse:
        """Makes a resource. One made `instead_of` another, named by its id, gets an identity of its own."""
        if instead_of:
            asked = replace(asked, urn=f"{asked.urn}#{instead_of}")
        return self._cloud.create(asked)

    def read(self, asked: CreateRequest) -> CreateResponse:
        """Describes a resource that the program did not make and looks up, by `asked.id`."""
        return self._cloud.create(replace(asked, looked_up=True))

    def update(
        self,
        asked: CreateRequest,
        old_id: str,
        old_outputs: Mapping[str, Any],
        old_inputs: Mapping[str, Any] = _NOTHING,
    ) -> CreateResponse:
        """Changes a resource in place.

        Its id stays, and so does each output that the changed inputs do not decide; what counts its versions grows.
        """
        response = self._cloud.create(replace(asked, id=old_id))
        now = response.outputs
        then = self._cloud.create(replace(asked, id=old_id, inputs=old_inputs)).outputs
        outputs = {key: old_outputs.get(key, value) if then.get(key) == value else value for key, value in now.items()}
        changed = lifecycle.differences(asked.type, old_inputs, asked.inputs)
        counted = version_counters.grown(asked.type, changed, old_outputs, asked.inputs)
        return CreateResponse(old_id, outputs | counted, response.documented)

    def delete(self, asked: CreateRequest) -> None:
        """Removes a resource; a simulated cloud has nothing to give back."""

    def invoke(self, token: str, arguments: Mapping[str, Any]) -> InvokeResponse:
        """Answers a provider's function such as `aws:index/getCallerIdentity:getCallerIdentity`."""
        return self._cloud.invoke(token, arguments, self._config)
