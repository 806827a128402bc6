"""What the formats for EKS share: machines, sizes, endpoints and add-ons of a cluster."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from penstock.conversion.draft import Draft
from penstock.conversion.note import NoteCode
from penstock.conversion.source import Fields
from penstock.core.wording import listed
from penstock.description.positions import Path

ADDONS: Final = (
    "vpc-cni",
    "coredns",
    "kube-proxy",
    "eks-pod-identity-agent",
    "aws-ebs-csi-driver",
    "aws-efs-csi-driver",
    "aws-fsx-csi-driver",
    "aws-mountpoint-s3-csi-driver",
)
"""Add-ons that Penstock installs by itself: all clusters have the first ones, the drivers come with storage."""

_METRICS: Final = ("amazon-cloudwatch-observability", "metrics-server", "adot")
_LOWEST_MOST: Final = 1


def put_addons(draft: Draft, addons: Iterable[tuple[str | None, Fields, str]]) -> None:
    """Report add-ons that Penstock does not install, and versions that it chooses.

    Each add-on has its name, its block, and the name of the field with its version.
    """
    for name, block, version in addons:
        block.built_in("resolveConflicts", "resolve_conflicts", "most_recent", "before_compute")
        if name in ADDONS:
            if version in block:
                block.untranslated(version, f"Penstock chooses the version of {name}.")
            continue
        hint = "Set addons.observability." if name in _METRICS else "Install it beside the platform, if you need it."
        draft.source.read(block.path)
        draft.source.note(NoteCode.NOT_TRANSLATED, block.path, "Penstock does not install this add-on.", hint)


def put_machine(draft: Draft, name: str, group: Fields, types: Sequence[str], field: str) -> Path | None:
    """Add a pool of the first of several machine types; None, with a note, without any."""
    if not types:
        message = "A pool needs a machine type, and none is known."
        hint = "Add the pool under node_pools with machine_type or accelerator."
        draft.source.note(NoteCode.NOT_TRANSLATED, group.path, message, hint)
        draft.source.read(group.path)
        return None
    if len(types) > 1:
        message = f"A pool has one machine type: {types[0]} is kept of {listed(types)}."
        draft.source.note(NoteCode.NOT_TRANSLATED, group.origin(field), message, "Add a pool for each other type.")
    return draft.add("node_pools", name, group.path, machine_type=types[0])


def put_nodes(
    draft: Draft, path: Path, group: Fields, *, least: tuple[str, ...], most: tuple[str, ...], start: tuple[str, ...]
) -> None:
    """Set the bounds of a pool from those of a group and the size that it starts with."""
    minimum, maximum, wanted = group.number(*least), group.number(*most), group.number(*start)
    given = [each for each in (wanted, minimum, maximum) if each is not None]
    if not given:
        message = "The number of nodes is not known, and is set to 1."
        draft.source.note(NoteCode.ASSUMED, group.path, message, "Set nodes.")
    low = minimum if minimum is not None else min(given, default=1)
    high = max(maximum if maximum is not None else max(given, default=1), low, _LOWEST_MOST)
    if wanted is not None and low < wanted < high:
        message = f"The pool starts with {low} nodes, not {wanted}: its size then belongs to the autoscaler."
        draft.source.note(NoteCode.ASSUMED, group.origin(*start), message, "Raise nodes.min to keep more.")
    draft.put((*path, "nodes"), low if low == high else {"min": low, "max": high}, group.origin(*least))


def put_endpoints(draft: Draft, endpoints: Fields, public: Sequence[str], holder: Fields, cidrs: Sequence[str]) -> None:
    """Set the way in to the cluster: a public endpoint is open to ranges only.

    Args:
        draft: the draft.
        endpoints: the block that says whether the endpoint is public.
        public: the names that the field may have.
        holder: the block with the ranges that may reach it.
        cidrs: the names that the field may have.
    """
    is_public, ranges = endpoints.flag(*public), holder.texts(*cidrs)
    closed = [each for each in ranges if not each.endswith("/0")]
    if len(closed) < len(ranges):
        message = "The endpoint is not opened to every address."
        hint = "Set network.allowed_cidrs to your ranges."
        draft.source.note(NoteCode.NOT_TRANSLATED, holder.origin(*cidrs), message, hint)
    if is_public and not closed:
        message = "A public endpoint needs ranges that may reach it, so the endpoint is private."
        hint = "Set cluster.access: restricted and network.allowed_cidrs."
        draft.source.note(NoteCode.NOT_TRANSLATED, endpoints.origin(*public), message, hint)
    elif is_public is not False and closed:
        draft.put(("cluster", "access"), "restricted", endpoints.origin(*public))
        draft.put(("network", "allowed_cidrs"), closed, holder.origin(*cidrs))
