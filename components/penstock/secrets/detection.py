"""Detection of secrets in plain text: by form, or by name together with how random the text looks.

The forms and names are data that descriptions are searched by, too (`penstock.secrets.forms`). No function
here shows the text that it found, so that no message can repeat it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from math import log2
from typing import Any

from penstock.secrets import decoding, forms

_PLACEHOLDER = re.compile(
    r"\$[{(]|(?-i:\$[A-Z_]{2})|(?:^|:)\$(?:\w+|[a-z][\w-]*(?:[.:][\w-]+)+)$|\{\{|%\(|^<.*>$|\*{3}|x{6,}|^(?:change-?me|example|redacted|placeholder|todo)$",
    re.IGNORECASE,
)
"""What another program fills in, or what a reader shall."""
_ELSEWHERE = re.compile(r"(?:\.{0,2}/|~/|[A-Za-z][\w+.-]*://|file:|env:|gcp-sm:|aws-sm:|secretRef\b)[^@]*")
"""Paths and addresses: where a secret lies, unless a password is in the address."""
_PUBLIC = re.compile(r"-----BEGIN (CERTIFICATE|PUBLIC KEY|RSA PUBLIC KEY)-----.*?-----END \1-----", re.DOTALL)
_PASSWORD = re.compile(r"(?i:.*(?:pass(?:word|wd|phrase|code)|pwd|\bpass|[a-z\d]_pass|(?:\b|_)pw|account[-_]?key))")
_PIECE = re.compile(r"[A-Za-z0-9+]+")
_SCHEME = re.compile(r"\A(?:basic|bearer|token)[ \t]+", re.IGNORECASE)
"""Stands before the credential in a header for authorization."""
_SWITCHES = ("true", "false", "none", "null", "yes", "no", "on", "off", "0", "1")
"""What turns something on or off, such as ALLOW_EMPTY_PASSWORD."""
_METHOD = re.compile(r"(?i:.*(?:auth|authorization|bearer))", re.DOTALL)
"""Names of credentials and of ways to authenticate alike: `auth=aws-iam`."""
_OBJECT = re.compile(r"(?i:(?:[\w.-]*(?:existing|pull|tls))?[-_]?secret)")
"""What in Kubernetes and in charts has the name of a Secret for its value."""
_OBJECT_NAME = re.compile(r"[a-z][a-z\d]*(?:[-.][a-z\d]+)*")
_READABLE = re.compile(
    r"[a-z]+|[\d.]{1,5}|[a-z_]+(?:\.[a-z_]+)+|[\w./-]*\.(?:pem|key|crt|cer|p12|json|ya?ml|txt|env|conf)"
)
"""A word, a small number such as a count of tokens, a variable of a program, and a file."""
_LEAST_LENGTH = 12
_LEAST_PIECE = 8
_LEAST_BITS = 3.0
"""Shannon's entropy: forty random hexadecimal digits have 3.6 bits a character, a word that is repeated has less."""

_FILLED_IN = r"\$\{[^}\n]*\}|\$\([^)\n]*\)"
_BARE = rf"""(?P<bare>(?:{_FILLED_IN}|[^\s"',;{{}}()\[\]`]){{1,400}}+)(?![(\[])"""
"""Something without quotes: no call of a function, and whole what a shell or a framework fills in."""
_VALUE = rf"""(?:"(?P<quoted>[^"\n]{{1,400}})"|'(?P<single>[^'\n]{{1,400}})'|{_BARE})"""
_NAME = r"(?P<name>[A-Za-z_][\w.-]{2,60})"
_ASSIGNED = re.compile(rf"""(?:^|[\s;{{,("'?&:]|--){_NAME}["']?[ \t]?=[ \t]?{_VALUE}""", re.MULTILINE)
_FLAG = re.compile(rf"""(?:^|[\s"'])--?{_NAME}(?:[ \t]+|["'],[ \t]{{0,4}})(?!["']?-){_VALUE}""", re.MULTILINE)
_ONLY_FLAG = re.compile(r"--?[A-Za-z][\w.-]{1,60}")
_ENTRY = re.compile(rf"""(?:^|[\s{{,"']){_NAME}(?:["'][ \t]?:[ \t]{{0,4}}|[ \t]?:[ \t]{{1,4}}){_VALUE}""", re.MULTILINE)
_PAIR = re.compile(
    rf"""(?<![\w.-])(?i:name|key)["']?[ \t]?[:=][ \t]{{0,4}}["']?{_NAME}["']?,?\s{{0,80}}["']?"""
    rf"""(?i:value)["']?[ \t]?[:=][ \t]{{0,4}}{_VALUE}"""
)
_ELEMENT = re.compile(rf"""<{_NAME}(?:[ \t][^<>\n]{{0,200}})?>(?P<bare>[^<>\n]{{1,400}})</""")
_LINE = re.compile(
    rf"""^[ \t]*(?:-[ \t]+)?["']?{_NAME}["']?[ \t]?:[ \t]+"""
    r"""(?P<bare>[^\s#"'{}\[\]|>&*!%@`,][^\n#]{0,400}?)[ \t]*(?:[ \t]#[^\n]*)?\r?$""",
    re.MULTILINE,
)
"""A name and its value in a script, on a command line, in a file of YAML or JSON, among a container's variables, in
XML, and on a line of YAML that has nothing else."""
_FORMS = (_ASSIGNED, _FLAG, _ENTRY, _PAIR, _ELEMENT, _LINE)
_VALUES = frozenset(("value", "Value", "VALUE"))
"""The keys of a variable's value beside its name: Kubernetes writes the first, CloudFormation the second."""
_TABLES = ("passwd",)
"""Names of passwords that in clear text are tables of something else: `passwd: files` is an entry of nsswitch.conf."""
_IN_PLACE_OF_ONE = (
    "string str text required optional prompt generate generated random auto disabled enabled "
    "see use ask must should the your a an is stored set by from in"
)
"""The first words of what a schema, a note, or a file that asks for a password has in place of one."""
_STRUCTURE = re.compile(r"""[ \t]*(?:\#.*|---|(?:-[ \t].*)|(?:-[ \t]+)?["']?[\w./ -]+["']?[ \t]?:(?:[ \t].*)?)?\r?""")
"""A line of YAML, and of little else."""
_REMEMBERED = 4096
"""The texts that are searched once for all rules that ask: resources of a platform repeat most of theirs."""

_ELSEWHERE_BELOW = re.compile(
    r"""^([ \t]*)(?:secrets-manager|parameter-store):[ \t]*\n(?:\1[ \t]+[^\n]*(?:\n|\Z))+"""
    r"""|["']?(?:secrets-manager|parameter-store)["']?\s*:\s*\{[^{}]*\}""",
    re.MULTILINE,
)
"""What a buildspec has of other stores: the values are the names of secrets there."""


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
    return name if forms.names_a_secret(name) else None


def variable_name(block: Mapping[str, Any]) -> str:
    """Return the name of a variable that is written as an object with `name` or `key`, and `value`; empty for none.

    CloudFormation and the API of ECS write these words with a capital.
    """
    if block.keys().isdisjoint(_VALUES):
        return ""  # as of most objects
    named = {key.lower(): item for key, item in block.items() if isinstance(key, str)}
    return next((named[key] for key in ("name", "key") if isinstance(named.get(key), str)), "")


def named_items(value: Mapping[str, Any] | Sequence[Any], name: str) -> Iterator[tuple[str | int, Any, str]]:
    """Yield the items of an object or a list that has a name, each with its step and what it is called itself."""
    if isinstance(value, Mapping):
        called = variable_name(value)
        for key, item in value.items():
            yield key, item, called if called and key in _VALUES else str(key)
    else:
        yield from ((index, item, flag_before(value, index) or name) for index, item in enumerate(value))


@lru_cache(_REMEMBERED)
def kind_of_secret_in(text: str) -> str | None:
    """Return what secret a text contains, in words such as `a GitHub token`; None where it contains none."""
    text = without_certificates(text)
    for each in forms.possible(text):
        for match in each.form.finditer(text):
            if not _PLACEHOLDER.search(match.group()):
                return each.kind
    return None


def without_certificates(text: str) -> str:
    """A text without the certificates and public keys in it, whose lines of base64 may look like anything."""
    return _PUBLIC.sub("", text) if "-----BEGIN" in text else text


def without_secrets(text: str) -> str:
    """A text without secrets: known forms, values of names such as `DB_PASSWORD=`, and what encodes either."""
    return decoding.without_wrapped(_without_plain(text), _has_plain, forms.HIDDEN)


def _has_plain(text: str) -> bool:
    return _without_plain(text) != text


def _without_plain(text: str) -> str:
    for each in forms.possible(text):
        text = each.form.sub(forms.HIDDEN, text)
    for form in _FORMS if forms.lines_with_names(text) else ():
        text = form.sub(_with_hidden_value, text)
    return text


def _with_hidden_value(match: re.Match[str]) -> str:
    value, whole = _value_of(match), match.group()
    if value == forms.HIDDEN or not _is_secret_value(match, is_credential):
        return whole
    start = match.start(match.lastgroup or 0) - match.start()
    return f"{whole[:start]}{forms.HIDDEN}{whole[start + len(value) :]}"


def _value_of(match: re.Match[str]) -> str:
    """The value that a form of names and values has found: its last group."""
    return match[match.lastgroup or 0]


def _is_secret_value(match: re.Match[str], is_secret: Callable[[str, str], bool]) -> bool:
    """Return whether a value that stands with its name is a secret, by how sure it is that both belong together."""
    name, value, form = match["name"], _value_of(match), match.re
    if match.lastgroup == "bare" and _is_argument(value, match.string[match.end() : match.end() + 1]):
        return False
    if form is _ENTRY and match.lastgroup == "bare" and not is_random(value):
        return False  # prose has colons, too; what is alone on its line is judged as such
    if form is _LINE and not _is_credential_line(name, value, match.string):
        return False
    return is_secret(name, value)


def _is_credential_line(name: str, value: str, text: str) -> bool:
    """Return whether a line is an entry for a credential: one piece, or a password among nothing but entries."""
    if name.lower() in _TABLES or value.lower().split()[0] in _IN_PLACE_OF_ONE.split():
        return False
    if not _PASSWORD.fullmatch(name):
        return " " not in value and not is_random(value)  # which is found as an entry
    return " " not in value or _is_structured(text)


@lru_cache(maxsize=8)
def _is_structured(text: str) -> bool:
    """Return whether a text has nothing but entries; each of its lines asks."""
    return all(map(_STRUCTURE.fullmatch, text.split("\n")))


def shown(key: str) -> str:
    """A key as a path may show it."""
    return forms.HIDDEN if kind_of_secret_in(key) else key


def found_in(text: str) -> Iterator[str]:
    """Return what secrets a script or a file contains, also in base64: `a GitHub token`, `a value of DB_PASSWORD`."""
    return iter(_found_in(text))


@lru_cache(_REMEMBERED)
def _found_in(text: str) -> tuple[str, ...]:
    return tuple(found for plain in (text, *decoding.unwrapped(text)) for found in _found_plain(plain))


def has_secret(text: str) -> bool:
    """Return whether a script or a file has a secret as it is, and not only encoded."""
    return any(_found_plain(text))


def _found_plain(text: str) -> Iterator[str]:
    known = kind_of_secret_in(text)
    if known is not None:
        yield known
    for match in _named(text):
        if _is_secret_value(match, _is_under_telling_name) and kind_of_secret_in(_value_of(match)) is None:
            yield f"a value of {match['name']}"


def is_credential(name: str, value: str) -> bool:
    """Return whether a report withholds a value because of its name, random or not: `API_TOKEN=Silver_Fox-Run21`.

    Under names other than a password's, single words stay readable, and so does what names a Secret or a method.
    """
    if not forms.names_a_secret(name) or not is_literal(value := _SCHEME.sub("", value)):
        return False
    if _PASSWORD.fullmatch(name) or is_random(value):
        return True
    if _METHOD.fullmatch(name) or _READABLE.fullmatch(value):
        return False
    return not (_OBJECT.fullmatch(name) and _OBJECT_NAME.fullmatch(value))


def _is_under_telling_name(name: str, value: str) -> bool:
    if not forms.names_a_secret(name) or not is_literal(value := _SCHEME.sub("", value)):
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


def _named(text: str) -> Iterator[re.Match[str]]:
    """Values with their names, where these may be suggestive; only those of a container are on two lines."""
    if not forms.lines_with_names(text):
        return
    text = _ELSEWHERE_BELOW.sub("", text)
    lines = forms.lines_with_names(text)
    for form in _FORMS:
        yield from form.finditer(text if form in (_PAIR, _LINE) else lines)


def _is_argument(bare: str, behind: str) -> bool:
    """Return whether a value is a variable that a program hands on, as in `connect(password=db_password)`."""
    return behind in (",", ")") and bare.isidentifier() and forms.names_a_secret(bare)


def _is_mixed(piece: str) -> bool:
    """Return whether letters and digits alternate, as they do not in train2048 or in 20260101abcdef."""
    kinds = [character.isdigit() for character in piece]
    turns = sum(first is not second for first, second in pairwise(kinds))
    return len(piece) >= _LEAST_PIECE and turns > 1


def is_literal(value: str) -> bool:
    """Return whether a text stands for itself: it is no switch, no placeholder, and not where something else lies."""
    if not value or value.lower() in _SWITCHES or _PLACEHOLDER.search(value):
        return False
    return not forms.is_reference(value) and _ELSEWHERE.fullmatch(value) is None
