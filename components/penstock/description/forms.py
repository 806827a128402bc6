"""The forms of references that several blocks of the description take: images, hosts, addresses, keys."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable
from ipaddress import AddressValueError, IPv4Address
from typing import Annotated, Final
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, StringConstraints
from pydantic_core import PydanticCustomError

_LABEL = re.compile(r"[A-Za-z0-9]([-A-Za-z0-9]{0,61}[A-Za-z0-9])?")
_LONGEST_HOST = 253
_MOST_PORTS = 65535

_REGISTRY_HOST = r"[A-Za-z0-9]([-A-Za-z0-9.]*[A-Za-z0-9])?(:[0-9]{1,5})?"
_COMPONENT = r"[a-z0-9]+((\.|_|__|-+)[a-z0-9]+)*"
_TAG = r"(:[A-Za-z0-9_][-.A-Za-z0-9_]{0,127})?(@sha256:[0-9a-f]{64})?"
IMAGE_FORM: Final = rf"^({_REGISTRY_HOST}/)?{_COMPONENT}(/{_COMPONENT})*{_TAG}$"
"""The name of an image (distribution/reference, grammar): small letters after the host, then a tag or digest.

Letters are those of ASCII, one by one: a word of any script, 127 times, takes pydantic 40 ms to read."""

_PEM_BLOCK = re.compile(r"-----BEGIN ([A-Z ]+)-----\n(.*?)-----END \1-----\n?", re.DOTALL)
_SEQUENCE = 0x30
"""How DER of a certificate or key begins (X.690)."""


def is_host(text: str) -> bool:
    """Return whether text is the name of a host or an IPv4 address (RFC 1123): four numbers are always an address."""
    labels = text.split(".")
    if labels[-1].isdecimal():
        try:
            IPv4Address(text)
        except AddressValueError:
            return False
        return True
    return len(text) <= _LONGEST_HOST and all(_LABEL.fullmatch(label) for label in labels)


def is_authority(text: str) -> bool:
    """Return whether text is a host, perhaps with a port."""
    host, colon, port = text.partition(":")
    return is_host(host) and (not colon or (port.isdecimal() and 0 < int(port) <= _MOST_PORTS))


def is_image(text: str) -> bool:
    """Return whether text is a reference of an image, whose host can be one."""
    first, slash, _ = text.partition("/")
    right = re.fullmatch(IMAGE_FORM, text, re.ASCII) is not None
    return right and (not slash or not _is_registry(first) or is_authority(first))


def is_repository(text: str) -> bool:
    """Return whether text is the host of a registry, perhaps with a path in it, to which images are added."""
    host, slash, path = text.partition("/")
    within = not slash or (is_image(text) and not set(":@") & set(path))
    return _is_registry(host) and is_authority(host) and within


def _is_registry(first: str) -> bool:
    """Return whether the first part of an image's name is a registry; otherwise it is a path of the public one."""
    return any(mark in first for mark in ".:") or first == "localhost" or first != first.lower()


def is_https(text: str) -> bool:
    """Return whether text is an address by HTTPS, without a login in it."""
    try:
        split = urlsplit(text)
    except ValueError:
        return False
    return split.scheme == "https" and not re.search(r"\s", text) and is_authority(split.netloc)


def is_pem(text: str, label: str) -> bool:
    """Return whether text is one or several PEM blocks of that label (RFC 7468), each with DER in base64."""
    end = 0
    for block in _PEM_BLOCK.finditer(text):
        if block.start() != end or block[1] != label or not _is_der(block[2]):
            return False
        end = block.end()
    return end == len(text) > 0


def is_ssh_key(text: str) -> bool:
    """Return whether text is a public key of SSH: its type, and base64 that begins with the same type (RFC 4253)."""
    kind, _, rest = text.partition(" ")
    try:
        body = base64.b64decode(rest.partition(" ")[0], validate=True)
    except binascii.Error:
        return False
    return body[4 : 4 + int.from_bytes(body[:4], "big")] == kind.encode()


def _is_der(body: str) -> bool:
    try:
        decoded = base64.b64decode("".join(body.split("\n")), validate=True)
    except binascii.Error:
        return False
    return decoded[:1] == bytes([_SEQUENCE])


def _of_form(is_right: Callable[[str], bool]) -> AfterValidator:
    def check(text: str) -> str:
        if not is_right(text):
            raise PydanticCustomError("form", "not of the form")
        return text

    return AfterValidator(check)


Host = Annotated[str, StringConstraints(min_length=1, max_length=_LONGEST_HOST), _of_form(is_host)]
"""The name or IPv4 address of a host."""

IngressHost = Annotated[
    str,
    StringConstraints(pattern=r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+$", max_length=253),
    _of_form(lambda text: is_host(text) and not text.rpartition(".")[2].isdecimal()),
]
"""The full name of a host in small letters, which an Ingress takes; no address."""

Image = Annotated[str, StringConstraints(pattern=IMAGE_FORM, max_length=512), _of_form(is_image)]
"""A reference of an image, such as registry.example.com/team/trainer:1.0."""

HttpsUrl = Annotated[str, StringConstraints(pattern=r"^https://\S+$"), _of_form(is_https)]
"""An address by HTTPS."""

Certificates = Annotated[
    str,
    StringConstraints(pattern=r"^-----BEGIN CERTIFICATE-----\n"),
    _of_form(lambda text: is_pem(text, "CERTIFICATE")),
]
"""One or several certificates in PEM."""

PemPublicKey = Annotated[
    str,
    StringConstraints(pattern=r"^-----BEGIN PUBLIC KEY-----\n"),
    _of_form(lambda text: is_pem(text, "PUBLIC KEY")),
]
"""A public key in PEM."""

SshPublicKey = Annotated[
    str, StringConstraints(pattern=r"^(ssh-|ecdsa-|sk-)\S+ [A-Za-z0-9+/=]+( .*)?$"), _of_form(is_ssh_key)
]
"""A public key of SSH, as `ssh-keygen` writes it."""

Member = Annotated[str, StringConstraints(pattern=r"^\S(.*\S)?$", max_length=253)]
"""Somebody or a group, as an identity provider calls them: some text without spaces around it."""

ObjectName = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$")]
"""What Kubernetes accepts as the name of most objects (RFC 1123 subdomain)."""

NamespaceName = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$")]
"""What Kubernetes accepts as the name of a namespace."""

ObjectPath = Annotated[
    str, StringConstraints(pattern=r"^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?/[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$")
]
"""An object of another namespace, as NAMESPACE/NAME."""

SecretKey = Annotated[
    str,
    StringConstraints(pattern=r"^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?/[-._a-zA-Z0-9]{1,253}$"),
    Field(description="A Secret that somebody else writes and a key in it, as NAME/KEY."),
]
"""Where a value is that never stands in a description."""
