"""Encrypted values of a stack's configuration: decrypted with the passphrase as Pulumi does, or replaced by stand-ins.

A stack of a passphrase has a salt in its file, `v1:SALT:CHECK`. The key is made of both by PBKDF2 with SHA-256, and a
value is `v1:NONCE:CIPHERTEXT` by AES-256-GCM (pulumi sdk/go/common/resource/config/crypt.go and
pkg/secrets/passphrase/manager.go). What other secrets providers encrypt, only Pulumi can read.
"""

from __future__ import annotations

import os
from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import pbkdf2_hmac
from pathlib import Path
from typing import Any, Final

from penstock.core.distribution import install_command
from penstock.core.findings import Finding, Severity, Source
from penstock.graph.values import ENCRYPTED

_VARIABLE: Final = "PULUMI_CONFIG_PASSPHRASE"
_FILE_VARIABLE: Final = f"{_VARIABLE}_FILE"

_ITERATIONS: Final = 1_000_000
_KEY_BYTES: Final = 32
_CHECK: Final = "pulumi"
"""The text that is encrypted beside the salt, to tell the right passphrase."""

Decrypt = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Opening:
    """How the values of a stack are opened: `decrypt`, or the reason why it cannot be done, with what would help."""

    decrypt: Decrypt | None
    reason: str = ""
    hint: str = ""


def opening(salt: Any) -> Opening:
    """Return how the values of a stack are opened whose file has this salt; None of it for another secrets provider."""
    if not isinstance(salt, str):
        return Opening(None, "only Pulumi can decrypt them")
    try:
        passphrase = _passphrase()
    except OSError as error:
        return Opening(None, f"{_FILE_VARIABLE} cannot be read: {(error.strerror or 'unknown error').lower()}")
    if passphrase is None:
        return Opening(None, "the passphrase of the stack is not given", f"Set {_VARIABLE} or {_FILE_VARIABLE}.")
    try:
        decrypt = _decrypter(passphrase, salt)
    except ImportError:
        return Opening(None, "`cryptography` is not installed", f"Run `{install_command('secrets')}`.")
    except ValueError:
        return Opening(None, f"{_VARIABLE} is not the passphrase of this stack", "Set the right one.")
    return Opening(decrypt)


def opened(value: Any, decrypt: Decrypt | None) -> Any:
    """Return a value of a stack file with its encrypted parts decrypted, or replaced by stand-ins."""
    if isinstance(value, Mapping):
        if is_ciphertext(value):
            return _decrypted(str(value["secure"]), decrypt)
        return {key: opened(item, decrypt) for key, item in value.items()}
    return [opened(item, decrypt) for item in value] if isinstance(value, list) else value


def is_ciphertext(value: Any) -> bool:
    """Return whether a value is what Pulumi writes for an encrypted one."""
    return isinstance(value, Mapping) and set(value) == {"secure"}


def is_encrypted(value: Any) -> bool:
    """Return whether a value is encrypted, or a part of it."""
    if isinstance(value, Mapping):
        return is_ciphertext(value) or any(is_encrypted(item) for item in value.values())
    return isinstance(value, list) and any(is_encrypted(item) for item in value)


def stand_in_findings(values: Mapping[str, Any], how: Opening, file: Path) -> Iterator[Finding]:
    """Yield the finding that names what has a stand-in among the opened values, if there is any."""
    keys = sorted(key for key, value in values.items() if _has_stand_in(value))
    if keys:
        many = len(keys) > 1
        yield Finding(
            code="PROGRAM-008",
            severity=Severity.INFO,
            source=Source.PROGRAM,
            message=f"{', '.join(keys)} {'are' if many else 'is'} encrypted, and the program gets "
            f"{'stand-ins' if many else 'a stand-in'}: {how.reason or 'a value is not of this stack'}",
            hint=how.hint,
            path=f"config.{keys[0]}",
            file=str(file),
        )


def _has_stand_in(value: Any) -> bool:
    if isinstance(value, Mapping | list):
        return any(_has_stand_in(item) for item in (value.values() if isinstance(value, Mapping) else value))
    return bool(value == ENCRYPTED)


def _passphrase() -> str | None:
    if (given := os.environ.get(_VARIABLE)) is not None:
        return given
    file = os.environ.get(_FILE_VARIABLE)
    return Path(file).read_text(encoding="utf-8").strip() if file else None


@cache
def _decrypter(passphrase: str, salt: str) -> Decrypt:
    """The way to decrypt the values of a stack.

    Raises:
        ImportError: the library is not installed.
        ValueError: the salt has another form, or the passphrase is wrong.
    """
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    version, encoded, check = salt.split(":", 2)
    if version != "v1":
        raise ValueError(version)
    cipher = AESGCM(pbkdf2_hmac("sha256", passphrase.encode(), b64decode(encoded), _ITERATIONS, _KEY_BYTES))

    def decrypt(value: str) -> str:
        form, nonce, ciphertext = value.split(":")
        if form != "v1":
            raise ValueError(form)
        try:
            return cipher.decrypt(b64decode(nonce), b64decode(ciphertext), None).decode()
        except InvalidTag:
            raise ValueError("another key") from None

    if decrypt(check) != _CHECK:
        raise ValueError("another passphrase")
    return decrypt


def _decrypted(value: str, decrypt: Decrypt | None) -> str:
    try:
        return decrypt(value) if decrypt is not None else ENCRYPTED
    except ValueError:
        return ENCRYPTED
