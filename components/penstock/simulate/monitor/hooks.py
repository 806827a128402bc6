"""Resource hooks: functions of the program that the engine calls before and after it makes a resource."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from google.protobuf.struct_pb2 import Struct
from pulumi.runtime.proto import resource_pb2 as rpc

from penstock.core.errors import ProgramFailed
from penstock.simulate.monitor.requests import Register
from penstock.simulate.monitor.transforms import Call


class Hooks:
    """The hooks of one run, by name. In a preview only those run that ask for it."""

    def __init__(self, call: Call, *, preview: bool) -> None:
        self._call, self._preview = call, preview
        self._by_name: dict[str, rpc.RegisterResourceHookRequest] = {}

    def register(self, hook: rpc.RegisterResourceHookRequest) -> None:
        """Takes note of a hook that resources may name."""
        self._by_name[hook.name] = hook

    async def before_creation(self, request: Register, urn: str) -> None:
        """Runs the hooks that come before a resource is created.

        Raises:
            ProgramFailed: a hook failed, and its failure is not to be ignored.
        """
        await self._run(request.hooks.before_create, request, urn, "", None)

    async def after_creation(self, request: Register, urn: str, id_: str, outputs: Struct) -> None:
        """Runs the hooks that come after a resource has been created; raises as `before_creation` does."""
        await self._run(request.hooks.after_create, request, urn, id_, outputs)

    async def _run(self, names: Sequence[str], request: Register, urn: str, id_: str, outputs: Struct | None) -> None:
        for name in names:
            hook = self._by_name[name]
            if self._preview and not hook.on_dry_run:
                continue
            question = rpc.ResourceHookRequest(
                urn=urn, id=id_, name=request.name, type=request.type, new_inputs=request.object, new_outputs=outputs
            )
            answer = cast(rpc.ResourceHookResponse, await self._call(hook.callback, question))
            if answer.error and not hook.ignore_errors:
                raise ProgramFailed(f"the hook {name!r} of {urn} failed: {answer.error}")
