"""The `random` provider: values that look random and are the same in every rehearsal."""

from __future__ import annotations

from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable, Mapping
from itertools import cycle, islice
from typing import Any

from penstock.rehearsal.clouds import Asked, Made, any_provider
from penstock.rehearsal.clouds.identity import hexadecimal, uuid
from penstock.resources.values import UNKNOWN, Secret

_LENGTH = 16  # of what no length is known for
_LONGEST = 1 << 16
_LONGEST_DECIMAL = 1 << 10  # Python writes no number of more than 4,300 digits
_WORDS = ("able", "bold", "calm", "eager", "fair", "glad", "keen", "warm")


def create(asked: Asked) -> Made:
    """Makes a value of the asked kind and length; passwords and bytes are secret, as from the real provider."""
    return _KINDS.get(asked.type.rsplit(":", 1)[-1], any_provider.create)(asked)


def invoke(token: str, arguments: Mapping[str, Any], provider: Mapping[str, Any]) -> Mapping[str, Any]:
    """The provider has no functions."""
    return any_provider.invoke(token, arguments, provider)


def _digits(asked: Asked, count: int) -> str:
    return (hexadecimal(asked.urn, 64) * (count // 64 + 1))[:count]


def _number(asked: Asked, key: str, otherwise: int) -> int:
    """A number that was given; another where it is unknown, missing or none, which the SDK's types tell."""
    value = _plain(asked.inputs.get(key))
    return value if isinstance(value, int) else otherwise


def _length(asked: Asked, key: str, otherwise: int) -> int:
    """A length that was given, within what a rehearsal can hold."""
    return min(max(_number(asked, key, otherwise), 0), _LONGEST)


def _plain(value: Any) -> Any:
    return value.value if isinstance(value, Secret) else value


def _password(asked: Asked) -> Made:
    result = _digits(asked, _length(asked, "length", _LENGTH))
    return Made("none", {"result": Secret(result), "bcryptHash": Secret(f"$2a$10${hexadecimal(asked.urn, 53)}")})


def _string(asked: Asked) -> Made:
    result = _digits(asked, _length(asked, "length", _LENGTH))
    return Made(result, {"result": result})


def _uuid(asked: Asked) -> Made:
    return Made(uuid(asked.urn), {"result": uuid(asked.urn)})


def _integer(asked: Asked) -> Made:
    low = _number(asked, "min", 0)
    high = max(low, _number(asked, "max", low))
    result = low + int(hexadecimal(asked.urn, 12), 16) % (high - low + 1)
    return Made(str(result), {"result": result})


def _pet(asked: Asked) -> Made:
    count, separator = _length(asked, "length", 2), str(asked.inputs.get("separator") or "-")
    words = [_WORDS[int(hexadecimal(asked.urn, 2, str(index)), 16) % len(_WORDS)] for index in range(count)]
    return Made(separator.join([*filter(None, [asked.inputs.get("prefix")]), *words]), {})


def _id(asked: Asked) -> Made:
    raw = bytes.fromhex(_digits(asked, 2 * _length(asked, "byteLength", _LENGTH)))
    url = urlsafe_b64encode(raw).decode().rstrip("=")
    forms = {
        "hex": raw.hex(),
        "dec": str(int.from_bytes(raw[:_LONGEST_DECIMAL])),
        "b64Url": url,
        "b64Std": b64encode(raw).decode(),
    }
    prefix = asked.inputs.get("prefix") or ""
    return Made(url, {name: f"{prefix}{form}" for name, form in forms.items()})


def _bytes(asked: Asked) -> Made:
    raw = bytes.fromhex(_digits(asked, 2 * _length(asked, "length", _LENGTH)))
    return Made("none", {"hex": Secret(raw.hex()), "base64": Secret(b64encode(raw).decode())})


def _shuffle(asked: Asked) -> Made:
    """The inputs in another order; over again where more are asked for than there are, as the real provider does."""
    inputs = _plain(asked.inputs.get("inputs"))
    if not isinstance(inputs, list):
        return Made("-", {"results": UNKNOWN})
    order = sorted(range(len(inputs)), key=lambda index: hexadecimal(asked.urn, 16, str(index)))
    count = _length(asked, "resultCount", len(inputs)) if inputs else 0
    return Made("-", {"results": [inputs[index] for index in islice(cycle(order), count)]})


_KINDS: Mapping[str, Callable[[Asked], Made]] = {
    "RandomBytes": _bytes,
    "RandomId": _id,
    "RandomInteger": _integer,
    "RandomPassword": _password,
    "RandomPet": _pet,
    "RandomShuffle": _shuffle,
    "RandomString": _string,
    "RandomUuid": _uuid,
}
