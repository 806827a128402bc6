"""Takes secrets out of what a program says itself (its errors, what it prints and logs), and out of reports.

A program may show a secret in another form, or a part of it: `repr`, JSON, base64, a URL, one field of a connection
string. Its messages are searched for all of these. A report is searched for whole secrets. What is marked as secret by
itself is hidden there whatever it looks like, but for a closed list of words that a report needs, such as regions; so
is what has the name of a credential in an object that is marked. What is only beside a secret, in one object with it or
in one `Output.all`, is hidden where it does not look like a name. A property that has received a marked value is hidden
whatever it holds (`penstock.secrets.withheld`): short words are left alone elsewhere.
"""

from __future__ import annotations

import base64
import html
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Any, Final, NamedTuple
from urllib.parse import quote, quote_plus

from penstock.graph.graph import Resource
from penstock.graph.values import ENCRYPTED, REDACTED, Secret
from penstock.secrets import decoding, detection, forms, properties

_SHORTEST: Final = 3
"""Shorter secrets are in many words by chance; the Pulumi CLI leaves those, too."""

_SHORT: Final = 6
"""Below this length only a whole word is a secret, and no part of one is."""

_NESTED: Final = (dict, list, tuple, Mapping)
_PART: Final = 6
_TELLING_PART: Final = 8
_LEAST_IN_REPORTS: Final = 8

_WORDS: Final = """
    true false none null yes no on off dev test tests stage staging prod production admin root user users main
    master default name names key keys value values data host port local localhost latest public private http
    https tcp udp aws gcp azure kubernetes postgres postgresql mysql redis string number object error secret
    password token bucket cluster config network subnet instance database storage
    enabled disabled required optional allowed denied
    mariadb oracle sqlserver aurora aurora-mysql aurora-postgresql mongodb memcached opensearch valkey
"""
_COMMON: Final = frozenset(_WORDS.split())
"""Words that are in any text, whatever somebody marked as secret."""

_NAME: Final = re.compile(r"[a-z]+\d{0,2}(?:[-._/:][a-z]*\d{0,2}[a-z]?)*")
_LONGEST_NAME: Final = 20
"""What looks like a name of something (`us-central1-a`, `aurora-postgresql`, `nginx:1.25`); passphrases are longer."""

_PLACE: Final = re.compile(r"(?:[a-z]{2,4}-(?:gov-|iso[a-z]?-)?[a-z]{4,9}-?\d{1,2}|global|us|eu|asia)(?:-?[a-z])?")
"""A region or a zone: us-east-1, us-central1-a."""

_MACHINE: Final = re.compile(
    r"(?:(?:db|cache|ml)\.)?[a-z][a-z0-9-]{0,14}\.(?:nano|micro|small|medium|large|metal|\d{0,3}xlarge)(?:-\w{1,8})?"
    r"|[a-z]\d[a-z]?-[a-z]{4,10}-\d{1,4}[a-z]{0,2}|Standard_[A-Z]+\d+[a-z]*(?:_[A-Za-z0-9]+)*"
)
"""A machine type: p5.48xlarge, a3-highgpu-8g, Standard_ND96isr_H100_v5."""

_PLAIN_DATA: Final = re.compile(
    r"\d{1,3}(?:\.\d{1,3}){3}(?:/\d{1,2})?|v?\d{1,4}(?:\.\d{1,5}){1,3}(?:-[a-z]{1,8}[.\d]*)?"
    r"|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)"
)
"""An address or a range of them, a version, and a time."""

_LEAST_MARKED: Final = 4
"""The length from which a value that is marked as secret is hidden in reports, digits too."""

_LONGEST_CREDENTIAL: Final = 400
_BEGINNING: Final = 5
"""The characters or bytes that a spelled text is searched by first."""
_LONGEST_SPELLED: Final = 200
"""The length to which a text is known with whatever between its characters; longer ones as lists are printed."""

_TAKEN_FOR_ASCII: Final = str.maketrans(
    {
        "\N{LATIN SMALL LETTER LONG S}": "s",
        "\N{LATIN SMALL LETTER DOTLESS I}": "i",
        "\N{LATIN CAPITAL LETTER I WITH DOT ABOVE}": "i",
        "\N{KELVIN SIGN}": "k",
    }
)
"""The characters beyond ASCII that `re.IGNORECASE` takes for letters of it."""

_BOUNDARY: Final = re.compile(r"-----(?:BEGIN|END) [A-Z0-9 ]{1,40}-----")
"""The first and last lines of a certificate or a key, which are the same in all."""
_BOUNDARY_IN_BASE64: Final = "LS0tLS1"
_LONGEST_BOUNDARY: Final = 84
"""Of base64: what is longer is more than one such line."""

_ACCOUNT: Final = re.compile(r"\d{12}")
_WORD: Final = r"(?<![A-Za-z0-9]){}(?![A-Za-z0-9])"


class _Spelled(NamedTuple):
    """A pattern of a text with something between its characters, and of its beginning, which compiles in less time."""

    beginning: str
    whole: str


class SecretPatterns:
    """The patterns of some secrets: those that are in a text, and all of them as one to replace what they find.

    Patterns are in small letters: without regard to case they find the same, and a text in small letters is searched
    in a third of the time that this takes. Those of letters beyond ASCII have no such form.
    """

    def __init__(self, forms: set[str], spelled: set[str]) -> None:
        self._forms = sorted(set(map(_small, forms)), key=lambda form: (-len(form), form))
        self._least_spelled = min((2 * len(text) - 1 for text in spelled), default=0)
        self._spelled = [
            each for number, text in enumerate(sorted(spelled)) for each in _spelled(text, _small(text), str(number))
        ]

    def of_those_in(self, texts: Iterable[str]) -> re.Pattern[str] | None:
        """Return one pattern of the secrets that are in any of some texts; None where none is."""
        texts = [*texts]
        searched = _Searched(texts)
        found = [*filter(searched.matches, map(_pattern, filter(searched.may_have, self._forms)))]
        long = _Searched(text for text in texts if len(text) >= self._least_spelled)
        found += [each.whole for each in self._spelled if long.matches(each.beginning) and long.matches(each.whole)]
        return _joined(found) if found else None

    def together(self) -> re.Pattern[str]:
        """Return one pattern of all: the longest first; numbers and short texts count as a whole."""
        return _joined([*map(_pattern, self._forms), *(each.whole for each in self._spelled)])


class _Searched:
    """Some texts, each on lines of its own, that are searched at once."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._text = "\n".join(texts)
        self._small = _folded(self._text)

    def may_have(self, form: str) -> bool:
        return not form.isascii() or form in self._small

    def matches(self, pattern: str) -> bool:
        found = re.search(pattern, self._small) if pattern.isascii() else _joined([pattern]).search(self._text)
        return found is not None


class Redaction:
    """Knows the secrets of one run: of its configuration, and what the program and its resources mark as secret."""

    def __init__(self, config: Mapping[str, str], secret_keys: Sequence[str]) -> None:
        named = (key for key in config if forms.names_a_secret(key.rpartition(":")[2]))
        self._texts: set[str] = set()
        self._marked: set[str] = set()
        self._numbers: set[str] = set()
        self._keys: set[str] = set()
        self._unread: list[Resource] = []
        self._known: tuple[int, ...] = ()
        self._patterns: tuple[re.Pattern[str] | None, frozenset[str]] = None, frozenset()
        for key in {*secret_keys, *named}:
            self.learn_value(config.get(key, ""))
            self.learn_value(_configured(config.get(key, "")))
        self._texts.discard(ENCRYPTED)
        self._marked.discard(ENCRYPTED)

    @classmethod
    def of_graph(cls, graph: Iterable[Resource]) -> Redaction:
        """Return what hides the secrets of resources that no run registered."""
        found = cls({}, ())
        found._unread.extend(graph)
        return found

    def learn(self, resource: Resource) -> None:
        """Takes note of a resource; it is read when something is said."""
        self._unread.append(resource)

    def include(self, other: Redaction) -> None:
        """Takes note of the secrets of another run, which a comparison with it shows, too."""
        other._read()
        self._texts |= other._texts
        self._marked |= other._marked
        self._numbers |= other._numbers
        self._keys |= other._keys

    def learn_value(self, value: Any) -> None:
        """Takes note of a value that is secret, with all that is in it."""
        value = value.value if isinstance(value, Secret) else value
        self._texts.update(_texts(value))
        if isinstance(value, Mapping | list | tuple):
            self._marked.update(_named_as_credentials(value, ""))
        else:
            self._marked.update(_texts(value))
            if isinstance(value, int | float):
                self._numbers.update(_texts(value))
        self._keys.update(_keys(value))

    def of(self, text: str) -> str:
        """The text of a program without secrets in whatever form, and without what has a well-known form of one."""
        if len(text) < _SHORTEST:
            return text
        whole, parts = self._whole_and_parts()
        if whole is not None:
            text = hidden_by(whole, text)
        return detection.without_secrets(_without_parts(text, parts))

    def for_reports(self) -> SecretPatterns | None:
        """The patterns of the secrets that a report must not have in any form; None where there are none."""
        self._read()
        found = self._telling() | set(filter(detection.is_random, self._keys))
        return SecretPatterns({form for text in found for form in _forms(text)}, found) if found else None

    def _whole_and_parts(self) -> tuple[re.Pattern[str] | None, frozenset[str]]:
        """A pattern of all secrets, and the parts of the longer ones; both made anew once there are more secrets."""
        self._read()
        known = (len(self._texts), len(self._keys), len(os.environ))
        if self._known != known:
            found = {*self._texts, *filter(_is_telling, self._keys), *_of_environment()}
            found = {text for text in found if len(text) >= _SHORTEST and text.casefold() not in _COMMON}
            texts = {text for text in found if text in self._marked or not _is_ordinary(text)}
            long = {text for text in texts if len(text) >= _SHORT}
            forms = {form for text in long for form in _forms(text)} | texts
            whole = SecretPatterns(forms, long).together() if forms else None
            telling = {*filter(_is_telling, texts), *self._hidden_everywhere()}
            # In this order: a thread that prints meanwhile must not take the old patterns for all.
            self._patterns, self._known = (whole, _parts(telling)), known
        return self._patterns

    def _telling(self) -> set[str]:
        return {*filter(_is_telling, self._texts), *self._hidden_everywhere()}

    def _hidden_everywhere(self) -> Iterator[str]:
        """Marked texts and numbers; one of twelve digits is an account as a text, and no account as a number."""
        yield from filter(_is_hidden_everywhere, self._marked)
        yield from filter(_ACCOUNT.fullmatch, self._numbers)

    def _read(self) -> None:
        for resource in self._unread:
            for block in (resource.inputs, resource.outputs):
                for secret in _secrets_in(block, resource.type):
                    self.learn_value(secret)
        self._unread.clear()


def hidden_by(pattern: re.Pattern[str], text: str) -> str:
    """A text without what a pattern of secrets finds in it, or in what is encoded in it."""
    return decoding.without_wrapped(
        pattern.sub(REDACTED, text), lambda inner: pattern.search(inner) is not None, REDACTED
    )


def _of_environment() -> Iterator[str]:
    """The values of environment variables that are called as secrets are, but for paths and addresses."""
    for name, value in os.environ.items():
        if len(value) >= _SHORT and forms.names_a_secret(name) and detection.is_literal(value):
            yield value


def _configured(text: str) -> Any:
    """A value of the configuration, with what is in it if it is an object."""
    if text.startswith(("{", "[")):
        try:
            return [text, json.loads(text)]
        except ValueError:
            return text
    return text


def _secrets_in(block: Mapping[str, Any], type_: str) -> Iterator[Any]:
    """What is marked as secret, and the texts under names of credentials, which nobody has marked."""
    waiting: list[tuple[Any, str, str]] = [(block, "", "")]
    may_hold = properties.may_hold_secrets(type_)
    while waiting:
        value, path, name = waiting.pop()
        for step, item, called in detection.named_items(value, name):
            if isinstance(item, str):
                may_be_one = (may_hold or forms.names_a_secret(called)) and _has_length(item)
                if may_be_one and _is_plain_credential(item, type_, _below(path, step), called):
                    yield item
            elif isinstance(item, Secret):
                yield item.value
            elif isinstance(item, _NESTED):
                waiting.append((item, _below(path, step), called))


def _has_length(text: str) -> bool:
    return _SHORT <= len(text) <= _LONGEST_CREDENTIAL


def _below(path: str, step: str | int) -> str:
    if not isinstance(step, str):
        return path
    return f"{path}.{step}" if path else step


def _is_plain_credential(text: str, type_: str, path: str, name: str) -> bool:
    if properties.holds_secrets(type_, path):
        return detection.is_literal(text)
    if not forms.names_a_secret(name) or properties.is_harmless_token(type_, path):
        return False
    return detection.looks_secret(name, text) or (detection.is_literal(text) and not _NAME.fullmatch(text))


def _texts(value: Any) -> Iterator[str]:
    """All texts and numbers of a value, and the lines of texts that have several."""
    if isinstance(value, str):
        lines = filter(_is_telling, map(str.strip, value.splitlines())) if "\n" in value else ()
        yield from (text for text in (value, *lines) if not _is_boundary(text))
    elif isinstance(value, int | float) and not isinstance(value, bool):
        number = str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
        if len(number) > _SHORTEST:
            yield number
    elif isinstance(value, Secret):
        yield from _texts(value.value)
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item)


def _is_boundary(text: str) -> bool:
    """Return whether a text is only the first or the last line of a certificate or a key, in base64 or not."""
    if text.startswith(_BOUNDARY_IN_BASE64) and len(text) <= _LONGEST_BOUNDARY:
        with suppress(ValueError):
            text = base64.b64decode(text, validate=True).decode()
    return _BOUNDARY.fullmatch(text.strip()) is not None


def _named_as_credentials(value: Any, name: str) -> Iterator[str]:
    """The texts and numbers under names of credentials, in an object that is secret as a whole."""
    if isinstance(value, Mapping | list | tuple):
        for _, item, called in detection.named_items(value, name):
            yield from _named_as_credentials(item, called)
    elif forms.names_a_secret(name):
        yield from _texts(value)


def _keys(value: Any) -> Iterator[str]:
    """The keys of objects in a value: most are words, and only those that look like secrets are hidden."""
    if isinstance(value, Secret):
        yield from _keys(value.value)
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield str(key)
            yield from _keys(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _keys(item)


def _is_hidden_everywhere(text: str) -> bool:
    """Return whether a text that is marked as secret by itself is none of the few that a report cannot do without."""
    if len(text.strip()) < _LEAST_MARKED or text.casefold() in _COMMON or _ACCOUNT.fullmatch(text):
        return False
    return not (_PLACE.fullmatch(text) or _MACHINE.fullmatch(text) or forms.is_reference(text))


def _is_ordinary(text: str) -> bool:
    """Return whether a text is one of those that any platform has, and that stand beside its secrets in one object."""
    return any(form.fullmatch(text) for form in (_PLACE, _MACHINE, _PLAIN_DATA))


def _is_telling(text: str) -> bool:
    """Return whether a text is long and odd enough to be hidden wherever it occurs."""
    if _is_ordinary(text):
        return False
    if text.isdecimal():
        return len(text) >= _PART and not _ACCOUNT.fullmatch(text)
    mixed = any(map(str.isdigit, text)) and any(map(str.isalpha, text))
    if len(text) < (_SHORT if mixed else _LEAST_IN_REPORTS) or text.casefold() in _COMMON:
        return False
    if detection.kind_of_secret_in(text) is not None:
        return True
    if detection.is_literal(text):
        return not (len(text) < _LONGEST_NAME and _NAME.fullmatch(text))
    is_place = "://" in text or forms.is_reference(text) or _NAME.fullmatch(text.lstrip("/~."))
    return mixed and not is_place


def _forms(text: str) -> Iterator[str]:
    """A text as programs show it: escaped in Python, JSON, XML or a URL, in base64 within more, in hexadecimal."""
    yield text
    if len(text.rstrip("=")) >= _LEAST_IN_REPORTS:
        yield text.rstrip("=")
    yield repr(text)[1:-1]
    yield json.dumps(text)[1:-1]
    yield json.dumps(text, ensure_ascii=False)[1:-1]
    yield html.escape(text)
    yield quote(text, safe="")
    yield quote(text)
    yield quote_plus(text)
    data = text.encode(errors="replace")
    yield data.hex()
    for offset in range(3):
        whole = base64.b64encode(b"\0" * offset + data).decode()
        yield whole[(0, 2, 3)[offset] :]
        # What a text before or after it has a say in is cut off: the first and last characters of the code.
        core = whole[(0, 2, 3)[offset] :].rstrip("=")
        core = core[: len(core) - (1 if (offset + len(data)) % 3 else 0)]
        if len(core) >= _SHORT:
            yield core
            yield core.replace("+", "-").replace("/", "_")


def _spelled(text: str, small: str, name: str) -> Iterator[_Spelled]:
    """Patterns of a text one character or byte after the other, with the same between all; no part tells anything."""
    codes = [str(code) for code in text.encode(errors="replace")]
    for kind, pieces, usual in (("letters", list(small), " "), ("bytes", codes, ", ")):
        if not _SHORT <= len(text) <= _LONGEST_SPELLED:
            yield _Spelled(*(re.escape(usual.join(some)) for some in (pieces[:_BEGINNING], pieces)))
            continue
        named = f"{kind}_{name}"
        first, *others = re.escape(pieces[0]), *_after_each(pieces, named)
        yield _Spelled(*(first + "".join(some) for some in (others[: _BEGINNING - 1], others)))


def _after_each(pieces: Sequence[str], named: str) -> Iterator[str]:
    """Each piece after the first, with what is before it: the same but beside a quote, where `repr` changes its own."""
    known = False
    for left, right in pairwise(pieces):
        if "'" in (left, right):
            yield rf"[\s\S]{{1,4}}?{re.escape(right)}"
        else:
            yield (f"(?P={named})" if known else rf"(?P<{named}>[\s\S]{{1,4}}?)") + re.escape(right)
            known = True


def _parts(texts: Iterable[str]) -> frozenset[str]:
    """The parts of texts, in all their forms, by which more of them is recognised."""
    return frozenset(
        form[start : start + _PART].casefold()
        for text in texts
        for form in _forms(text)
        for start in range(len(form) - _PART + 1)
    )


def _small(text: str) -> str:
    return text.lower() if text.isascii() else text


def _folded(text: str) -> str:
    """A text in which each character is small that a pattern without regard to case takes for one of ASCII's."""
    taken = {code: small for code, small in _TAKEN_FOR_ASCII.items() if chr(code) in text}
    return (text.translate(taken) if taken else text).lower()


def _joined(patterns: Sequence[str]) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


def _pattern(text: str) -> str:
    escaped = re.escape(text)
    if text.isdecimal():
        return rf"(?<![\d.]){escaped}(?!\d)"
    is_word = text.isalnum() if len(text) < _SHORT else len(text) < _LEAST_IN_REPORTS and text.isalpha()
    return _WORD.format(escaped) if is_word else escaped


def _without_parts(text: str, parts: frozenset[str]) -> str:
    """A text without what it has in common with secrets, where that is more than a word."""
    if not parts:
        return text
    folded = text.casefold()
    if len(folded) != len(text):
        folded = text.lower() if len(text.lower()) == len(text) else text
    hits = [start for start in range(len(folded) - _PART + 1) if folded[start : start + _PART] in parts]
    spans: list[list[int]] = []
    for start in hits:
        if spans and start <= spans[-1][1]:
            spans[-1][1] = start + _PART
        else:
            spans.append([start, start + _PART])
    for start, end in reversed(spans):
        if _is_telling_part(text[start:end]):
            text = f"{text[:start]}{REDACTED}{text[end:]}"
    return text


def _is_telling_part(text: str) -> bool:
    """Return whether a part of a secret is no word by itself."""
    if text.casefold().strip() in _COMMON:
        return False
    return len(text) >= _TELLING_PART or any(character.isdigit() for character in text) or not text.islower()
