"""Labels of nodes that GKE gives itself, so that a pool cannot."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.records import records


@dataclass(frozen=True, slots=True)
class _Label:
    key: str
    refused: bool

    def means(self, key: str) -> bool:
        """Return whether a key is this one, or one of this domain where a star represents all of its keys."""
        return key.startswith(self.key[:-1]) if self.key.endswith("*") else key == self.key


def refused(key: str) -> bool:
    """Return whether GKE answers a pool that sets the label with an error."""
    return any(label.refused and label.means(key) for label in _labels())


def given(key: str) -> bool:
    """Return whether GKE or the kubelet gives nodes the label by themselves, whatever a pool says."""
    return any(label.means(key) for label in _labels())


def _labels() -> tuple[_Label, ...]:
    return records(_Label, "gcp/node_labels")
