"""Property values as they cross the wire between a Pulumi program and its engine, made plain Python and back.

The wire is protobuf's `Struct`, which knows no secrets and no unknown values: Pulumi marks them with signature keys and
sentinel strings (https://github.com/pulumi/pulumi/blob/master/sdk/go/common/resource/plugin/rpc.go). Plain Python here
is what `penstock.graph.values` describes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from google.protobuf.struct_pb2 import Struct, Value
from pulumi.runtime import rpc

from penstock.graph.values import ENCRYPTED, SEALED, UNKNOWN, Asset, Sealed, Secret, Unknown

_SIGNATURE: Final = rpc._special_sig_key
_SECRET: Final = rpc._special_secret_sig
_RESOURCE: Final = rpc._special_resource_sig
_OUTPUT: Final = rpc._special_output_value_sig

_UNKNOWN: Final = frozenset(
    (
        "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",  # true or false
        "3eeb2bf0-c639-47a8-9e75-3b44932eb421",  # a number
        rpc.UNKNOWN,  # a text
        "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",  # a list
        "030794c1-ac77-496b-92df-f27374a8bd58",  # an asset
        "e48ece36-62e2-4504-bad9-02848725956a",  # an archive
        "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",  # an object
    )
)
"""The text for a value that is not known yet, by its kind; programs in Python write only that of texts."""


SEALED_SECRET: Final = {_SIGNATURE: _SECRET}
"""A secret in a state file that holds no value to decrypt."""

OPAQUE: Final = f"unknown:{rpc.UNKNOWN}"
"""A text that stands for an unknown one where only a text will do. Whatever holds it is unknown."""


def from_wire(struct: Struct) -> dict[str, Any]:
    """The properties of a request as plain Python."""
    return _sorted(struct.fields)


def _sorted(fields: Mapping[str, Value]) -> dict[str, Any]:
    """Protobuf keeps maps in no order that one could rely on."""
    return {key: _plain(fields[key]) for key in sorted(fields)}


def _plain(value: Value) -> Any:
    kind = value.WhichOneof("kind")
    if kind == "string_value":
        text = value.string_value
        return UNKNOWN if text in _UNKNOWN or rpc.UNKNOWN in text else text
    if kind == "struct_value":
        fields = value.struct_value.fields
        if _SIGNATURE in fields:
            return _signed(value.struct_value)
        return _sorted(fields)
    if kind == "list_value":
        return [_plain(item) for item in value.list_value.values]
    if kind == "number_value":
        number = value.number_value
        return int(number) if number.is_integer() else number
    if kind == "bool_value":
        return value.bool_value
    return None


def _signed(struct: Struct) -> Any:
    content = _sorted(struct.fields)
    signature = content.pop(_SIGNATURE)
    if signature == _SECRET:
        return Secret(content.get("value"))
    if signature == _OUTPUT:
        value = content.get("value", UNKNOWN)
        return Secret(value) if content.get("secret") else value
    if signature == _RESOURCE:
        return content.get("id") or content["urn"]
    if signature == rpc._special_asset_sig and "path" in content:
        content = {"hash": _hash(content["path"]), **content}
    return Asset(signature, {key: value for key, value in content.items() if value is not None})


def _hash(path: Any) -> str | None:
    """The hash by which the engine compares files; None where there is no such file."""
    file = Path(path) if isinstance(path, str) else None
    return sha256(file.read_bytes()).hexdigest() if file and file.is_file() else None


def from_state(value: Any) -> Any:
    """A value of a state file (JSON) as plain Python; what is encrypted there becomes `Secret(SEALED)`.

    What the provider filled in by itself (`__defaults`, names made up) is left out: no program asked for it.
    """
    if isinstance(value, list):
        return [from_state(item) for item in value]
    if isinstance(value, str):
        return UNKNOWN if value in _UNKNOWN else value
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if not isinstance(value, Mapping):
        return value
    signature = value.get(_SIGNATURE)
    if signature == _SECRET:
        text = value.get("plaintext")
        return Secret(SEALED if text is None else from_state(json.loads(text)))
    content = {key: from_state(item) for key, item in value.items() if key not in (_SIGNATURE, *_filled_in(value))}
    if signature == _RESOURCE:
        return content.get("id") or content["urn"]
    if not signature:
        return content
    content.pop("hash", None)  # the engine's own, of what the asset holds
    return Asset(signature, content)


def _filled_in(properties: Mapping[str, Any]) -> tuple[str, ...]:
    filled = properties.get("__defaults")
    return (*filled, "__defaults") if isinstance(filled, list) else ()


def to_wire(properties: Mapping[str, Any]) -> Struct:
    """Plain Python as the properties of an answer."""
    struct = Struct()
    for key, value in properties.items():
        _write(struct.fields[key], value)
    return struct


def _write(target: Value, value: Any) -> None:
    if isinstance(value, str):
        target.string_value = value
    elif isinstance(value, bool):
        target.bool_value = value
    elif isinstance(value, int | float):
        target.number_value = value
    elif value is None:
        target.null_value = 0  # type: ignore[assignment]
    elif isinstance(value, Mapping):
        target.struct_value.SetInParent()
        signature = {_SIGNATURE: value.signature} if isinstance(value, Asset) else {}
        for key, item in {**signature, **value}.items():
            _write(target.struct_value.fields[key], item)
    elif isinstance(value, Secret):
        _write(target, {_SIGNATURE: _SECRET, "value": value.value})
    elif isinstance(value, Unknown | Sealed):
        target.string_value = rpc.UNKNOWN if value is UNKNOWN else ENCRYPTED
    else:
        target.list_value.SetInParent()
        for item in value:
            _write(target.list_value.values.add(), item)


def to_output(value: Value, depends_on: Iterable[str]) -> None:
    """Makes of a value on the wire one that knows the resources it depends on, by their URNs."""
    fields = value.struct_value.fields
    given = Value()
    given.CopyFrom(value)
    secret = _is(fields, _SECRET)
    if secret:
        given.CopyFrom(fields["value"])
    if _is(fields, _OUTPUT):
        depends_on = {*depends_on, *output_dependencies(value)}
    else:
        value.Clear()
        fields = value.struct_value.fields
        fields[_SIGNATURE].string_value = _OUTPUT
        fields["secret"].bool_value = secret
        if given.string_value not in _UNKNOWN:
            fields["value"].CopyFrom(given)
    _write(fields["dependencies"], sorted(depends_on))


def settled(struct: Struct) -> Struct:
    """The properties as an engine repeats them: values, without what they depend on."""
    found = Struct()
    found.CopyFrom(struct)
    if _OUTPUT.encode() in struct.SerializeToString():
        for value in found.fields.values():
            _settle(value)
    return found


def _settle(value: Value) -> None:
    for item in value.list_value.values:
        _settle(item)
    fields = value.struct_value.fields
    for item in fields.values():
        _settle(item)
    if _is(fields, _OUTPUT):
        known, secret = Value(), fields["secret"].bool_value
        if "value" in fields:
            known.CopyFrom(fields["value"])
        else:
            known.string_value = rpc.UNKNOWN
        value.Clear()
        if secret:
            _write(value, {_SIGNATURE: _SECRET})
            value.struct_value.fields["value"].CopyFrom(known)
        else:
            value.CopyFrom(known)


def output_dependencies(value: Value) -> Iterator[str]:
    """The URNs of the resources that a value on the wire says it depends on, at any depth."""
    kind = value.WhichOneof("kind")
    if kind == "list_value":
        for item in value.list_value.values:
            yield from output_dependencies(item)
    elif kind == "struct_value":
        fields = value.struct_value.fields
        if _is(fields, _OUTPUT):
            yield from (urn.string_value for urn in fields["dependencies"].list_value.values)
        for key in fields:
            yield from output_dependencies(fields[key])


def _is(fields: Mapping[str, Value], signature: str) -> bool:
    return _SIGNATURE in fields and fields[_SIGNATURE].string_value == signature
