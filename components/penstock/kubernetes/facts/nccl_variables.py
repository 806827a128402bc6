"""Settings of NCCL and libfabric that old guides gave, and that slow down today's versions on EFA."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.records import records


@dataclass(frozen=True, slots=True, kw_only=True)
class Outdated:
    """A variable to leave out; with a `value`, only that one is meant."""

    variable: str
    value: str
    why: str
    unverified: tuple[str, ...]
    source: str
    as_of: str

    def means(self, variable: str, value: str) -> bool:
        """Return whether a container's setting is this one."""
        return variable == self.variable and self.value.lower() in ("", value.lower())


def outdated() -> tuple[Outdated, ...]:
    """Every setting to leave out."""
    return records(Outdated, "kubernetes/nccl_variables")
