"""Rules on storage of a cluster that exists: file systems that exist, too, and are mounted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from penstock.core.wording import listed, quoted
from penstock.description.forms import is_host
from penstock.description.platform import Spec
from penstock.description.problems import Problem
from penstock.description.rules.rule import storage_rule
from penstock.description.storage import ExistingFilesSpec, StorageSpec
from penstock.kubernetes.facts import file_systems

_INSTALLED_HERE: Final = ("nfs",)
"""The kinds whose driver comes as a chart, which the platform installs."""

_CREATED: Final = {
    "nfs": ("capacity_tib", "tier", "protect", "tags"),
    "lustre": ("source", "zone", "fabric", "export", "protect", "tags"),
    "beegfs": ("protect", "tags"),
    "scale": ("protect", "tags"),
}
"""Fields of a file system that a cloud creates."""


@storage_rule("SPEC-151", provider="kubernetes")
def storage_is_mounted_there(item: StorageSpec, _: Spec) -> Iterator[Problem]:
    """Storage is of a kind that is mounted on a cluster that exists."""
    if item.kind not in file_systems.kinds():
        message = f"Storage of kind {item.kind} is not supported with provider kubernetes."
        yield Problem(("kind",), message, f"Supported there: {listed(file_systems.kinds())}.")


@storage_rule("SPEC-167", provider="kubernetes")
def file_systems_are_where_they_are(item: StorageSpec, _: Spec) -> Iterator[Problem]:
    """A file system that exists is named by its server and path, and nothing about it is chosen."""
    if not isinstance(item, ExistingFilesSpec):
        return
    its = file_systems.driver_of(item.kind)
    examples = {"server": its.server_example, "path": its.path_example}
    for field, example in examples.items():
        if getattr(item, field) is None:
            message = f"{item.name} names no {field}, and a file system of a cluster that exists is not created."
            yield Problem((field,), message, f"Name that of yours, such as {example}.")
    if item.server is not None and not _names_a_server(item.kind, item.server, its.server_form):
        message = f"{quoted(item.server)} is not how {item.kind} names a server."
        yield Problem(("server",), message, f"Such as {its.server_example}.")
    for field in _CREATED[item.kind]:
        if field in item.model_fields_set:
            message = f"{field} describes a file system that a cloud creates, and this one exists."
            yield Problem((field,), message, "Leave it out.")


@storage_rule("SPEC-159", reads=("cluster",), provider="kubernetes")
def drivers_are_there(item: StorageSpec, spec: Spec) -> Iterator[Problem]:
    """A file system whose driver comes as no chart is mounted by the one that the cluster has."""
    if not isinstance(item, ExistingFilesSpec) or item.kind in _INSTALLED_HERE:
        return
    its = file_systems.driver_of(item.kind)
    existing = spec.cluster.existing
    if existing is None or its.installed not in existing.installed:
        message = f"Penstock installs no driver for {item.kind}: its makers offer no pinned chart."
        hint = f"Install {its.driver}, and say so: cluster: {{existing: {{name: it, installed: [{its.installed}]}}}}."
        yield Problem(("kind",), message, hint)


def _names_a_server(kind: str, server: str, form: str) -> bool:
    """Return whether a server is named as the driver of a kind does, and each host in it can be one."""
    hosts = {"nfs": [server], "beegfs": [server], "lustre": [nid.partition("@")[0] for nid in re.split("[:,]", server)]}
    return re.fullmatch(form, server) is not None and all(is_host(host) for host in hosts.get(kind, ()))
