"""What the commands print of an environment of `stacks/`, and of the same with one field changed."""

from __future__ import annotations

import io
import json
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml
from rich.console import Console

from penstock.app.assess import overview_of
from penstock.app.judge import judge_policies
from penstock.changes.diff import diff
from penstock.graph.property_path import PropertyPath
from penstock.report import changes, overview, terminal
from penstock.report.formats import rendered
from penstock.simulate.environment import Environment, find_environment
from penstock.simulate.run import Rehearsal
from penstock.timeline.faults import parse_faults

ROOT = Path(__file__).parents[2]
_WIDTH = 120
_PLATFORM = "penstock:platform"
_LONGEST = 200
_TIME = re.compile(r"(?<=\.) Rehearsed in .*")

Description = dict[str, Any]


class Evidence:
    """One environment, rehearsed once; its evidence is written as a reader gets it on a terminal."""

    def __init__(self, name: str) -> None:
        """Read the stack file of an environment by its name, such as aws-train."""
        self.name = name
        self.text = (ROOT / "stacks" / f"Pulumi.{name}.yaml").read_text(encoding="utf-8")

    @property
    def description(self) -> Description:
        """The description: a copy, to change."""
        described: Description = yaml.safe_load(self.text)["config"][_PLATFORM]
        return described

    @property
    def cloud(self) -> str:
        """The name of the provider."""
        return str(self.description["cloud"]["provider"])

    @cached_property
    def resources(self) -> list[Mapping[str, Any]]:
        """The resources, as `--format json` has them."""
        found: list[Mapping[str, Any]] = json.loads(rendered(self._overview(), "json"))["resources"]
        return found

    @cached_property
    def report(self) -> list[str]:
        """The lines of `penstock rehearse`."""
        return _printed(partial(terminal.show, self._overview(), seconds=0))

    def rehearsed(self, *patterns: str) -> str:
        """The lines of the report that match one of these."""
        return _shown(f"penstock rehearse {self.name}", _matching(self.report, patterns))

    def section(self, heading: str) -> str:
        """A section of the report, up to the next empty line."""
        return _shown(f"penstock rehearse {self.name}", _section(self.report, heading))

    def after_faults(self, rule: str, heading: str, *patterns: str) -> str:
        """A section of the report on a run with faults, and the lines below it that match one of these."""
        lines = _printed(partial(terminal.show, self._overview(faults=rule), seconds=0))
        shown = [*_section(lines, heading), *_matching(lines, patterns)[1:]]
        return _shown(f"penstock rehearse {self.name} --faults '{rule}'", shown)

    def asked(self, type_: str, *paths: str) -> str:
        """Properties of all resources of a type, a line each, by a program for jq that prints the same."""
        fields = ", ".join(f".{path}" for path in ("name", *paths))
        rows = [
            [each["name"], *(PropertyPath.parse(path).get(each) for path in paths)]
            for each in self.resources
            if each["type"] == type_
        ]
        lines = [json.dumps(row, separators=(",", ":")) for row in rows]
        return _shown(self.jq(f'.type == "{type_}"', f"[{fields}]"), lines or ["(none)"])

    def jq(self, condition: str, fields: str) -> str:
        """The command that prints fields of the resources that meet a condition, both in the language of jq."""
        return f"penstock rehearse {self.name} --format json | jq -c '.resources[] | select({condition}) | {fields}'"

    def types(self) -> set[str]:
        """The types of the resources."""
        return {each["type"] for each in self.resources}

    def changed(self, description: Description, *patterns: str) -> str:
        """The lines of `penstock diff` that match, once the committed description has become another one."""
        with _project(self.name, description) as environment:
            rehearsal = environment.rehearse(before=self._rehearsal.graph)
            found = diff(self._rehearsal.graph, rehearsal)
            whole = overview_of(rehearsal, environment=environment.stack, cloud=environment.cloud, changes=found)
        lines = _printed(partial(changes.show, whole, title=self.name))
        return _shown(f"penstock diff {self.name} --base HEAD", _matching(lines, patterns))

    def beside(self, description: Description) -> list[Mapping[str, Any]]:
        """The resources of a second platform."""
        with _project(self.name, description) as environment:
            whole = overview_of(environment.rehearse(), environment=self.name, cloud=self.cloud)
        found: list[Mapping[str, Any]] = json.loads(rendered(whole, "json"))["resources"]
        return found

    @cached_property
    def _environment(self) -> Environment:
        return find_environment(str(ROOT / "stacks" / f"Pulumi.{self.name}.yaml"))

    @cached_property
    def _rehearsal(self) -> Rehearsal:
        return self._environment.rehearse()

    def _overview(self, faults: str | None = None) -> overview.Overview:
        return overview_of(
            self._rehearsal,
            environment=self.name,
            cloud=self.cloud,
            policies=judge_policies(
                self._rehearsal.graph, self._environment.policies, beside=self._rehearsal.judgement
            ),
            faults=parse_faults([faults]) if faults else None,
        )


@contextmanager
def _project(name: str, description: Description) -> Iterator[Environment]:
    """Our project with another description in one of its stacks."""
    with TemporaryDirectory() as folder:
        shutil.copy(ROOT / "Pulumi.yaml", folder)
        Path(folder, ".venv").symlink_to(sys.prefix)  # the environment that `Pulumi.yaml` names
        stacks = Path(folder, "stacks")
        stacks.mkdir()
        shutil.copy(ROOT / "stacks" / "__main__.py", stacks)
        file = stacks / f"Pulumi.{name}.yaml"
        file.write_text(yaml.safe_dump({"config": {_PLATFORM: description}}), encoding="utf-8")
        yield find_environment(str(file))


def _printed(show: Callable[[Console], None]) -> list[str]:
    """The lines that a report prints, without the time that it took."""
    console = Console(file=io.StringIO(), width=_WIDTH, record=True)
    show(console)
    return [_TIME.sub("", line.rstrip()) for line in console.export_text().splitlines()]


def _section(lines: Sequence[str], heading: str) -> list[str]:
    """The lines from the first that begins so to the next empty one, and three dots for all others."""
    start = next((index for index, line in enumerate(lines) if line.startswith(heading)), None)
    return (
        ["...", *(_short(line) for line in lines[start : lines.index("", start)]), "..."]
        if start is not None
        else ["..."]
    )


def _matching(lines: Sequence[str], patterns: Sequence[str]) -> list[str]:
    """The lines that match, and three dots for those between."""
    kept: list[str] = []
    for line in lines:
        if any(re.search(pattern, line) for pattern in patterns):
            kept.append(_short(line))
        elif kept[-1:] != ["..."]:
            kept.append("...")
    return kept


def _short(line: str) -> str:
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}..."


def _shown(command: str, lines: Sequence[str]) -> str:
    return "\n".join(["```console", f"$ {command}", *lines, "```"])
