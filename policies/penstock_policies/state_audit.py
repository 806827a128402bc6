"""Looks for secrets that a state holds in clear: what `pulumi stack export` wrote, as it is, before anything reads it.

Pulumi seals only what a program or a provider has marked as secret; everything else lies in the state as plain text,
and goes wherever the state goes: into backends, exports and logs of pipelines. No message here repeats a value.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, NamedTuple, Self

from penstock.findings import Finding, Severity, Source
from penstock.resources.graph import STACK_TYPE
from penstock_policies import patterns
from penstock_policies.rule import Concern, Weight
from penstock_policies.settings import Enforcement, Settings, level


class Code(StrEnum):
    """What can be wrong with a state, and how much that matters."""

    meaning: str
    weight: Weight

    def __new__(cls, code: str, meaning: str, weight: Weight) -> Self:  # noqa: D102 - enum
        member = str.__new__(cls, code)
        member._value_, member.meaning, member.weight = code, meaning, weight
        return member

    RESOURCE = "STATE-001", "No secret stands in clear among the properties of a resource.", Weight.CRITICAL
    EXPORT = "STATE-002", "No secret stands in clear among the outputs of the stack.", Weight.CRITICAL
    UNSEALED = "STATE-003", "The state's secrets are encrypted.", Weight.CRITICAL
    PASSPHRASE = "STATE-004", "In production a key of the cloud or of Pulumi seals secrets.", Weight.MEDIUM
    COPY = "STATE-005", "What is sealed in one place stands in clear in no other.", Weight.MEDIUM
    SHOWN = "STATE-006", "The export keeps its secrets sealed.", Weight.MEDIUM


_SIGNATURE: Final = "4dabf18193072939515e22adb298388d"
_SECRET: Final = "1b47061264138c4ac30d75fd1eb44270"  # noqa: S105 Pulumi's mark of a sealed value, not a secret
"""How Pulumi marks what is no plain value, and which of those are secrets."""

_HELD_SECRET: Final = {
    ("kubernetes:core/v1:Secret", "data"),
    ("kubernetes:core/v1:Secret", "stringData"),
    ("aws:secretsmanager/secretVersion:SecretVersion", "secretString"),
    ("aws:secretsmanager/secretVersion:SecretVersion", "secretBinary"),
    ("gcp:secretmanager/secretVersion:SecretVersion", "secretData"),
    ("azure-native:keyvault:Secret", "properties.value"),
    ("random:index/randomPassword:RandomPassword", "result"),
    ("random:index/randomPassword:RandomPassword", "bcryptHash"),
    ("random:index/randomBytes:RandomBytes", "base64"),
    ("random:index/randomBytes:RandomBytes", "hex"),
    ("gcp:serviceaccount/key:Key", "privateKey"),
    ("aws:iam/accessKey:AccessKey", "secret"),
}
"""Properties that hold nothing but secrets, whatever they look like; `additionalSecretOutputs` of a state name more."""

_IDENTIFIERS: Final = ("id", "urn", "__meta", "__defaults", "__provider", "__pulumi_raw_state_delta")
"""Keys of outputs that are a resource's id or what a provider keeps for itself."""

_PUBLIC_KEYS: Final = ("ca.crt", "tls.crt", "ca-bundle.crt", "namespace")
"""Keys of a Kubernetes Secret that hold nothing to hide."""

_CREDENTIAL: Final = re.compile(
    r"""(?:client-key-data|(?<![\w-])(?:id-|refresh-|access-)?token|(?<![\w-])password)["']?\s*:\s*["']?(?!REDACTED|DATA)[^\s"',}{]{8,}"""
)
"""A credential in a kubeconfig; one that asks a command for its token (`exec`) has none."""

_NO_ENCRYPTION: Final = ("b64", "none")
"""Kinds of secrets providers that do not encrypt."""

_HIDDEN: Final = "(hidden)"
"""Stands in a path for a key that is a secret itself."""

_BASE64: Final = re.compile(r"[A-Za-z0-9+/]{24,}={0,2}")
_DEEPEST: Final = 60
_IDEMPOTENCY: Final = ("creationToken", "clientToken", "clientRequestToken", "idempotencyToken", "requestToken")
"""Names of tokens by which a cloud tells a request that is repeated from a new one; they open nothing."""

_LEAST_KEY: Final = 40
"""What a kubeconfig is shown with has DATA+OMITTED for its keys."""

_LEAST: Final = 8
"""A shorter text that is secret somewhere may stand elsewhere by chance."""

_SEAL_IT: Final = (
    "Mark it as secret in the program (pulumi.Output.secret, additional_secret_outputs), and then replace the value: "
    "who has read the state knows it."
)


class Spot(NamedTuple):
    """A text in the properties of a resource, by its path and the key that names it.

    It is `held` where it stands among the data of a Kubernetes Secret, in whatever it is wrapped.
    """

    path: str
    name: str
    text: str
    held: bool = False


@dataclass(slots=True)
class _Sealed:
    """Whether the state shows what is sealed in it, and the texts that it shows."""

    is_shown: bool = False
    texts: set[str] = field(default_factory=set)


def audit(content: Mapping[str, Any], settings: Settings) -> tuple[Finding, ...]:
    """What is wrong with an exported state, whose form has been checked; each place is a URN and a path."""
    deployment = content.get("deployment") or {}
    sealed = _Sealed()
    records = list(_records(deployment))
    for record in records:
        for block in ("inputs", "outputs"):
            _gather(record.get(block), sealed, 0)
    provider = deployment.get("secrets_providers")
    found = [*_of_provider(provider if isinstance(provider, Mapping) else {}, sealed, settings)]
    looked_at: dict[tuple[str, str], bool] = {}
    for record in records:
        found += _of_record(record, sealed, settings, looked_at)
    return tuple(finding for finding in found if finding is not None)


def _records(deployment: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The resources of a state, those included of operations that were under way when the engine ended."""
    yield from deployment.get("resources") or ()
    pending = deployment.get("pending_operations")
    for operation in pending if isinstance(pending, list) else ():
        if isinstance(operation, Mapping) and isinstance(operation.get("resource"), Mapping):
            yield operation["resource"]


def _gather(value: Any, sealed: _Sealed, depth: int) -> None:
    if depth > _DEEPEST:
        return
    if isinstance(value, list):
        for item in value:
            _gather(item, sealed, depth + 1)
    elif isinstance(value, Mapping):
        if value.get(_SIGNATURE) != _SECRET:
            for item in value.values():
                _gather(item, sealed, depth + 1)
            return
        sealed.is_shown |= "plaintext" in value
        told = _parsed(value.get("plaintext"))
        if isinstance(told, str) and len(told) >= _LEAST:
            sealed.texts.add(told)


def _of_provider(provider: Mapping[str, Any], sealed: _Sealed, settings: Settings) -> Iterator[Finding | None]:
    """How the state as a whole keeps its secrets."""
    kind = str(provider.get("type") or "")
    if kind in _NO_ENCRYPTION:
        yield _finding(
            Code.UNSEALED,
            settings,
            "nothing encrypts the secrets of this state: anyone who has the file reads them",
            "Choose one with `pulumi stack change-secrets-provider`, and replace the secrets that were there.",
            path="secrets_providers.type",
        )
    if kind == "passphrase" and settings.environment == "prod":
        yield _finding(
            Code.PASSPHRASE,
            settings,
            "a passphrase seals the secrets: whoever has left still knows it, and nobody sees who uses it",
            "Move to a key with `pulumi stack change-secrets-provider awskms://…`, `gcpkms://…` or `azurekeyvault://…`.",
            path="secrets_providers.type",
        )
    if sealed.is_shown:
        yield _finding(
            Code.SHOWN,
            settings,
            "the file shows its secrets: it was exported with --show-secrets",
            "Delete it, and every copy of it; `pulumi stack export` without the option is enough for an audit.",
        )


def _of_record(
    record: Mapping[str, Any], sealed: _Sealed, settings: Settings, looked_at: dict[tuple[str, str], bool]
) -> Iterator[Finding | None]:
    urn, type_ = str(record.get("urn")), str(record.get("type"))
    places: dict[tuple[Code, str], list[str]] = {}
    for block in ("inputs", "outputs"):
        for spot in _spots(record.get(block), "", "", 0):
            code = _code(spot, type_, record, sealed, looked_at)
            if code is not None:
                places.setdefault((code, spot.path), []).append(block)
    for (code, path), blocks in places.items():
        where = "the stack's outputs" if type_ == STACK_TYPE else " and ".join(blocks)
        message = (
            f"a value that is sealed elsewhere stands in clear in {where}"
            if code is Code.COPY
            else f"what looks like a secret stands in clear in {where}"
        )
        yield _finding(code, settings, message, _SEAL_IT, urn=urn, path=path)


def _code(
    spot: Spot, type_: str, record: Mapping[str, Any], sealed: _Sealed, looked_at: dict[tuple[str, str], bool]
) -> Code | None:
    """What is wrong with a text, if anything."""
    key = spot.name, spot.text
    if key not in looked_at:
        looked_at[key] = _is_secret(spot.name, spot.text)
    if looked_at[key] or _holds_secrets(spot, type_, record):
        return Code.EXPORT if type_ == STACK_TYPE else Code.RESOURCE
    if len(spot.text) >= _LEAST and any(text in spot.text for text in sealed.texts):
        return Code.COPY
    return None


def _holds_secrets(spot: Spot, type_: str, record: Mapping[str, Any]) -> bool:
    """Whether the property is for secrets alone, by what is known of its type or by what the state says of it."""
    if not spot.text or spot.name in _PUBLIC_KEYS:
        return False
    if spot.held:
        return True
    marked = record.get("additionalSecretOutputs")
    if isinstance(marked, list) and re.split(r"[.\[]", spot.path, maxsplit=1)[0] in marked:
        return True
    return any(type_ == other and f"{spot.path}.".startswith(f"{path}.") for other, path in _HELD_SECRET)


def _is_secret(name: str, text: str) -> bool:
    """Whether a text holds a secret, itself or decoded. Certificates and public keys are none."""
    name = "" if name in _IDEMPOTENCY else name
    plain = patterns.without_certificates(text).strip()
    if len(plain) < _LEAST and not patterns.looks_secret(name, plain):
        return False
    if _is_kubeconfig(plain):
        return _CREDENTIAL.search(plain) is not None or patterns.kind(plain) is not None
    if (name == "client-key-data" and len(plain) >= _LEAST_KEY) or patterns.looks_secret(name, plain):
        return True
    if any(character in plain for character in "\n=") and any(patterns.found_in(plain)):
        return True
    decoded = _decoded(plain)
    return decoded is not None and decoded != text and _is_secret("", decoded)


def _is_kubeconfig(text: str) -> bool:
    return all(word in text for word in ("clusters", "users", "contexts"))


def _decoded(text: str) -> str | None:
    """The text that base64 stands for; None where it stands for none."""
    if len(text) % 4 or _BASE64.fullmatch(text) is None:
        return None
    try:
        decoded = base64.b64decode(text, validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return None
    return decoded if decoded.isprintable() or "\n" in decoded else None


def _spots(value: Any, path: str, name: str, depth: int, *, held: bool = False) -> Iterator[Spot]:
    """The plain texts below a value, those in JSON that is held as text included. What is sealed is left out."""
    if depth > _DEEPEST:
        return
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from _spots(item, f"{path}[{index}]", name, depth + 1, held=held)
    elif isinstance(value, Mapping):
        if _SIGNATURE not in value:
            yield from _entries(value, path, depth, held=held)
    elif isinstance(value, str) and value:
        parsed = _parsed(value) if value[0] in "[{" else None
        if isinstance(parsed, Mapping | list):
            yield from _spots(parsed, path, name, depth + 1, held=held)
        else:
            yield Spot(path, name, value, held)


def _entries(block: Mapping[str, Any], path: str, depth: int, *, held: bool) -> Iterator[Spot]:
    """Those of an object; where it is a variable of an environment, its `name` tells what its `value` is."""
    called = block.get("name", block.get("key"))
    is_secret = block.get("kind") == "Secret" and block.get("apiVersion") == "v1"
    for key, item in block.items():
        if not path and key in _IDENTIFIERS:
            continue
        name = called if key == "value" and isinstance(called, str) else key
        step = _HIDDEN if patterns.kind(key) else f'"{key}"' if re.search(r"[.\[\]\"]", key) else key
        below = held or (is_secret and key in ("data", "stringData"))
        yield from _spots(item, f"{path}.{step}" if path else step, name, depth + 1, held=below)


def _parsed(text: Any) -> Any:
    try:
        return json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        return None


def _finding(
    code: Code, settings: Settings, message: str, hint: str, *, urn: str | None = None, path: str | None = None
) -> Finding | None:
    enforced = level(settings, code, Concern.SECRETS, code.weight)
    if enforced is Enforcement.DISABLED:
        return None
    return Finding(
        code=code.value,
        severity=Severity.ERROR if enforced is Enforcement.MANDATORY else Severity.WARNING,
        source=Source.POLICY,
        message=message,
        hint=hint,
        urn=urn,
        path=path,
    )
