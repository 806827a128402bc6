"""Labels of nodes that GKE gives itself, so that a pool cannot."""

from __future__ import annotations

from penstock.catalog.tables import rows


def refused(key: str) -> bool:
    """Whether GKE answers a pool that sets the label with an error."""
    return any(row["refused"] == "yes" and _is(row["key"], key) for row in rows("gcp/node_labels"))


def given(key: str) -> bool:
    """Whether GKE or the kubelet gives nodes the label by themselves, whatever a pool says."""
    return any(_is(row["key"], key) for row in rows("gcp/node_labels"))


def _is(written: str, key: str) -> bool:
    """Whether a key is the one of a row, which ends in a star for all keys of its domain."""
    return key.startswith(written[:-1]) if written.endswith("*") else key == written
