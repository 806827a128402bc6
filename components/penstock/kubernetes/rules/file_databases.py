"""Databases in files: the mount they are on locks files and takes writes anywhere in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from penstock.graph.verdict import NOT_APPLICABLE, TypeMismatch, Verdict, allow, each
from penstock.graph.view import Block
from penstock.kubernetes.model.pods.templates import RUNNING_WORKLOADS, PodTemplate, templates
from penstock.kubernetes.rules.mounted import mount_of, semantics_of_driver, source_of
from penstock.rules.levels import MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_SQLITE: Final = re.compile(r"\bsqlite(?:\+\w+)?:///(/[^\s\"'?,;]+)")
_DATA_DIRECTORY: Final = "PGDATA"


@RULES.rule(
    on=RUNNING_WORKLOADS,
    each_of=templates,
    severity=MEDIUM,
    rationale=(
        "SQLite and PostgreSQL lock their files and write in the middle of them. On a bucket mounted as files, the "
        "writes fail, or those of two pods corrupt the database."
    ),
    fix="Put the file on a disk or on NFS, or use a database service.",
    joins=True,
    sources=("Mountpoint for S3, file system behavior", "SQLite, appropriate uses: network file systems"),
)
def k8s_file_database_mount(pods: PodTemplate) -> Verdict:
    """A SQLite file or the data of PostgreSQL is on a mount that locks files and takes writes anywhere in them."""
    if not any("csi" in volume or "persistentVolumeClaim" in volume for volume in pods.spec.blocks("volumes")):
        return NOT_APPLICABLE
    return each(
        pods.spec.blocks("containers"),
        lambda container: each(_databases(container), lambda found: _judge_file(pods, container, *found)),
    )


def _judge_file(pods: PodTemplate, container: Block, file: str, path: str) -> Verdict:
    mount = mount_of(container, file)
    if mount is None or mount.flag("readOnly") is True:
        return NOT_APPLICABLE
    called = mount.text("name")
    volume = next((each_ for each_ in pods.spec.blocks("volumes") if each_.text("name") == called), None)
    source = source_of(pods, volume) if volume is not None else None
    if source is None or source.read_only:
        return NOT_APPLICABLE
    kinds = semantics_of_driver(source)
    if not kinds:
        return NOT_APPLICABLE
    message = f"the database {file} is on {kinds[0].title}, which does not lock files"
    return allow(any(each_.lock != "no" for each_ in kinds), message, path=path)


def _databases(container: Block) -> Iterator[tuple[str, str]]:
    """The files of databases that a container is told of, each with where."""
    for key in ("command", "args"):
        try:
            words = container.texts(key)
        except TypeMismatch:
            continue
        for match in _SQLITE.finditer(" ".join(words)):
            yield match[1], container.at(key)
    for variable in container.blocks("env"):
        value = variable.given("value")
        if not isinstance(value, str):
            continue
        if variable.text("name") == _DATA_DIRECTORY and value.startswith("/"):
            yield value, variable.at("value")
        elif found := _SQLITE.search(value):
            yield found[1], variable.at("value")
