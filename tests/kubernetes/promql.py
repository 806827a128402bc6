"""The names in expressions of PromQL: which metrics they read, and which labels they expect there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|\[[^\]]*\]|[a-zA-Z_:][a-zA-Z0-9_:]*|[{}(),]|\S')
_WORD = re.compile(r"[a-zA-Z_:][a-zA-Z0-9_:]*$")
_WORDS = frozenset(["and", "or", "unless", "bool", "offset"])
_LISTS = frozenset(["by", "without", "on", "ignoring", "group_left", "group_right"])


@dataclass(frozen=True)
class Names:
    """What an expression names.

    Attributes:
        read: each metric, with the labels that it is chosen by.
        grouped: the labels by which series are joined or added up.
        made: the labels that the expression itself gives.
    """

    read: tuple[tuple[str, frozenset[str]], ...]
    grouped: frozenset[str]
    made: frozenset[str]


def names(expr: str) -> Names:
    """The names in an expression."""
    tokens = _TOKEN.findall(expr)
    read, grouped = [], set[str]()
    at = 0
    while at < len(tokens):
        token, after = tokens[at], tokens[at + 1] if at + 1 < len(tokens) else ""
        if token in _LISTS and after == "(":
            end = tokens.index(")", at)
            grouped |= {each for each in tokens[at + 2 : end] if each != ","}
            at = end
        elif _WORD.match(token) and token not in _WORDS and not _is_called(after) and not _is_number(tokens, at):
            labels = frozenset(_chosen(tokens, at + 2)) if after == "{" else frozenset[str]()
            read.append((token, labels))
            at = tokens.index("}", at) if after == "{" else at
        at += 1
    made = frozenset(re.findall(r'label_replace\(.*?, "(\w+)", "\$1"', expr))
    return Names(tuple(read), frozenset(grouped), made)


def _is_called(after: str) -> bool:
    """Return whether what follows a word makes it a function: its arguments, or how it adds up."""
    return after in {"(", "by", "without"}


def _is_number(tokens: list[str], at: int) -> bool:
    """Return whether a word is the end of a number, such as 1e9."""
    return at > 0 and tokens[at - 1].isdigit() and re.fullmatch(r"e\d+", tokens[at]) is not None


def _chosen(tokens: list[str], at: int) -> Iterator[str]:
    for place in range(at, tokens.index("}", at)):
        if _WORD.match(tokens[place]) and tokens[place - 1] in "{,":
            yield tokens[place]
