"""What the pages of environments have to know of a cloud."""

from __future__ import annotations

from dataclasses import dataclass

Asked = tuple[str, tuple[str, ...]]
"""A type, and paths in what `--format json` shows of its resources."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CloudFacts:
    """Where the answers of a cloud are.

    Attributes:
        cluster: The type of clusters.
        pool: The type of pools of machines.
        way_out: The type by which nodes reach the internet.
        way_in: A sentence on who reaches a cluster of the same run.
        endpoint: Paths of a cluster that show it.
        scheduling: Paths of a pool by which pods find it.
        rights: Who may use buckets.
        people: A sentence on who upgrades what.
        versions: Versions, and when the cloud moves them by itself.
        updates: Paths of a pool that show how it is updated.
        kept: What is kept, and for how long.
        counts: Paths of a pool that show how many machines it has.
        left: A sentence on what a deletion leaves.
    """

    cluster: str
    pool: str
    way_out: str
    way_in: str
    endpoint: tuple[str, ...]
    scheduling: tuple[str, ...]
    rights: tuple[Asked, ...]
    people: str
    versions: tuple[Asked, ...]
    updates: tuple[str, ...]
    kept: tuple[Asked, ...]
    counts: tuple[str, ...]
    left: str
