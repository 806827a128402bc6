"""The forms that issuers give to secrets, and the names that people give them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from typing import Annotated, Final

from penstock.catalog.records import Column, records

_NAMES = (
    "password",
    "passwd",
    "passphrase",
    "token",
    "secret",
    "apikey",
    "accesskey",
    "accountkey",
    "secretkey",
    "sharedkey",
    "privatekey",
    "signingkey",
    "sessionkey",
    "encryptionkey",
    "licensekey",
    "passkey",
    "passcode",
    "connectionstring",
    "credential",
    "credentials",
)
_LAST = ("pass", "pwd", "pw", "auth", "authorization", "bearer")
_LAST_WORDS = re.compile(rf"(?:.*[\W_]|.*[a-z](?=[A-Z])|)(?i:{'|'.join(_LAST)})", re.DOTALL)
"""Those that other words end in too, such as bypass."""
_REFERRING = re.compile(r"(?i:.*\bsecret(?:key)?ref\..*)", re.DOTALL)
"""Settings whose value is a Secret with its key, such as `spark.kubernetes.driver.secretKeyRef.DB_PASSWORD`."""
_REFERENCES = ("arn:", "ssm:", "vault:", "op://", "projects/", "@Microsoft.KeyVault(")


HIDDEN: Final = "(hidden)"
"""The text in messages, paths and data in place of a secret."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretForm:
    """The form of one kind of secret. Look-aheads in it are bounded, or a long text would take minutes.

    Every match has one of the `marks`, if there are any: to look for these takes a thirtieth of the time.
    """

    kind: str
    form: Annotated[re.Pattern[str], Column(read=partial(re.compile, flags=re.DOTALL))]
    marks: tuple[str, ...]
    unverified: tuple[str, ...]
    source: str
    as_of: str


def forms() -> tuple[SecretForm, ...]:
    """Every form."""
    return records(SecretForm, "secret_forms")


def possible(text: str) -> Iterable[SecretForm]:
    """The forms of which a text may hold a match."""
    return dict.fromkeys([form for mark, form in _by_mark() if mark in text])


@cache
def _by_mark() -> tuple[tuple[str, SecretForm], ...]:
    """Each form with each of its marks; one without any may match whatever text."""
    return tuple((mark, form) for form in forms() for mark in form.marks or ("",))


def kind_of_secret(text: str) -> str | None:
    """Return what secret a text contains, if any."""
    return next((each.kind for each in possible(text) if each.form.search(text)), None)


@lru_cache(maxsize=4096)
def names_a_secret(key: str) -> bool:
    """Return whether what bears this name is a secret: hfToken, DB_PASSWORD, api-key."""
    if _REFERRING.fullmatch(key):
        return False
    return key.lower().replace("-", "").replace("_", "").endswith(_NAMES) or _LAST_WORDS.fullmatch(key) is not None


def lines_with_names(text: str) -> str:
    """The lines of a text on which something may bear the name of a secret; most have no such word."""
    plain = text.lower().replace("-", "").replace("_", "")
    names = [name for name in (*_NAMES, *_LAST) if name in plain]
    if not names:
        return ""
    lines = zip(text.split("\n"), plain.split("\n"), strict=True)
    return "\n".join(line for line, words in lines if any(name in words for name in names))


def is_reference(text: str) -> bool:
    """Return whether a text only says where a secret lies."""
    return text.startswith(_REFERENCES)
