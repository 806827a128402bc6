"""The result of a rehearsal, as tests look at it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final

from penstock.cost import Cost, cost_of
from penstock.graph.graph import Resource
from penstock.rules.judge import INTERNAL
from penstock.rules.levels import Category, Enforcement
from penstock.rules.settings import Settings
from penstock.simulate.run import Rehearsal
from penstock.testing import failures
from penstock.timeline.outcome import FaultOutcome
from penstock.timeline.timeline import Timeline, schedule

if TYPE_CHECKING:
    from penstock.description.usage import Usage

_OF_ENCRYPTION: Final = (Category.AT_REST, Category.IN_TRANSIT)


@dataclass(frozen=True, repr=False)
class RehearsalResult(Rehearsal):
    """One rehearsal: its resources, findings, cost and timeline.

    Attributes:
        faults: What the injected faults do; None without any.
        usage: The usage that the stack declares of a month.
        settings: The settings of policies that the stack has; the default ones for what is no stack of a project.
    """

    faults: FaultOutcome | None = None
    usage: Usage | None = field(default=None, compare=False)
    settings: Settings = field(default_factory=Settings, compare=False)

    def __repr__(self) -> str:
        return f"<rehearsal of {self.graph.stack!r}: {failures.summary(len(self.graph), self.findings)}>"

    @cached_property
    def cost(self) -> Cost:
        """The monthly cost, with its lines."""
        return cost_of(self.graph, self.usage)

    @cached_property
    def timeline(self) -> Timeline:
        """When each resource is created, and how long it takes to the first accelerator."""
        return schedule(self.graph)

    def resource(self, type_: str, name: str | None = None) -> Resource:
        """Return the only resource of a type, or the one with a name.

        Raises:
            AssertionError: there is none, or several; the text lists those of the type.
        """
        __tracebackhide__ = True
        found = [each for each in self.graph.of_type(type_) if name in (None, each.name)]
        if len(found) != 1:
            raise AssertionError(failures.not_one(self.graph, type_, name, len(found)))
        return found[0]

    def assert_no_findings(self, *, allow: Collection[str] = ()) -> None:
        """Assert that nothing was found, but for the codes in `allow`.

        Raises:
            AssertionError: something was found; the text has each finding with its place and fix.
        """
        __tracebackhide__ = True
        found = [each for each in self.findings if each.code not in allow]
        if found:
            raise AssertionError(failures.unexpected("findings", found))

    def assert_encrypted(self) -> None:
        """Assert that all data is encrypted at rest and in transit, by the policies of both categories.

        The policies count whatever packs the stack enables; its waivers hold.

        Raises:
            AssertionError: a policy fails; the text has each finding with its place and fix.
        """
        __tracebackhide__ = True
        from penstock.app.judge import judge_policies

        levels = {**self.settings.rules, **{each.value: Enforcement.MANDATORY for each in _OF_ENCRYPTION}}
        settings = self.settings.model_copy(update={"packs": (), "frameworks": (), "rules": levels})
        report = judge_policies(self.graph, settings, beside=self.judgement)
        codes = {INTERNAL, *(each.rule.id for each in report.answers if each.rule.category in _OF_ENCRYPTION)}
        found = [each for each in report.findings if each.code in codes]
        if found:
            raise AssertionError(failures.unexpected("findings on encryption", found))
