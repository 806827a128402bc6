"""Detection of secrets in plain text: by form, or by name together with how random the text looks.

The forms and names are data that descriptions are searched by, too (`penstock.catalog.secret_forms`). No function
here shows the text that it found, so that no message can repeat it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from math import log2
from typing import Any

from penstock.catalog import secret_forms

_PLACEHOLDER = re.compile(
    r"\$[{(]|(?-i:\$[A-Z_]{2})|(?:^|:)\$\w+$|\{\{|%\(|^<.*>$|\*{3}|x{6,}|^(?:change-?me|example|redacted|placeholder|todo)$",
    re.IGNORECASE,
)
"""What another program fills in, or what a reader shall."""
_ELSEWHERE = re.compile(r"(?:\.{0,2}/|~/|[A-Za-z][\w+.-]*://|file:|env:|gcp-sm:|aws-sm:|secretRef\b)[^@]*")
"""Paths and addresses: where a secret lies, unless a password is in the address."""
_PUBLIC = re.compile(r"-----BEGIN (CERTIFICATE|PUBLIC KEY|RSA PUBLIC KEY)-----.*?-----END \1-----", re.DOTALL)
_PASSWORD = re.compile(r"(?i:.*(?:pass(?:word|wd|phrase|code)|pwd|\bpass|[a-z\d]_pass))")
_PIECE = re.compile(r"[A-Za-z0-9+]+")
_SCHEME = re.compile(r"\A(?:basic|bearer|token)[ \t]+", re.IGNORECASE)
"""Stands before the credential in a header for authorization."""
_SWITCHES = ("true", "false", "none", "null", "yes", "no", "on", "off", "0", "1")
"""What turns something on or off, such as ALLOW_EMPTY_PASSWORD."""
_LEAST_LENGTH = 12
_LEAST_PIECE = 8
_LEAST_BITS = 3.0
"""Shannon's entropy: forty random hexadecimal digits have 3.6 bits a character, a word that is repeated has less."""

_FILLED_IN = r"\$\{[^}\n]*\}|\$\([^)\n]*\)"
_BARE = rf"""(?P<bare>(?:{_FILLED_IN}|[^\s"',;{{}}()\[\]`]){{1,400}}+)(?![(\[])"""
"""Something without quotes: no call of a function, and whole what a shell or a framework fills in."""
_VALUE = rf"""(?:"(?P<quoted>[^"\n]{{1,400}})"|'(?P<single>[^'\n]{{1,400}})'|{_BARE})"""
_NAME = r"(?P<name>[A-Za-z_][\w.-]{2,60})"
_ASSIGNED = re.compile(rf"""(?:^|[\s;{{,("']|--){_NAME}["']?[ \t]?=[ \t]?{_VALUE}""", re.MULTILINE)
_FLAG = re.compile(rf"""(?:^|[\s"'])--?{_NAME}(?:[ \t]+|["'],[ \t]{{0,4}})(?!["']?-){_VALUE}""", re.MULTILINE)
_ONLY_FLAG = re.compile(r"--?[A-Za-z][\w.-]{1,60}")
_ENTRY = re.compile(rf"""(?:^|[\s{{,"']){_NAME}(?:["'][ \t]?:[ \t]{{0,4}}|[ \t]?:[ \t]{{1,4}}){_VALUE}""", re.MULTILINE)
_PAIR = re.compile(
    rf"""(?<![\w.-])(?:name|key)["']?[ \t]?:[ \t]{{0,4}}["']?{_NAME}["']?,?\s{{0,80}}["']?"""
    rf"""value["']?[ \t]?:[ \t]{{0,4}}{_VALUE}"""
)
"""A name and its value in a script, on a command line, in a file of YAML or JSON, and among a container's variables."""


def looks_secret(name: str, value: str) -> bool:
    """True if a value is a secret in clear: it has a secret's form, or it is under a suggestive name and looks random.

    Under a name of passwords every value counts. Paths, references to secrets and placeholders do not.
    """
    names = (name, name.removesuffix("s"))  # tokens are as secret as a token is
    return kind_of_secret_in(value) is not None or any(_is_under_telling_name(each, value) for each in names)


def flag_before(items: Sequence[object], index: int) -> str | None:
    """Return the flag in a list of arguments that has the item at an index for its value: `--password`, `hunter2`."""
    flag = items[index - 1] if 0 < index < len(items) else None
    if not isinstance(flag, str) or not _ONLY_FLAG.fullmatch(flag) or str(items[index]).startswith("-"):
        return None
    name = flag.lstrip("-")
    return name if secret_forms.names_a_secret(name) else None


def variable_name(block: Mapping[str, Any]) -> str:
    """Return the name of a variable that is written as an object with `name` or `key`, and `value`; empty for none."""
    names = (block[key] for key in ("name", "key") if isinstance(block.get(key), str))
    return next(names, "") if "value" in block else ""


def named_items(value: Mapping[str, Any] | Sequence[Any], name: str) -> Iterator[tuple[str | int, Any, str]]:
    """Yield the items of an object or a list that has a name, each with its step and what it is called itself."""
    if isinstance(value, Mapping):
        called = variable_name(value)
        yield from ((key, item, (key == "value" and called) or str(key)) for key, item in value.items())
    else:
        yield from ((index, item, flag_before(value, index) or name) for index, item in enumerate(value))


def kind_of_secret_in(text: str) -> str | None:
    """Return what secret a text contains, in words such as `a GitHub token`; None where it contains none."""
    text = without_certificates(text)
    for each in secret_forms.possible(text):
        for match in each.form.finditer(text):
            if not _PLACEHOLDER.search(match.group()):
                return each.kind
    return None


def without_certificates(text: str) -> str:
    """A text without the certificates and public keys in it, whose lines of base64 may look like anything."""
    return _PUBLIC.sub("", text) if "-----BEGIN" in text else text


def without_secrets(text: str) -> str:
    """A text without secrets in clear: those that have a known form, and the values of names such as `DB_PASSWORD=`."""
    for each in secret_forms.possible(text):
        text = each.form.sub(secret_forms.HIDDEN, text)
    for form in (_ASSIGNED, _FLAG, _ENTRY, _PAIR) if secret_forms.lines_with_names(text) else ():
        text = form.sub(_with_hidden_value, text)
    return text


def _with_hidden_value(match: re.Match[str]) -> str:
    kind = next((group for group in ("quoted", "single", "bare") if match[group]), "")
    value, whole = match[kind] if kind else "", match.group()
    if _is_argument(match["bare"] or "", match.string[match.end() : match.end() + 1]):
        return whole
    surely = match.re is not _ENTRY or kind != "bare" or is_random(value)
    if not (surely and value != secret_forms.HIDDEN and _is_under_telling_name(match["name"], value)):
        return whole
    start = match.start(kind) - match.start()
    return f"{whole[:start]}{secret_forms.HIDDEN}{whole[start + len(value) :]}"


@lru_cache(maxsize=4096)
def shown(key: str) -> str:
    """A key as a path may show it. Most keys come many times over, and each is searched once."""
    return secret_forms.HIDDEN if kind_of_secret_in(key) else key


def found_in(text: str) -> Iterator[str]:
    """Return what secrets a script or a file contains, in words: `a GitHub token`, `a value of DB_PASSWORD`.

    `passwd: files` is an entry of nsswitch.conf, so that the value of an entry must look random in any case.
    """
    known = kind_of_secret_in(text)
    if known is not None:
        yield known
    for name, value, form in _named(text):
        if (
            _is_under_telling_name(name, value)
            and kind_of_secret_in(value) is None
            and (form is not _ENTRY or is_random(value))
        ):
            yield f"a value of {name}"


def _is_under_telling_name(name: str, value: str) -> bool:
    value = _SCHEME.sub("", value)
    if not secret_forms.names_a_secret(name) or not is_literal(value):
        return False
    return _PASSWORD.fullmatch(name) is not None or is_random(value)


def is_random(value: str) -> bool:
    """True if a text looks made by chance: long, its characters many, letters and digits mixed within one piece."""
    if len(value) < _LEAST_LENGTH or any(character.isspace() for character in value) or entropy(value) < _LEAST_BITS:
        return False
    return any(_is_mixed(piece) for piece in _PIECE.findall(value))


def entropy(text: str) -> float:
    """Shannon's entropy of a text's characters, in bits a character."""
    counts = Counter(text)
    return -sum(count / len(text) * log2(count / len(text)) for count in counts.values())


def _named(text: str) -> Iterator[tuple[str, str, re.Pattern[str]]]:
    """Values with their names, where these may be suggestive; only those of a container are on two lines."""
    lines = secret_forms.lines_with_names(text)
    for form in (_ASSIGNED, _FLAG, _ENTRY, _PAIR) if lines else ():
        searched = text if form is _PAIR else lines
        for match in form.finditer(searched):
            if not _is_argument(match["bare"] or "", searched[match.end() : match.end() + 1]):
                yield match["name"], match["quoted"] or match["single"] or match["bare"], form


def _is_argument(bare: str, behind: str) -> bool:
    """Return whether a value is a variable that a program hands on, as in `connect(password=db_password)`."""
    return behind in (",", ")") and bare.isidentifier() and secret_forms.names_a_secret(bare)


def _is_mixed(piece: str) -> bool:
    """Return whether letters and digits alternate, as they do not in train2048 or in 20260101abcdef."""
    kinds = [character.isdigit() for character in piece]
    turns = sum(first is not second for first, second in pairwise(kinds))
    return len(piece) >= _LEAST_PIECE and turns > 1


def is_literal(value: str) -> bool:
    """Return whether a text stands for itself: it is no switch, no placeholder, and not where something else lies."""
    if not value or value.lower() in _SWITCHES or _PLACEHOLDER.search(value):
        return False
    return not secret_forms.is_reference(value) and _ELSEWHERE.fullmatch(value) is None
