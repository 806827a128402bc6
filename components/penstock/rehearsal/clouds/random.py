"""The `random` provider: values that look random and are the same in every rehearsal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from penstock.rehearsal.clouds import Asked, Made, any_provider
from penstock.rehearsal.clouds.identity import hexadecimal, uuid
from penstock.rehearsal.values import Secret

_WORDS = ("able", "bold", "calm", "eager", "fair", "glad", "keen", "warm")


def create(asked: Asked) -> Made:
    """Makes a random value of the asked kind and length; passwords and bytes are secret, as from the real provider."""
    kind = asked.type.rsplit(":", 1)[-1]
    length = int(asked.inputs.get("length") or asked.inputs.get("byteLength") or 16)
    digits = (hexadecimal(asked.urn, 64) * (length // 64 + 1))[:length]
    if kind == "RandomPassword":
        return Made("none", {"result": Secret(digits), "bcryptHash": Secret(f"$2a$10${hexadecimal(asked.urn, 53)}")})
    if kind == "RandomString":
        return Made(digits, {"result": digits})
    if kind == "RandomUuid":
        return Made(uuid(asked.urn), {"result": uuid(asked.urn)})
    if kind == "RandomInteger":
        low, high = int(asked.inputs["min"]), int(asked.inputs["max"])
        result = low + int(hexadecimal(asked.urn, 12), 16) % (high - low + 1)
        return Made(str(result), {"result": result})
    if kind == "RandomPet":
        count, separator = int(asked.inputs.get("length") or 2), str(asked.inputs.get("separator") or "-")
        words = [_WORDS[int(hexadecimal(asked.urn, 2, str(index)), 16) % len(_WORDS)] for index in range(count)]
        return Made(separator.join([*filter(None, [asked.inputs.get("prefix")]), *words]), {})
    if kind in ("RandomId", "RandomBytes"):
        return _bytes(asked, length, secret=kind == "RandomBytes")
    return any_provider.create(asked)


def _bytes(asked: Asked, length: int, *, secret: bool) -> Made:
    from base64 import b64encode, urlsafe_b64encode

    raw = bytes.fromhex((hexadecimal(asked.urn, 64) * (length // 32 + 1))[: 2 * length])
    if secret:
        return Made("none", {"hex": Secret(raw.hex()), "base64": Secret(b64encode(raw).decode())})
    url = urlsafe_b64encode(raw).decode().rstrip("=")
    prefix = asked.inputs.get("prefix") or ""
    outputs = {"hex": prefix + raw.hex(), "dec": f"{prefix}{int.from_bytes(raw)}", "b64Url": prefix + url}
    return Made(url, {**outputs, "b64Std": prefix + b64encode(raw).decode()})


def invoke(token: str, arguments: Mapping[str, Any], provider: Mapping[str, Any]) -> Mapping[str, Any]:
    """The provider has no functions."""
    return any_provider.invoke(token, arguments, provider)
