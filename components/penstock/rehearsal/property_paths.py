"""Paths to properties, as Pulumi writes them: `scalingConfig.minSize`, `subnetIds[0]`, `tags["a.b"]`, `rules[*]`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

Step = str | int
"""A key of an object, or an index of a list."""

WILDCARD: Final = "*"

_STEP: Final = re.compile(r'\[(?:"(?P<quoted>(?:[^"\\]|\\.)*)"|(?P<index>\d+)|(?P<every>\*))\]|(?P<key>[^.\[\]]+)')
_PLAIN: Final = re.compile(r"[^.\[\]\"]+")


def parse(path: str) -> tuple[Step, ...]:
    """The steps of a path; `*` and `[*]` are the wildcard. What is not of the form is read as far as it is."""
    steps: list[Step] = []
    for found in _STEP.finditer(path):
        if found["index"] is not None:
            steps.append(int(found["index"]))
        elif found["quoted"] is not None:
            steps.append(re.sub(r"\\(.)", r"\1", found["quoted"]))
        else:
            steps.append(found["key"] or WILDCARD)
    return tuple(steps)


def render(steps: Sequence[Step]) -> str:
    """The path of these steps."""
    text = ""
    for step in steps:
        if isinstance(step, int):
            text += f"[{step}]"
        elif _PLAIN.fullmatch(step):
            text += f".{step}" if text else step
        else:
            quoted = re.sub(r'(["\\])', r"\\\1", step)
            text += f'["{quoted}"]'
    return text


def names(steps: Sequence[Step]) -> tuple[str, ...]:
    """The keys of a path, without the indexes of lists."""
    return tuple(step for step in steps if isinstance(step, str) and step != WILDCARD)


def covers(pattern: Sequence[Step], steps: Sequence[Step]) -> bool:
    """Whether a path stands at or below a pattern that may have wildcards."""
    return len(pattern) <= len(steps) and all(
        wanted in (WILDCARD, step) for wanted, step in zip(pattern, steps, strict=False)
    )
