"""Takes secrets out of a description before anything else looks at it, so that no message can repeat one.

The forms are those that the issuers document; a value under a key such as `password` counts whatever its form.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from penstock.spec.codes import Code
from penstock.spec.problems import Coded, Problem
from penstock.spec.wording import DEEPEST, Path

HIDDEN = "(hidden)"
"""What stands in messages and data where a secret stood."""

# Random text has letters of both cases and digits. The look ahead is bounded, or a long value would take minutes.
_LOWER, _UPPER, _DIGIT = (rf"(?=[\w/+-]{{0,39}}{characters})" for characters in ("[a-z]", "[A-Z]", "[0-9]"))
_FORMS = (
    ("an AWS access key", r"(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])"),
    ("an AWS secret access key", rf"(?<![\w/+:.@-]){_LOWER}{_UPPER}{_DIGIT}[A-Za-z0-9/+]{{40}}(?![\w/+=.@-])"),
    ("a private key", r"-----BEGIN [A-Z ]*PRIVATE KEY-----(?:.*-----END [A-Z ]*PRIVATE KEY-----|.*)"),
    ("a GitHub token", r"gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}"),
    ("a GitLab token", r"glpat-[A-Za-z0-9_-]{20,}"),
    ("a Hugging Face token", r"hf_[A-Za-z0-9]{30,}"),
    ("an NVIDIA API key", r"nvapi-[A-Za-z0-9_-]{20,}"),
    ("a model provider's API key", rf"(?<![A-Za-z0-9])sk-{_UPPER}{_DIGIT}[\w-]{{20,}}"),
    ("a Slack token", r"xox[abeprs]-[A-Za-z0-9-]{10,}"),
    ("a Slack webhook", r"hooks\.slack\.com/(?:services|workflows|triggers)/[\w/]{20,}"),
    ("a Stripe key", r"(?<![A-Za-z0-9])[rs]k_live_[A-Za-z0-9]{16,}"),
    ("a PyPI token", r"pypi-AgE[\w-]{20,}"),
    ("a signed web token", r"(?<![\w-])eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]*"),
    ("a Google API key", r"AIza[A-Za-z0-9_-]{35}"),
    ("a password in an address", r"(?<=://)[^\s/:@]*:[^\s/@]+(?=@)"),
)
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
_HINT = (
    "Name the secret under addons.secrets.names and put its value into the store. "
    "One that was committed has been read: replace it."
)


def hidden(text: str) -> str:
    """The text without what looks like a secret."""
    for _, form in _forms():
        text = form.sub(HIDDEN, text)
    return text


def removed(data: Any) -> tuple[Any, list[Coded]]:
    """A copy of plain data without secrets, and a problem for each that was there, in clear or encrypted by Pulumi."""
    problems: list[Coded] = []
    return _copy(data, (), problems), problems


def _copy(value: Any, path: Path, problems: list[Coded]) -> Any:
    if len(path) > DEEPEST:
        message = f"Blocks and lists are nested more than {DEEPEST} levels deep."
        problems.append((Code.TOO_COMPLEX, Problem(path[:1], message)))
        return {}
    if isinstance(value, Mapping):
        if list(value) == ["secure"] and isinstance(value["secure"], str):
            problem = Problem(path, "No field of the description takes an encrypted value.", _HINT)
            problems.append((Code.SECRET, problem))
            return HIDDEN
        return {key: _entry(key, item, path, problems) for key, item in _safe_keys(value, path, problems).items()}
    if isinstance(value, list | tuple):
        return [_copy(item, (*path, index), problems) for index, item in enumerate(value)]
    if isinstance(value, str) and (kind := _kind(value)):
        problems.append((Code.SECRET, Problem(path, f"What stands here looks like {kind}.", _HINT)))
        return HIDDEN
    return value


def _entry(key: str, value: Any, path: Path, problems: list[Coded]) -> Any:
    if _names_a_secret(key) and _is_plain(value):
        message = f"The value of {key!r} looks like a secret in clear."
        problems.append((Code.SECRET, Problem((*path, key), message, _HINT)))
        return HIDDEN
    return _copy(value, (*path, key), problems)


def _safe_keys(block: Mapping[Any, Any], path: Path, problems: list[Coded]) -> dict[str, Any]:
    safe = {}
    for key, value in block.items():
        name = str(key)
        if kind := _kind(name):
            name = HIDDEN
            problems.append((Code.SECRET, Problem((*path, name), f"A key here looks like {kind}.", _HINT)))
        safe[name] = value
    return safe


def _kind(text: str) -> str | None:
    """What secret a text contains, if any."""
    return next((kind for kind, form in _forms() if form.search(text)), None)


def _names_a_secret(key: str) -> bool:
    return key.lower().replace("-", "").replace("_", "").endswith(_NAMES) or _LAST_WORDS.fullmatch(key) is not None


def _is_plain(value: Any) -> bool:
    if isinstance(value, str):
        return bool(value) and value.lower() not in ("true", "false") and not value.startswith(_REFERENCES)
    return isinstance(value, int | float) and not isinstance(value, bool)


@cache
def _forms() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((kind, re.compile(form, re.DOTALL)) for kind, form in _FORMS)
