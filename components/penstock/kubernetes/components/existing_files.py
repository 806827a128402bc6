"""File systems that exist, as claims of a namespace."""

from __future__ import annotations

from typing import Final

import pulumi

from penstock.description.storage import ExistingFilesSpec
from penstock.graph.source_block import Path
from penstock.kubernetes.components.volumes import Volume
from penstock.kubernetes.facts.file_systems import driver_of

_NOMINAL_GIB: Final = 1024
"""Kubernetes wants a size; the server alone knows and bounds it."""


def claim(
    name: str,
    item: ExistingFilesSpec,
    *,
    namespace: pulumi.Input[str],
    directory: str = "",
    described_at: Path | None = None,
    opts: pulumi.ResourceOptions,
) -> Volume:
    """Make a file system ready to mount in a namespace that exists: a claim called as in the description.

    `directory` is the one of its path that is mounted, where the file system has directories as volumes; it exists.
    `described_at` is the path of the file system in a description.
    """
    its = driver_of(item.kind)
    path = item.path or ""
    if directory and its.directories:
        path = f"{path.rstrip('/')}/{directory}"
    # Names are any text that no other volume has: several volumes are of one export, as each has one claim.
    parts = {"name": name, "server": item.server or "", "path": path}
    attributes = (each.partition("=") for each in its.attributes)
    return Volume(
        name,
        claim=item.name,
        driver=its.driver,
        handle=its.handle.format(**parts),
        gib=_NOMINAL_GIB,
        attributes={key: value.format(**parts) for key, _, value in attributes},
        mount_options=its.mount_options,
        namespace=namespace,
        described_at=described_at,
        opts=opts,
    )
