"""Network policy engines that a program installs itself."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.records import records


@dataclass(frozen=True, slots=True, kw_only=True)
class InstalledEngine:
    """A network policy engine, and what installs it.

    Attributes:
        engine: Its name.
        charts: The Helm charts that install it.
        daemon_sets: The names of its agents in manifests.
        setting: The chart value that turns enforcement on or off; None where it is always on.
        enabled_by: The value that turns it on; None where it is on by default.
        disabled_by: The value that turns it off.
    """

    engine: str
    charts: tuple[str, ...]
    daemon_sets: tuple[str, ...]
    setting: str | None
    enabled_by: str | None
    disabled_by: str | None

    def is_enabled_by(self, value: str | None) -> bool:
        """Return whether a chart enforces policies with this value of its setting; None if it is not given."""
        if self.setting is None:
            return True
        return value != self.disabled_by if self.enabled_by is None else value == self.enabled_by


def all_engines() -> tuple[InstalledEngine, ...]:
    """Return every known engine."""
    return records(InstalledEngine, "kubernetes/policy_engines")
