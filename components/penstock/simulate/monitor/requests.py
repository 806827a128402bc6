"""The requests of a program for a resource: its URN, its options, and the line that asks for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote

from pulumi.runtime.proto import resource_pb2 as rpc
from pulumi.runtime.proto.alias_pb2 import Alias

from penstock.graph.graph import DEFAULT_OPTIONS, STACK_TYPE, Options, Resource, SourceLocation, Timeouts

Register = rpc.RegisterResourceRequest
"""What the SDK sends for a resource that is to be created, or for a component."""

DYNAMIC: Final = "pulumi-python:"
"""How the type tokens of dynamic resources begin: those whose provider is a class of the program."""


@dataclass(frozen=True, slots=True)
class Urns:
    """Makes the URNs of one stack."""

    project: str
    stack: str

    def of(self, type_: str, name: str, parent: str) -> str:
        """The URN of a resource; `parent` is a URN too, empty for a resource without one."""
        return f"urn:pulumi:{self.stack}::{self.project}::{_qualified(type_, parent)}::{name}"

    def of_alias(self, alias: Alias, request: Register) -> str:
        """The URN that an alias means: what it does not name is the resource's own."""
        if alias.urn:
            return alias.urn
        spec = alias.spec
        parent = "" if spec.noParent else spec.parentUrn or request.parent
        elsewhere = Urns(spec.project or self.project, spec.stack or self.stack)
        return elsewhere.of(spec.type or request.type, spec.name or request.name, parent)


def _qualified(type_: str, parent: str) -> str:
    above = parent.split("::", 3)[2] if parent else STACK_TYPE
    return type_ if above == STACK_TYPE else f"{above}${type_}"


def inherit(request: Register, parent: Resource | None) -> None:
    """Fills in the options that a resource has from its parent where it says nothing itself, as the engine does."""
    if parent is None:
        return
    if not request.deletedWith:
        request.deletedWith = parent.options.deleted_with
    if not request.HasField("protect"):
        request.protect = parent.options.protect
    if not request.HasField("retainOnDelete"):
        request.retainOnDelete = parent.options.retain_on_delete


def options(request: Register, urns: Urns) -> Options:
    """The options of a resource; `urns` holds what its aliases mean."""
    found = Options(
        protect=request.protect,
        retain_on_delete=request.retainOnDelete,
        delete_before_replace=request.deleteBeforeReplace if request.deleteBeforeReplaceDefined else None,
        ignore_changes=tuple(request.ignoreChanges),
        replace_on_changes=tuple(request.replaceOnChanges),
        additional_secret_outputs=tuple(request.additionalSecretOutputs),
        aliases=tuple(urns.of_alias(alias, request) for alias in request.aliases),
        deleted_with=request.deletedWith,
        import_id=request.importId,
        version=request.version,
        timeouts=Timeouts(request.customTimeouts.create, request.customTimeouts.update, request.customTimeouts.delete),
    )
    return DEFAULT_OPTIONS if found == DEFAULT_OPTIONS else found


def place(request: Register | rpc.ReadResourceRequest, root: str) -> SourceLocation | None:
    """The innermost line under `root`, a `file://` URI that ends in a slash, that led to this resource."""
    if request.type == STACK_TYPE:
        return None
    # Older SDKs send the innermost line alone.
    for position in (*(frame.pc for frame in request.stackTrace.frames), request.sourcePosition):
        if position.uri.startswith(root):
            file = unquote(position.uri[len(root) :])
            if "site-packages/" not in file:
                return SourceLocation(file, position.line)
    return None
