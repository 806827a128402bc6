"""Bugs put into copies of the sources, one at a time: which of them do the tests of their folder catch?

    python tests/benchmarks/seeded_bugs.py [NAME ...]

A bug is a text of one source and what it becomes, wherever that source is now. The tests are those of `make test`: what
only chance finds is no protection.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[2]
COPIED = ("Pulumi.yaml", "README.md", "pyproject.toml", "components", "docs", "policies", "stacks", "tests")
LONGEST_S = 900


@dataclass(frozen=True)
class Bug:
    """A text that occurs once in the sources, what it becomes, and the tests that should notice."""

    name: str
    right: str
    wrong: str
    tests: str


BUGS = (
    Bug(
        "the key of logs serves every account",
        'groups = pulumi.Output.concat(f"arn:{place.partition}:logs:{place.name}:", account, ":*")',
        'groups = pulumi.Output.concat(f"arn:{place.partition}:logs:{place.name}:*:*")',
        "tests/aws",
    ),
    Bug(
        "a pool of just the size of its zones does not fit",
        "ceil(smallest / count) * count <= largest",
        "ceil(smallest / count) * count < largest",
        "tests/gcp",
    ),
    Bug(
        "a ninth data repository is let through",
        "for link in links[most:]",
        "for link in links[most + 1:]",
        "tests/rules",
    ),
    Bug(
        "a reversed range of ports is public",
        "first <= last and all(port in public for port in range(first, last + 1))",
        "all(port in public for port in range(first, last + 1))",
        "tests/policies",
    ),
    Bug(
        "a fingerprint forgets the path",
        '"\\0".join((finding.code, where, finding.path or ""))',
        '"\\0".join((finding.code, where))',
        "tests/report",
    ),
    Bug(
        "what is only looked up is judged",
        "        if resource.external:\n            continue\n        if resource.type not in enabled:",
        "        if resource.type not in enabled:",
        "tests/policies tests/rules",
    ),
    Bug(
        "readers of a bucket may write to it",
        "return True if account in self.writers else False if account in self.readers else None",
        "return True if account in self.writers else True if account in self.readers else None",
        "tests/aws",
    ),
    Bug(
        "the pack answers with remedies that change nothing",
        "                if not changed:\n                    continue\n",
        "",
        "tests/pack",
    ),
    Bug(
        "a rule raises in a branch for single machines",
        "        named = [zone_of(starter)]\n    return sorted",
        "        named = [starter.nowhere]\n    return sorted",
        "tests/rules",
    ),
    Bug(
        "a rule raises where a value is not known",
        '    named = starter.texts("availabilityZones") if starter.type == AUTOSCALING_GROUP else []',
        "    if any(repr(each) == '[unknown]' for each in starter.resource.inputs.values()):\n"
        "        raise AttributeError\n"
        '    named = starter.texts("availabilityZones") if starter.type == AUTOSCALING_GROUP else []',
        "tests/rules",
    ),
    Bug(
        "the schedule has a slot more than there are",
        "slots = [0.0] * parallel",
        "slots = [0.0] * (parallel + 1)",
        "tests/timeline",
    ),
    Bug(
        "a waiver ends a day early",
        "        return day <= self.expires",
        "        return day < self.expires",
        "tests/policies",
    ),
    Bug(
        "what is unknown of one item is hidden by another that passes",
        "    if Outcome.UNKNOWN in outcomes:\n        return UNKNOWN\n",
        "",
        "tests/rules tests/policies",
    ),
    Bug(
        "a failure points at a property that is not at fault",
        '"Leave this one out.", "fileSystemId", link.urn)',
        '"Leave this one out.", "fileSystemPath", link.urn)',
        "tests/rules",
    ),
    Bug(
        "a secret is read as any other value",
        "HIDDEN: Final = (Unknown, Secret)",
        "HIDDEN: Final = (Unknown,)",
        "tests/rules tests/policies",
    ),
    Bug(
        "the pack repeats at the end what it has said",
        " if (rule.id, each.message) not in reported]",
        "]",
        "tests/pack",
    ),
    Bug(
        "types under former names are not judged",
        "    site = Site(by_present_names(with_stack(graph)), quotas, day)",
        "    site = Site(with_stack(graph), quotas, day)",
        "tests/rules",
    ),
)


def main() -> None:
    """Prints what became of each bug, and how many were caught."""
    wanted = sys.argv[1:]
    caught = {bug.name: outcome(bug) for bug in BUGS if not wanted or bug.name in wanted}
    print(f"{sum(said == 'caught' for said in caught.values())} of {len(caught)} caught")


def outcome(bug: Bug) -> str:
    """Whether the tests notice a bug; printed as soon as it is known."""
    with TemporaryDirectory() as folder:
        copy = Path(folder)
        for name in COPIED:
            source = ROOT / name
            (shutil.copytree if source.is_dir() else shutil.copy)(source, copy / name)
        places = list(places_of(bug, copy))
        if len(places) != 1:
            said = f"not tried: its text is in {len(places)} places"
        else:
            (place,) = places
            place.write_text(place.read_text(encoding="utf-8").replace(bug.right, bug.wrong), encoding="utf-8")
            said = "caught" if fails(copy, bug.tests) else "SURVIVED"
    print(f"{said:10} {bug.name} ({bug.tests})", flush=True)
    return said


def places_of(bug: Bug, folder: Path) -> Iterator[Path]:
    """The sources that have a bug's text, once for each time."""
    for file in sorted((folder / "components").rglob("*.py")):
        yield from [file] * file.read_text(encoding="utf-8").count(bug.right)


def fails(folder: Path, tests: str) -> bool:
    """Whether some test of these folders fails."""
    lane = "not hypothesis and not exhaustive"
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-m", lane]
    ended = subprocess.run(
        [*command, *tests.split()],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": f"{folder / 'components'}{os.pathsep}{folder}"},
        capture_output=True,
        text=True,
        timeout=LONGEST_S,
        check=False,
    )
    if ended.returncode not in (0, 1):
        raise RuntimeError(ended.stdout + ended.stderr)
    return ended.returncode == 1


if __name__ == "__main__":
    main()
