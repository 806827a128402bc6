"""Rules on storage of a cluster that exists: file systems that exist, too, and are mounted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from penstock.spec.platform import Spec
from penstock.spec.problems import Problem
from penstock.spec.rules.rule import storage_rule
from penstock.spec.storage import SharedFilesSpec, StorageSpec
from penstock.wording import listed

STORAGE: Final = ("nfs",)
"""The kinds of storage that are mounted on a cluster that exists."""

_CREATED: Final = ("capacity_tib", "tier", "protect", "tags")
"""Fields of a file system that a cloud creates."""


@storage_rule("SPEC-151", provider="kubernetes")
def storage_is_mounted_there(item: StorageSpec, _: Spec) -> Iterator[Problem]:
    """Storage is of a kind that is mounted on a cluster that exists."""
    if item.kind not in STORAGE:
        message = f"Storage of kind {item.kind} is not supported with provider kubernetes."
        yield Problem(("kind",), message, f"Supported there: {listed(STORAGE)}.")


@storage_rule("SPEC-167", provider="kubernetes")
def file_systems_are_where_they_are(item: StorageSpec, _: Spec) -> Iterator[Problem]:
    """A file system that exists is named by its server and path, and nothing about it is chosen."""
    if not isinstance(item, SharedFilesSpec):
        return
    examples = {"server": "nfs.example.com", "path": "/exports/shared"}
    for field, example in examples.items():
        if getattr(item, field) is None:
            message = f"{item.name} names no {field}, and the NFS server of a cluster that exists is not created."
            yield Problem((field,), message, f"Name that of your server, such as {example}.")
    for field in _CREATED:
        if field in item.model_fields_set:
            message = f"{field} describes a file system that a cloud creates, and this one exists."
            yield Problem((field,), message, "Leave it out.")
