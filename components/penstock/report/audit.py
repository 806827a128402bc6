"""The content of a report on the audit of a deployed stack."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.graph.graph import Graph
from penstock.report.assessment import Assessment


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit(Assessment):
    """One audit of a stack."""

    graph: Graph
