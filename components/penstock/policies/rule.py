"""What a policy rule is: a promise, why it matters, how to keep it, and a check that tells whether a resource does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from penstock.policies.checks import Check, Custom

if TYPE_CHECKING:
    from penstock.policies.remedies import Remedy
    from penstock.policies.settings import Settings
    from penstock.resources.verdict import Verdict
    from penstock.resources.view import View

    Judge = Callable[[View, Settings], Verdict]


class Concern(StrEnum):
    """What a rule protects. A concern is one policy of the Pulumi pack."""

    AT_REST = "encryption-at-rest"
    IN_TRANSIT = "encryption-in-transit"
    SEGMENTATION = "segmentation"
    IDENTITY = "identity"
    SECRETS = "secrets"
    LOGS = "logging"
    RESIDENCY = "residency"
    COST = "cost"
    RESILIENCE = "resilience"
    SUPPLY_CHAIN = "supply-chain"
    TAGS = "tags"


class Weight(StrEnum):
    """How much a broken rule matters: a critical one lets strangers in or data out by itself."""

    CRITICAL = "critical"
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


CRITICAL, HIGH, MEDIUM, LOW = Weight


@dataclass(frozen=True, slots=True)
class Rule:
    """One promise about resources.

    Attributes:
        id: Stable, such as aws-ebs-encrypted.
        what: What holds when all is well, one sentence.
        on: The type tokens it speaks of; `aws:*` for all of a package, `*` for all, the Stack's for all
            resources together.
        check: Tells whether a resource keeps it.
        weight: How much it matters.
        why: What happens where it is broken.
        fix: How to mend that, in the provider's own names.
        concern: What it protects.
        peers: Ids of the same rule in other tools: CKV_… of Checkov, AVD ids of Trivy without their prefix, KSV-….
        cis: Controls of the CIS benchmarks, with † where no machine-readable mapping confirms the number.
        in_production: Whether it speaks of production only.
        remedy: A change of inputs that keeps it, where that is safe in every case.
    """

    id: str
    what: str
    on: tuple[str, ...]
    check: Check
    weight: Weight
    why: str
    fix: str
    concern: Concern
    peers: tuple[str, ...] = ()
    cis: tuple[str, ...] = ()
    in_production: bool = False
    remedy: Remedy | None = None

    @property
    def joins(self) -> bool:
        """Whether it reads other resources beside the one it judges."""
        return self.check.joins

    def reads(self, type_: str) -> tuple[str, ...]:
        """The property paths that it reads of a resource of this type."""
        return self.check.reads(type_)


@dataclass(slots=True)
class Rules:
    """The rules of one module: rows of data, and functions for what data cannot say."""

    concern: Concern
    _rules: list[Rule] = field(default_factory=list)

    def __iter__(self) -> Iterator[Rule]:
        return iter(self._rules)

    def row(
        self,
        id_: str,
        what: str,
        *,
        on: str | tuple[str, ...],
        check: Check,
        weight: Weight,
        why: str,
        fix: str,
        peers: str = "",
        cis: tuple[str, ...] = (),
        in_production: bool = False,
        remedy: Remedy | None = None,
    ) -> None:
        """Adds a rule that the vocabulary of checks can say; `peers` are separated by spaces."""
        types = (on,) if isinstance(on, str) else on
        self._rules.append(
            Rule(
                id_,
                what,
                types,
                check,
                weight,
                why,
                fix,
                self.concern,
                tuple(peers.split()),
                cis,
                in_production,
                remedy,
            )
        )

    def rule(
        self,
        id_: str,
        *,
        on: str | tuple[str, ...],
        reads: tuple[str, ...],
        weight: Weight,
        why: str,
        fix: str,
        joins: bool = False,
        peers: str = "",
        cis: tuple[str, ...] = (),
        in_production: bool = False,
        remedy: Remedy | None = None,
    ) -> Callable[[Judge], Judge]:
        """Makes a function of a resource and the settings a rule; its docstring is the promise."""

        def make(function: Judge) -> Judge:
            self.row(
                id_,
                " ".join((function.__doc__ or "").split()),
                on=on,
                check=Custom(reads, function, joins),
                weight=weight,
                why=why,
                fix=fix,
                peers=peers,
                cis=cis,
                in_production=in_production,
                remedy=remedy,
            )
            return function

        return make
