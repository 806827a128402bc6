"""Parts of a report on many stacks, as CI jobs make them with `--shard`, and their merge."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self, TypeVar

from penstock import __version__
from penstock.core.errors import UnusableParts
from penstock.core.wording import listed
from penstock.report import stack_verdict
from penstock.report.fleet import FleetMember
from penstock.report.json import text_of

KEY: Final = "part"
"""Where the JSON of a shard has what a merge needs; the rest is the report on its own stacks."""

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Shard:
    """One of several parts, counted from 1."""

    index: int
    count: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the part that a text such as `2/8` names."""
        index, _, count = text.partition("/")
        return cls(int(index), int(count))

    def of(self, items: Sequence[Item]) -> tuple[Item, ...]:
        """Return the items of this part: every `count`-th, so that stacks with like names are spread."""
        return tuple(items[self.index - 1 :: self.count])


def with_part(document: str, shard: Shard, about: Mapping[str, Any], members: Sequence[FleetMember]) -> str:
    """Return a report in JSON with what a merge needs; `about` is what all parts have in common."""
    content: dict[str, Any] = json.loads(document)
    content[KEY] = {
        "index": shard.index,
        "count": shard.count,
        "about": {**about, "penstock": __version__},
        "members": [_member(each) for each in members],
    }
    return text_of(content)


def merged(files: Sequence[Path]) -> tuple[Mapping[str, Any], Mapping[str, FleetMember]]:
    """Return what the parts of a report have in common, and the stacks of all.

    Raises:
        UnusableParts: a file is not a part, or a part is missing, given twice, or of another report.
    """
    parts = [(file, _read(file)) for file in files]
    _, first = parts[0]
    about: dict[str, Any] = first["about"]
    for file, part in parts[1:]:
        for key, value in about.items():
            if part["about"].get(key) != value or part["count"] != first["count"]:
                other = key.replace("_", " ") if part["count"] == first["count"] else "number of parts"
                raise UnusableParts(f"{file} is a part of another report than {files[0]}: the {other} differs")
    indexes = Counter(part["index"] for _, part in parts)
    twice = [index for index, count in indexes.items() if count > 1]
    if twice:
        raise UnusableParts(f"part {listed(twice)} of {first['count']} is given more than once")
    missing = sorted(set(range(1, first["count"] + 1)) - set(indexes))
    if missing:
        raise UnusableParts(f"part {listed(missing)} of {first['count']} is missing")
    return about, {member.stack: member for _, part in parts for member in map(_member_from, part["members"])}


def _read(file: Path) -> dict[str, Any]:
    """The part in a file: a mapping with an index, a count, what it is about, and members that can be read."""
    try:
        part: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))[KEY]
        Shard(int(part["index"]), int(part["count"]))
        part["about"]["command"]
        for each in part["members"]:
            _member_from(each)
    except OSError as error:
        raise UnusableParts(f"{file} cannot be read: {(error.strerror or 'unknown error').lower()}") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise UnusableParts(
            f"{file} is not a part of a report: make each with --shard 1/2, 2/2 and so on, and a JSON file"
        ) from None
    return part


def _member(member: FleetMember) -> dict[str, Any]:
    return {
        "stack": member.stack,
        "status": member.status,
        "verdict": stack_verdict.document(member.verdict),
        "reports": dict(member.reports),
        "messages": member.messages,
    }


def _member_from(content: Mapping[str, Any]) -> FleetMember:
    return FleetMember(**{**content, "verdict": stack_verdict.verdict_from(content["verdict"])})
