"""The record of a rule: a title that holds when all is well, a rationale, a fix, and a check of a resource.

Provider rules and policies are the same kind of record. A check is a row of the vocabulary in `checks`, or a function
where the vocabulary does not say it shorter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from inspect import getfile
from typing import Any, TypeVar

from penstock.graph.graph import STACK_TYPE
from penstock.graph.verdict import Verdict
from penstock.graph.view import View
from penstock.rules.checks import Check, Custom, Members
from penstock.rules.levels import Category, RuleKind, RuleSeverity
from penstock.rules.settings import Settings

Remedy = Callable[[Mapping[str, Any], Settings], dict[str, Any]]
"""Makes of the inputs of a resource those that are to be set in their place."""

Judge = TypeVar("Judge", bound=Callable[..., Verdict])
"""A function of a resource, or of a resource and the settings."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule.

    Attributes:
        id: Stable and readable, such as aws-ebs-encrypted.
        title: What holds when all is well, one sentence.
        on: The type tokens of the resources that it judges; `aws:*` for all of a package, `*` for all, the Stack's for
            all resources together.
        check: Says whether a resource keeps it.
        severity: How much it matters.
        rationale: What happens where it is broken.
        fix: How to set that right, in the provider's own names.
        category: What it protects; `provider` for what a provider refuses.
        sources: Where it comes from, each a label that may end in a link: `EKS user guide <https://…>`. `[?]` before a
            label says that no primary source confirms it.
        peers: Ids of the same rule in other tools: CKV_… of Checkov, AVD ids of Trivy without their prefix, KSV-….
        cis: Controls of the CIS benchmarks, with † where no machine-readable mapping confirms the number.
        in_production: Whether it applies in production only.
        remedy: A change of inputs that keeps it, where that is safe in every case.
    """

    id: str
    title: str
    on: tuple[str, ...]
    check: Check
    severity: RuleSeverity
    rationale: str
    fix: str
    category: Category
    sources: tuple[str, ...] = ()
    peers: tuple[str, ...] = ()
    cis: tuple[str, ...] = ()
    in_production: bool = False
    remedy: Remedy | None = None

    @property
    def kind(self) -> RuleKind:
        """The kind: provider rule or policy."""
        return self.category.kind

    @property
    def joins(self) -> bool:
        """True where other resources are read beside the one that is judged."""
        return self.check.joins

    @property
    def is_of_stack(self) -> bool:
        """True where all resources are judged together."""
        return STACK_TYPE in self.on

    def judge(self, resource: View, settings: Settings) -> Verdict:
        """Return the verdict on a resource; reading what is not known yet ends it as unknown."""
        return self.check.asked(resource, settings)

    def judges(self, type_: str) -> bool:
        """Return whether it speaks of resources of a type."""
        return any(pattern in self.on for pattern in patterns_of(type_))

    @property
    def file(self) -> str | None:
        """The file of its function; None for a rule of the vocabulary."""
        return getfile(self.check.function) if isinstance(self.check, Custom) else None


def _members(each_of: Members | str | None) -> Members | None:
    if not isinstance(each_of, str):
        return each_of
    if each_of.endswith("[]"):
        return lambda resource: resource.blocks_at(each_of)
    return lambda resource: resource.blocks(each_of)


def patterns_of(type_: str) -> tuple[str, str, str]:
    """Return what a rule on resources of this type can be on: the type, all of its package, or all there are."""
    return type_, f"{type_.partition(':')[0]}:*", "*"


@dataclass(slots=True)
class RuleSet:
    """The rules of one module: rows of data, and functions for what data cannot say."""

    category: Category
    _rules: list[Rule] = field(default_factory=list)

    def __iter__(self) -> Iterator[Rule]:
        return iter(self._rules)

    def row(
        self,
        id_: str,
        title: str,
        *,
        on: str | tuple[str, ...],
        check: Check,
        severity: RuleSeverity,
        rationale: str,
        fix: str,
        sources: tuple[str, ...] = (),
        peers: str = "",
        cis: tuple[str, ...] = (),
        in_production: bool = False,
        remedy: Remedy | None = None,
    ) -> None:
        """Add a rule that the vocabulary of checks can say; `peers` are separated by spaces."""
        types = (on,) if isinstance(on, str) else on
        self._rules.append(
            Rule(
                id_,
                title,
                types,
                check,
                severity,
                rationale,
                fix,
                self.category,
                sources,
                tuple(peers.split()),
                cis,
                in_production,
                remedy,
            )
        )

    def rule(
        self,
        *,
        on: str | tuple[str, ...],
        each_of: Members | str | None = None,
        severity: RuleSeverity,
        rationale: str,
        fix: str,
        joins: bool = False,
        sources: tuple[str, ...] = (),
        peers: str = "",
        cis: tuple[str, ...] = (),
        in_production: bool = False,
        remedy: Remedy | None = None,
    ) -> Callable[[Judge], Judge]:
        """Turn a function of a resource, or of a resource and the settings, into a rule.

        Its name is the rule's id, with `_` for `-`; its docstring is the title. With `each_of`, it is a function of one
        member of the resource: `each_of` returns the members, or is the path of a list of objects.
        """

        def make(function: Judge) -> Judge:
            takes_settings = function.__code__.co_argcount > 1
            self.row(
                function.__name__.replace("_", "-"),
                " ".join((function.__doc__ or "").split()),
                on=on,
                check=Custom(function, joins, takes_settings, _members(each_of)),
                severity=severity,
                rationale=rationale,
                fix=fix,
                sources=sources,
                peers=peers,
                cis=cis,
                in_production=in_production,
                remedy=remedy,
            )
            return function

        return make
