"""Cases of changes, from YAML: a description, a patch of its fields, and what an operator must see of it.

base: aws-train            # a stack of stacks/, or a description; with `without`, but for these add-ons
cases:
  boot-disk-of-a-training-pool:
    patch: {node_pools: {train: {disk: {size_gib: 500}}}}
    updated: {LaunchTemplate: 1, NodeGroup: 1}
    machines: {train: {replaced: 16, waves: 16, within_timeout: false, job: a synchronous job restarts up to 16 times}}
    findings: [DIFF-006]

A patch is laid over the description: lists of named things by their names, whose `name` a new one must not repeat; null
removes. What is not listed must not happen: resources by the last part of their types (`many` where the number is of no
interest), pools by their names in the description, findings by codes. Rules that block count as findings, as they do
for `penstock diff`. A description that cannot be built is `refused` by codes. `running` has the machines of pools that
an autoscaler has moved since.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from penstock.aws.types import EKS_NODE_GROUP
from penstock.changes.diff import Changes, diff
from penstock.changes.diff_findings import findings_of
from penstock.changes.machines import machine_changes
from penstock.core.errors import InvalidDescription
from penstock.description import parse
from penstock.description.platform import Spec
from penstock.gcp.types import CONTAINER_NODE_POOL
from penstock.graph.graph import Graph
from penstock.platform import Platform
from penstock.report.changes import document
from penstock.simulate.run import Rehearsal, rehearse

ROOT = Path(__file__).parents[2]
FILES = tuple(sorted((Path(__file__).parent / "cases").glob("*.yaml")))
MANY = "many"
OPERATIONS = ("created", "updated", "replaced", "deleted")


@dataclass(frozen=True)
class ChangeCase:
    """One change of a description, and what is expected of it."""

    name: str
    base: str
    patch: Mapping[str, Any]
    counts: Mapping[str, Mapping[str, int] | str]
    machines: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    findings: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    running: Mapping[str, int] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Outcome:
    """What a change does."""

    counts: Mapping[str, Mapping[str, int]]
    machines: Mapping[str, Mapping[str, Any]]
    findings: tuple[str, ...]
    refused: tuple[str, ...] = ()


def cases() -> Iterator[ChangeCase]:
    """All cases of all files."""
    for file in FILES:
        content = yaml.safe_load(file.read_text(encoding="utf-8"))
        base = base_of(content["base"], content.get("without", ()))
        for name, given in content["cases"].items():
            yield ChangeCase(
                name=f"{file.stem}-{name}",
                base=base,
                patch=given.get("patch") or {},
                counts={operation: given.get(operation) or {} for operation in OPERATIONS},
                machines=given.get("machines") or {},
                findings=tuple(sorted(given.get("findings") or ())),
                refused=tuple(sorted(given.get("refused") or ())),
                running=given.get("running") or {},
            )


def outcome_of(case: ChangeCase) -> Outcome:
    """Rehearse the change on top of its base, as `penstock diff` does."""
    try:
        rehearsal, changes = changes_of(case)
    except InvalidDescription as invalid:
        return Outcome({}, {}, (), tuple(sorted({finding.code for finding in invalid.findings})))
    felt = {each.effect.pool for each in machine_changes(changes) if each.effect.is_felt}
    blocking = {finding.code for finding in rehearsal.findings if finding.blocks}
    return Outcome(
        counts={operation: _counted(changes, operation) for operation in OPERATIONS},
        machines={
            pool.removeprefix(_prefix(case.base)): record
            for record in document(changes)["machines"]
            if (pool := record["pool"]) in felt
        },
        findings=tuple(sorted({finding.code for finding in findings_of(changes)} | blocking)),
    )


def changes_of(case: ChangeCase) -> tuple[Rehearsal, Changes]:
    """The rehearsal of a change on top of its base, and the changes from it.

    Raises:
        InvalidDescription: the changed description cannot be built.
    """
    after = parse(patched(description_of(case.base), case.patch))
    before = _with_running(graph_of(case.base), {f"{_prefix(case.base)}{pool}": n for pool, n in case.running.items()})
    rehearsal = _rehearsed(after, before)
    return rehearsal, diff(before, rehearsal)


def patched(value: Any, patch: Any) -> Any:
    """A description with a patch laid over it."""
    if isinstance(patch, Mapping) and isinstance(value, list):
        return _patched_list(value, patch)
    if isinstance(patch, Mapping) and isinstance(value, Mapping):
        merged = {**value, **{key: patched(value.get(key), new) for key, new in patch.items()}}
        return {key: item for key, item in merged.items() if item is not None}
    return copy.deepcopy(patch)


def _patched_list(items: list[Any], patch: Mapping[str, Any]) -> list[Any]:
    known = [item["name"] for item in items]
    kept = [patched(item, patch[item["name"]]) if item["name"] in patch else item for item in items]
    added = [{"name": name, **new} for name, new in patch.items() if name not in known]
    return [item for item in (*kept, *added) if item is not None]


def base_of(base: str | Mapping[str, Any], without: Collection[str]) -> str:
    """The base as a text, by which its rehearsal is kept."""
    if isinstance(base, str) and not without:
        return base
    described = description_of(base) if isinstance(base, str) else base
    return yaml.safe_dump(patched(described, {"addons": dict.fromkeys(without)} if without else {}))


def description_of(base: str) -> Mapping[str, Any]:
    """The description of a base: that of a stack, or the one that it is."""
    file = ROOT / "stacks" / f"Pulumi.{base}.yaml"
    found: Mapping[str, Any] = (
        yaml.safe_load(file.read_text(encoding="utf-8"))["config"]["penstock:platform"]
        if "\n" not in base
        else yaml.safe_load(base)
    )
    return found


@cache
def graph_of(base: str) -> Graph:
    """The rehearsal of a base, once for all its cases."""
    return _rehearsed(parse(description_of(base)), None).graph


def _rehearsed(description: Spec, before: Graph | None) -> Rehearsal:
    return rehearse(lambda: Platform(description), project="penstock", stack="test", before=before)


def _with_running(graph: Graph, running: Mapping[str, int]) -> Graph:
    """The Graph as a state has it after a refresh: clouds report how many machines of a pool run."""
    moved = {}
    for each in graph.of_type(EKS_NODE_GROUP, CONTAINER_NODE_POOL):
        if each.name not in running:
            continue
        number = running[each.name]
        if each.type == EKS_NODE_GROUP:
            live: Mapping[str, Any] = {"scalingConfig": {**each.inputs["scalingConfig"], "desiredSize": number}}
        else:
            live = {"nodeCount": number // len(each.inputs["nodeLocations"])}
        moved[each.urn] = replace(each, outputs={**each.outputs, **live})
    return replace(graph, resources={**graph.resources, **moved})


def _counted(changes: Changes, operation: str) -> Mapping[str, int]:
    return dict(Counter(each.resource.type.rpartition(":")[2] for each in getattr(changes, operation)))


def _prefix(base: str) -> str:
    """The text that the names of a base's pools begin with."""
    description = description_of(base)
    return f"{description.get('name', 'platform')}-{description['environment']}-"
