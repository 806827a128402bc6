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
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

from penstock.graph.formatted import formatted_object
from penstock.graph.graph import STACK_TYPE, Graph
from penstock.graph.verdict import Failure, Outcome, Verdict
from penstock.policies import state_rules
from penstock.rules import packs
from penstock.rules.judge import Answer, with_stack
from penstock.rules.rule import Rule
from penstock.rules.settings import Settings
from penstock.secrets import decoding, detection, properties

_SIGNATURE: Final = "4dabf18193072939515e22adb298388d"
_SECRET: Final = "1b47061264138c4ac30d75fd1eb44270"  # noqa: S105 Pulumi's mark of a sealed value, not a secret
"""Pulumi's marks of values that are not plain, and those of secrets."""

_IDENTIFIERS: Final = ("id", "urn", "__meta", "__defaults", "__provider", "__pulumi_raw_state_delta")
"""Keys of outputs that are a resource's id or what a provider keeps for itself."""

_NAMESPACE: Final = "namespace"
"""The entries of the Secret of a service account beside its token and a certificate."""

_CREDENTIAL: Final = re.compile(
    r"""(?:client-key-data|(?<![\w-])(?:id-|refresh-|access-)?token|(?<![\w-])password)["']?\s*:\s*["']?(?!REDACTED|DATA)[^\s"',}{]{8,}"""
)
"""A credential in a kubeconfig; one that asks a command for its token (`exec`) has none."""

_NO_ENCRYPTION: Final = ("b64", "none")
"""Kinds of secrets providers that do not encrypt."""

_BASE64: Final = re.compile(r"[A-Za-z0-9+/]{24,}={0,2}")
_DEEPEST: Final = 60
_LEAST_KEY: Final = 40
"""What a kubeconfig is shown with has DATA+OMITTED for its keys."""

_LEAST: Final = 8
"""The length below which a secret text may occur elsewhere by chance."""


class StoredText(NamedTuple):
    """A text in the properties of a resource, by its path and the key that names it.

    A text is `held` where it is among the data of a Kubernetes Secret, in whatever it is wrapped.
    """

    path: str
    name: str
    text: str
    held: bool = False


@dataclass(slots=True)
class _Sealed:
    """The encrypted values of a state, as far as it also shows them in clear text."""

    is_shown: bool = False
    texts: set[str] = field(default_factory=set)


def answers(content: Mapping[str, Any], graph: Graph, settings: Settings) -> Iterator[Answer]:
    """Yield the failures of the enabled rules on an exported state, whose form has been checked, and on its Graph."""
    found = _answers(content["deployment"], graph)
    return (each for each in found if packs.may_be_enabled(each.rule, settings))


def _answers(deployment: Mapping[str, Any], graph: Graph) -> Iterator[Answer]:
    """Return failures of the state as such at its stack, and the others at their resources, deleted ones too."""
    sealed = _Sealed()
    records = list(_records(deployment))
    for record in records:
        for block in ("inputs", "outputs"):
            _gather(record.get(block), sealed, 0)
    provider = deployment.get("secrets_providers")
    stack = with_stack(graph).of_type(STACK_TYPE)[0]
    for rule, failure in _of_provider(provider if isinstance(provider, Mapping) else {}, sealed):
        yield Answer(rule, stack, Verdict(Outcome.FAIL, (failure,)))
    looked_at: dict[tuple[str, str], bool] = {}
    for record in records:
        urn, type_ = str(record.get("urn")), str(record.get("type"))
        resource = graph.resources.get(urn) or replace(stack, urn=urn, type=type_, name=urn.rpartition("::")[2])
        for rule, failures in _of_record(record, type_, sealed, looked_at).items():
            yield Answer(rule, resource, Verdict(Outcome.FAIL, tuple(failures)))


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
        text = _parsed(value.get("plaintext"))
        if isinstance(text, str) and len(text) >= _LEAST:
            sealed.texts.add(text)


def _of_provider(provider: Mapping[str, Any], sealed: _Sealed) -> Iterator[tuple[Rule, Failure]]:
    """How the state as a whole keeps its secrets."""
    kind, path = str(provider.get("type") or ""), "secrets_providers.type"
    if kind in _NO_ENCRYPTION:
        message = "nothing encrypts the secrets of this state: anyone who has the file reads them"
        yield state_rules.UNSEALED, Failure(message, path=path)
    if kind == "passphrase":
        message = "a passphrase seals the secrets: whoever has left still knows it, and nobody sees who uses it"
        yield state_rules.PASSPHRASE, Failure(message, path=path)
    if sealed.is_shown:
        yield state_rules.SHOWN, Failure("the file shows its secrets: it was exported with --show-secrets")


def _of_record(
    record: Mapping[str, Any], type_: str, sealed: _Sealed, looked_at: dict[tuple[str, str], bool]
) -> dict[Rule, list[Failure]]:
    places: dict[tuple[Rule, str], tuple[str, list[str]]] = {}
    for block in ("inputs", "outputs"):
        for stored in _stored_texts(record.get(block), "", "", 0):
            broken = _broken(stored, type_, record, sealed, looked_at)
            if broken is not None:
                rule, what = broken
                places.setdefault((rule, stored.path), (what, []))[1].append(block)
    found: dict[Rule, list[Failure]] = {}
    for (rule, path), (what, blocks) in places.items():
        where = "the stack's outputs" if type_ == STACK_TYPE else " and ".join(blocks)
        found.setdefault(rule, []).append(Failure(f"{what} in {where}", path=path))
    return found


def _broken(
    stored: StoredText, type_: str, record: Mapping[str, Any], sealed: _Sealed, looked_at: dict[tuple[str, str], bool]
) -> tuple[Rule, str] | None:
    """The rule that a text breaks, if any, and what is wrong with the text."""
    if (formatted := formatted_object(stored.text)) is not None:
        return state_rules.FORMATTED, f"the text of {formatted} is the value, or a part of it,"
    key = "" if properties.is_harmless_token(type_, stored.path) else stored.name, stored.text
    if key not in looked_at:
        looked_at[key] = _is_secret(*key)
    rule = state_rules.EXPORT if type_ == STACK_TYPE else state_rules.RESOURCE
    if looked_at[key]:
        return rule, "a value that looks like a secret is in clear text"
    if _holds_secrets(stored, type_, record):
        return rule, "a value that is to be kept secret is in clear text"
    if len(stored.text) >= _LEAST and any(text in stored.text for text in sealed.texts):
        return state_rules.COPY, "a value that is sealed elsewhere is in clear text"
    return None


def _holds_secrets(stored: StoredText, type_: str, record: Mapping[str, Any]) -> bool:
    """Return whether the property is for secrets alone, by its type or by its mark in the state."""
    marked = record.get("additionalSecretOutputs")
    is_marked = isinstance(marked, list) and re.split(r"[.\[]", stored.path, maxsplit=1)[0] in marked
    if not (is_marked or stored.held or properties.holds_secrets(type_, stored.path)):
        return False
    return stored.name != _NAMESPACE and not _is_public(stored.text)


def _is_public(text: str) -> bool:
    """Return whether a text, itself or decoded, is nothing but certificates and public keys."""
    return not detection.without_certificates(_decoded(text) or text).strip()


def _is_secret(name: str, text: str) -> bool:
    """Return whether a text holds a secret, itself or encoded. Certificates and public keys are none."""
    plain = detection.without_certificates(text).strip()
    if len(plain) < _LEAST and not detection.looks_secret(name, plain):
        return False
    return _holds_one(name, plain) or any(
        _holds_one("", detection.without_certificates(inner).strip()) for inner in decoding.unwrapped(plain)
    )


def _holds_one(name: str, plain: str) -> bool:
    if _is_kubeconfig(plain):
        return _CREDENTIAL.search(plain) is not None or detection.kind_of_secret_in(plain) is not None
    if (name == "client-key-data" and len(plain) >= _LEAST_KEY) or detection.looks_secret(name, plain):
        return True
    return any(character in plain for character in "\n=:") and detection.has_secret(plain)


def _is_kubeconfig(text: str) -> bool:
    return all(word in text for word in ("clusters", "users", "contexts"))


def _decoded(text: str) -> str | None:
    """Return the text that base64 encodes; None where it encodes none."""
    if len(text) % 4 or _BASE64.fullmatch(text) is None:
        return None
    try:
        decoded = base64.b64decode(text, validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return None
    return decoded if decoded.isprintable() or "\n" in decoded else None


def _stored_texts(value: Any, path: str, name: str, depth: int, *, held: bool = False) -> Iterator[StoredText]:
    """The plain texts below a value, those in JSON that is held as text included. What is sealed is left out."""
    if depth > _DEEPEST:
        return
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from _stored_texts(item, f"{path}[{index}]", name, depth + 1, held=held)
    elif isinstance(value, Mapping):
        if _SIGNATURE not in value:
            yield from _entries(value, path, depth, held=held)
    elif isinstance(value, str) and value:
        parsed = _parsed(value) if value[0] in "[{" else None
        if isinstance(parsed, Mapping | list):
            yield from _stored_texts(parsed, path, name, depth + 1, held=held)
        else:
            yield StoredText(path, name, value, held)


def _entries(block: Mapping[str, Any], path: str, depth: int, *, held: bool) -> Iterator[StoredText]:
    """Those of an object; where it is a variable of an environment, its `name` identifies its `value`."""
    called = detection.variable_name(block)
    is_secret = block.get("kind") == "Secret" and block.get("apiVersion") == "v1"
    for key, item in block.items():
        if not path and key in _IDENTIFIERS:
            continue
        name = called if called and key.lower() == "value" else key
        shown = detection.shown(key)
        step = f'"{key}"' if shown == key and re.search(r"[.\[\]\"]", key) else shown
        below = held or (is_secret and key in ("data", "stringData"))
        yield from _stored_texts(item, f"{path}.{step}" if path else step, name, depth + 1, held=below)


def _parsed(text: Any) -> Any:
    try:
        return json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        return None
