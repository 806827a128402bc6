"""What secrets look like: the forms that their issuers give them, and the names that people give them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from penstock.catalog.tables import provenance, rows

_NAMES = (
    "password",
    "passwd",
    "passphrase",
    "token",
    "secret",
    "apikey",
    "accesskey",
    "secretkey",
    "privatekey",
    "credentials",
)
_LAST_WORDS = re.compile(r"(?:.*[\W_]|.*[a-z](?=[A-Z])|)(?:(?i:pass|pwd|auth|authorization))", re.DOTALL)
"""Those that other words end in too, such as bypass."""
_REFERENCES = ("arn:", "ssm:", "vault:", "op://", "projects/")


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretForm:
    """What one kind of secret looks like. Look-aheads in it are bounded, or a long text would take minutes."""

    kind: str
    form: re.Pattern[str]
    unverified: tuple[str, ...]
    source: str
    as_of: str


@cache
def forms() -> tuple[SecretForm, ...]:
    """Every form."""
    return tuple(
        SecretForm(kind=row["kind"], form=re.compile(row["form"], re.DOTALL), **provenance(row))
        for row in rows("secret_forms")
    )


def kind(text: str) -> str | None:
    """What secret a text contains, if any."""
    return next((each.kind for each in forms() if each.form.search(text)), None)


def names_a_secret(key: str) -> bool:
    """Whether what bears this name is a secret: hfToken, DB_PASSWORD, api-key."""
    return key.lower().replace("-", "").replace("_", "").endswith(_NAMES) or _LAST_WORDS.fullmatch(key) is not None


def is_reference(text: str) -> bool:
    """Whether a text only says where a secret lies."""
    return text.startswith(_REFERENCES)
