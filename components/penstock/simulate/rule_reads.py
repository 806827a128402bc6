"""Property paths that rules read, recorded while they run, as far as the SDKs in use declare them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from penstock.core.spelling import MISSPELT, near_matches
from penstock.graph.property_path import Every, PropertyPath
from penstock.graph.reads import RecordedReads, Steps
from penstock.graph.view import NAMES, Site
from penstock.simulate import sdk_types
from penstock.simulate.sdk_paths import names_at

_MAPS: Final = ("labels", "annotations", "matchLabels", "nodeSelector", "limits", "requests")
"""Objects with keys of a user's own among the properties of kinds that no SDK declares."""
_NAME: Final = re.compile(r"\w+")
_TAIL: Final = re.compile(r"(\[\])+$")


def start_recording(site: Site, reads: RecordedReads) -> None:
    """Forget all reads, and those that the site's own index of names would add while a rule runs."""
    for type_ in {resource.type for resource in site.graph}:
        site.named(type_, "")
    reads.clear()


def paths_of(type_: str, reads: Collection[Steps]) -> tuple[str, ...]:
    """Return the paths of what was read of a type, sorted; `*` for all of it.

    A path ends before the keys of a map, and a path that leads to another one is left out.
    """
    if () in reads:
        return ("*",)
    paths = {_TAIL.sub("", path) for steps in reads if (path := _path(type_, steps))}
    return tuple(
        sorted(path for path in paths if not any(other.startswith((f"{path}.", f"{path}[")) for other in paths))
    )


def undeclared_reads(type_: str, reads: Collection[Steps]) -> Iterator[tuple[str, str]]:
    """Yield each undeclared path that was read, and the declared property with nearly that name if there is one.

    A path is left out if that property was read, too: the rule reads both spellings.
    """
    for steps in sorted(reads, key=str):
        above, name = steps[:-1], steps[-1] if steps else 0
        declared = names_at(type_, above)
        if not isinstance(name, str) or not declared or name in declared or (name in NAMES and not above):
            continue
        if not _NAME.fullmatch(name):  # a path such as scalingConfig.maxSize: each of its steps was read, too
            continue
        words = {_word(each): each for each in declared}
        near = next((words[each] for each in near_matches(_word(name), words, likeness=MISSPELT)), "")
        if not near or (*above, near) not in reads:
            yield _written((*above, name)), near


def _path(type_: str, steps: Steps) -> str | None:
    """A path as far as names lead; None where the SDK declares the object without such a name."""
    if sdk_types.input_types(type_) is None:
        return _written(steps[: _undeclared_depth(steps)])
    for depth, step in enumerate(steps):
        if isinstance(step, int):
            continue
        names = names_at(type_, steps[:depth])
        if not names:
            return _written(steps[:depth])
        if step not in names:
            return None
    return _written(steps)


def _undeclared_depth(steps: Steps) -> int:
    for depth, step in enumerate(steps):
        if isinstance(step, str) and not _NAME.fullmatch(step):
            return depth
        if step in _MAPS:
            return depth + 1
    return len(steps)


def _written(steps: Sequence[str | int]) -> str:
    return str(PropertyPath(tuple(Every.ITEM if isinstance(step, int) else step for step in steps)))


def _word(name: str) -> str:
    return name.replace("_", "").lower()
