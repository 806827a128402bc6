"""Rules on names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from penstock.core.wording import quoted
from penstock.description.platform import Spec
from penstock.description.positions import Path
from penstock.description.problems import Problem
from penstock.description.rules.rule import rule

LONGEST_PART = 48
"""Characters of a part's full name. Node groups and buckets have names of 63 at most (EKS and S3 user guides), as all
storage on Google Cloud: this leaves 15 for what a component and Pulumi add to distinguish its resources."""


@rule("SPEC-100", reads=("node_pools",))
def pools_have_names_of_their_own(spec: Spec) -> Iterator[Problem]:
    """No two pools have one name."""
    yield from _repeated((pool.name for pool in spec.node_pools), ("node_pools",), ("name",))


@rule("SPEC-101", reads=("storage",))
def storage_has_names_of_its_own(spec: Spec) -> Iterator[Problem]:
    """No two items of storage have one name, whatever their kinds: outputs are found by it."""
    yield from _repeated((item.name for item in spec.storage), ("storage",), ("name",))


@rule("SPEC-102", reads=("addons",))
def secrets_and_repositories_are_named_once(spec: Spec) -> Iterator[Problem]:
    """Each secret and each repository is listed once."""
    for addon, block in spec.addons.enabled().items():
        for field, names in block.names_once().items():
            yield from _repeated(names, ("addons", addon, field))


def _repeated(names: Iterable[str], block: Path, field: Path = ()) -> Iterator[Problem]:
    seen: dict[str, int] = {}
    for index, name in enumerate(names):
        if seen.setdefault(name, index) != index:
            message = f"{quoted(name)} is already the name of item {seen[name] + 1}."
            yield Problem((*block, index, *field), message, "Use each name once.")


def longer(full: str, most: int, what: str = "it, or the platform's name,") -> Problem:
    """Return the problem that a full name has more characters than the cloud takes."""
    message = f"The full name {full} has {len(full)} characters; the limit is {most}."
    return Problem(("name",), message, f"Shorten {what} by {len(full) - most}.")
