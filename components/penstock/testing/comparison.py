"""The difference of two rehearsals of one stack, as tests look at it."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property

from penstock.changes.diff import Changes
from penstock.changes.diff import diff as _diff
from penstock.changes.diff_findings import findings_of
from penstock.changes.machines import MachineChange, machine_changes
from penstock.core.findings import Finding
from penstock.simulate.run import Rehearsal
from penstock.testing import failures


@dataclass(frozen=True, repr=False)
class Comparison(Changes):
    """All that a change does: its resources, the data that it deletes, and the machines that it replaces."""

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """The findings to consider before the change is applied, as in the report of `penstock diff`."""
        return findings_of(self)

    @property
    def ok(self) -> bool:
        """True if none of the findings blocks."""
        return not any(finding.blocks for finding in self.findings)

    @cached_property
    def machines(self) -> tuple[MachineChange, ...]:
        """The pools whose machines are replaced, added or removed, or whose jobs are interrupted."""
        return tuple(each.effect for each in machine_changes(self) if each.effect.is_felt)

    def assert_no_data_lost(self) -> None:
        """Assert that no resource is replaced or deleted whose data goes with it.

        Raises:
            AssertionError: data is lost; the text has each resource, its place, its data, and the cause.
        """
        __tracebackhide__ = True
        if self.data_lost:
            raise AssertionError(failures.unexpected("lost data", self.data_lost))

    def assert_no_machines_replaced(self) -> None:
        """Assert that no running machine is replaced or removed; new ones may be added.

        Raises:
            AssertionError: machines are replaced; the text has each pool, its machines, and the cause.
        """
        __tracebackhide__ = True
        found = [each for each in self.machines if each.replaced_most or each.removed_most]
        if found:
            raise AssertionError(failures.unexpected("replaced machines", found))


def diff(before: Rehearsal, after: Rehearsal) -> Comparison:
    """Return the changes to a stack between two rehearsals, as `penstock diff` works them out."""
    changes = _diff(before, after)
    return Comparison(**{each.name: getattr(changes, each.name) for each in fields(Changes)})
