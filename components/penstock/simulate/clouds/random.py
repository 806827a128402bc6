"""The `random` provider: values that look random and are the same in every rehearsal."""

from __future__ import annotations

from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import cycle, islice
from typing import Any

from penstock.graph.values import UNKNOWN, Secret
from penstock.simulate.clouds import CreateRequest, CreateResponse, InvokeResponse, any_provider
from penstock.simulate.clouds.identity import hexadecimal, uuid

_LENGTH = 16  # of what no length is known for
_LONGEST = 1 << 16
_LONGEST_DECIMAL = 1 << 10  # Python writes no number of more than 4,300 digits
_OF_ANY_FORM = ("RandomBytes", "RandomPassword", "RandomString")
"""Kinds whose real values may hold other characters than the simulated ones."""
_WORDS = ("able", "bold", "calm", "eager", "fair", "glad", "keen", "warm")


def create(request: CreateRequest) -> CreateResponse:
    """Makes a value of the asked kind and length; passwords and bytes are secret, as from the real provider."""
    kind = request.type.rsplit(":", 1)[-1]
    response = _KINDS.get(kind, any_provider.create)(request)
    return replace(response, documented=frozenset(() if kind in _OF_ANY_FORM else ("id", *response.outputs)))


def invoke(token: str, arguments: Mapping[str, Any], provider: Mapping[str, Any]) -> InvokeResponse:
    """The provider has no functions."""
    return any_provider.invoke(token, arguments, provider)


def _digits(request: CreateRequest, count: int) -> str:
    return (hexadecimal(request.urn, 64) * (count // 64 + 1))[:count]


def _number(request: CreateRequest, key: str, otherwise: int) -> int:
    """A number that was given; another where it is unknown, missing or none, which the SDK's types show."""
    value = _plain(request.inputs.get(key))
    return value if isinstance(value, int) else otherwise


def _length(request: CreateRequest, key: str, otherwise: int) -> int:
    """A length that was given, within what a rehearsal can hold."""
    return min(max(_number(request, key, otherwise), 0), _LONGEST)


def _plain(value: Any) -> Any:
    return value.value if isinstance(value, Secret) else value


def _password(request: CreateRequest) -> CreateResponse:
    result = _digits(request, _length(request, "length", _LENGTH))
    return CreateResponse(
        "none", {"result": Secret(result), "bcryptHash": Secret(f"$2a$10${hexadecimal(request.urn, 53)}")}
    )


def _string(request: CreateRequest) -> CreateResponse:
    result = _digits(request, _length(request, "length", _LENGTH))
    return CreateResponse(result, {"result": result})


def _uuid(request: CreateRequest) -> CreateResponse:
    return CreateResponse(uuid(request.urn), {"result": uuid(request.urn)})


def _integer(request: CreateRequest) -> CreateResponse:
    low = _number(request, "min", 0)
    high = max(low, _number(request, "max", low))
    result = low + int(hexadecimal(request.urn, 12), 16) % (high - low + 1)
    return CreateResponse(str(result), {"result": result})


def _pet(request: CreateRequest) -> CreateResponse:
    count, separator = _length(request, "length", 2), str(request.inputs.get("separator") or "-")
    words = [_WORDS[int(hexadecimal(request.urn, 2, str(index)), 16) % len(_WORDS)] for index in range(count)]
    return CreateResponse(separator.join([*filter(None, [request.inputs.get("prefix")]), *words]), {})


def _id(request: CreateRequest) -> CreateResponse:
    raw = bytes.fromhex(_digits(request, 2 * _length(request, "byteLength", _LENGTH)))
    url = urlsafe_b64encode(raw).decode().rstrip("=")
    forms = {
        "hex": raw.hex(),
        "dec": str(int.from_bytes(raw[:_LONGEST_DECIMAL])),
        "b64Url": url,
        "b64Std": b64encode(raw).decode(),
    }
    prefix = request.inputs.get("prefix") or ""
    return CreateResponse(url, {name: f"{prefix}{form}" for name, form in forms.items()})


def _bytes(request: CreateRequest) -> CreateResponse:
    raw = bytes.fromhex(_digits(request, 2 * _length(request, "length", _LENGTH)))
    return CreateResponse("none", {"hex": Secret(raw.hex()), "base64": Secret(b64encode(raw).decode())})


def _shuffle(request: CreateRequest) -> CreateResponse:
    """The inputs in another order; over again where more are asked for than there are, as the real provider does."""
    inputs = _plain(request.inputs.get("inputs"))
    if not isinstance(inputs, list):
        return CreateResponse("-", {"results": UNKNOWN})
    order = sorted(range(len(inputs)), key=lambda index: hexadecimal(request.urn, 16, str(index)))
    count = _length(request, "resultCount", len(inputs)) if inputs else 0
    return CreateResponse("-", {"results": [inputs[index] for index in islice(cycle(order), count)]})


_KINDS: Mapping[str, Callable[[CreateRequest], CreateResponse]] = {
    "RandomBytes": _bytes,
    "RandomId": _id,
    "RandomInteger": _integer,
    "RandomPassword": _password,
    "RandomPet": _pet,
    "RandomShuffle": _shuffle,
    "RandomString": _string,
    "RandomUuid": _uuid,
}
