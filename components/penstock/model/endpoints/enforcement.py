"""The network policy engine of a managed cluster, in the terms that all clouds share."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.graph.view import Block


@dataclass(frozen=True, slots=True)
class PolicyEngine:
    """The engine that enforces the NetworkPolicy objects of a cluster.

    Attributes:
        name: Such as Cilium; empty if nothing enforces them.
        reason: Why nothing does, a clause without a full stop.
        fix: How to enable an engine, a sentence.
        path: The property that enables one.
        urn: The resource of that property.
    """

    name: str
    reason: str = ""
    fix: str = ""
    path: str = ""
    urn: str = ""


def no_engine(reason: str, fix: str, block: Block, path: str) -> PolicyEngine:
    """Return the answer for a cluster that enforces no policy; `path` leads from the block to the property."""
    return PolicyEngine("", reason, fix, block.at(path), block.owner.urn)
