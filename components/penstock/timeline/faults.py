"""Faults that a rehearsal is asked to play, by rule or by chance.

A rule is `KIND:PATTERN`, such as `no_capacity:*-train`, `crash:eks/cluster` or `throttling:aws:ec2/*`: the kinds are
those of `catalog.faults`, and the pattern, with `*` for anything, is held against a resource's type, the parts of the
type, its name and its URN. `seed=42` picks resources and kinds at random, and the same ones each time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from random import Random
from typing import Final

from penstock.catalog import faults as catalogue
from penstock.catalog.faults import FaultFacts
from penstock.core.errors import UnusableFaults
from penstock.core.spelling import near_matches, suggestion
from penstock.graph.graph import Graph, Resource
from penstock.graph.view import Site, View
from penstock.timeline import accelerators

_MOST_BY_CHANCE: Final = 3
_DEFAULT_TIMEOUT = "20m"
"""How long providers made from Terraform's wait when nothing else is said (terraform-plugin-sdk, resource timeouts)."""

_UNITS: Final = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}


@dataclass(frozen=True, slots=True)
class FaultRule:
    """One kind of fault for all resources that a pattern means."""

    kind: str
    pattern: str

    def __str__(self) -> str:
        return f"{self.kind}:{self.pattern}"

    def means(self, type_: str, name: str, urn: str) -> bool:
        """Return whether the pattern means a resource: by its type or a part of it, by its name or by its URN."""
        if self.pattern == urn:
            return True
        return any(fnmatchcase(text, self.pattern) for text in (urn, name, *_parts_of_type(type_)))


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of one resource, in the cloud's own words."""

    facts: FaultFacts
    machine: str = ""
    zone: str = ""
    timeout: str = _DEFAULT_TIMEOUT

    @property
    def kind(self) -> str:
        """The kind, such as quota."""
        return self.facts.kind

    @property
    def retried(self) -> bool:
        """True if the provider asks again by itself until it is let through, so that nothing fails."""
        return self.facts.tries is not None

    @property
    def message(self) -> str:
        """The error as the cloud writes it, with its code."""
        machine = f"{self.machine} " if self.machine else ""
        zone = f" ({self.zone})" if self.zone else ""
        text = self.facts.message.format(machine=machine, zone=zone, timeout=self.timeout)
        return f"{self.facts.code}: {text}" if self.facts.code else text

    @property
    def reported_after_s(self) -> float:
        """Seconds until the provider gives up, or until it is let through."""
        return self.facts.seconds if self.facts.seconds is not None else _seconds(self.timeout)


class Faults:
    """The faults of one run of a program. Of the `rules` that mean a resource, the first counts."""

    def __init__(self, rules: Sequence[FaultRule], seed: int | None = None) -> None:
        self.rules, self.seed = tuple(rules), seed
        self._met: dict[tuple[str, str], int] = {}

    def chosen(self, graph: Graph) -> Faults:
        """The same faults with one rule for each resource of a graph that meets one, by URN; without a seed.

        Raises:
            UnusableFaults: a rule means no resource that could meet its fault.
        """
        rules = [FaultRule(rule.kind, resource.urn) for rule in self.rules for resource in _meeting(rule, graph)]
        if self.seed is not None:
            rules += _by_chance(graph, self.seed)
        return Faults(rules)

    def again(self) -> Faults:
        """The faults that a second run still meets: neither a crash nor what goes away by asking again."""
        return Faults([rule for rule in self.rules if rule.kind not in ("crash", "throttling")])

    def on(self, type_: str, name: str, urn: str, operation: str = "create") -> Fault | None:
        """Return the fault that a provider meets when it is asked for an operation (create, update or delete) now.

        Ask with what `chosen` gives. Each question counts as a try: a fault that the provider asks again after is gone
        after its tries, a crash after the first; all others stay.
        """
        for rule in self.rules:
            facts = catalogue.find_fault(rule.kind, type_) if rule.means(type_, name, urn) else None
            if facts is None or operation not in facts.operations:
                continue
            most = 1 if rule.kind == "crash" else facts.tries
            met = self._met.get((rule.kind, urn), 0)
            if most is None or met < most:
                self._met[rule.kind, urn] = met + 1
                return Fault(facts)
        return None


def parse_faults(rules: Sequence[str]) -> Faults:
    """The faults that rules ask for.

    Raises:
        UnusableFaults: a rule has another form or an unknown kind; the text says what would be right.
    """
    parsed: list[FaultRule] = []
    seed: int | None = None
    for text in rules:
        kind, colon, pattern = text.partition(":")
        if text.startswith("seed="):
            if seed is not None:
                raise UnusableFaults(f"{text!r} is a second seed; a run takes one")
            seed = _seed(text)
        elif not kind or not colon or not pattern:
            raise UnusableFaults(
                f"{text!r} is not a fault rule. Write KIND:PATTERN, such as no_capacity:*-train, or seed=42. "
                f"Kinds: {', '.join(catalogue.fault_kinds())}."
            )
        elif kind not in catalogue.fault_kinds():
            near = near_matches(kind, catalogue.fault_kinds())
            advice = suggestion(near) or f"Known: {', '.join(catalogue.fault_kinds())}."
            raise UnusableFaults(f"{kind!r} is not a kind of fault. {advice}")
        else:
            parsed.append(FaultRule(kind, pattern))
    return Faults(parsed, seed)


def met_by(resource: Resource, graph: Graph, kind: str) -> Fault | None:
    """How a resource of a graph meets a kind of fault as it is created; None where it cannot."""
    if not resource.custom or resource.external or resource.type.startswith("pulumi:"):
        return None
    facts = catalogue.find_fault(kind, resource.type)
    if facts is None or "create" not in facts.operations:
        return None
    view = View(resource, Site(graph))
    if facts.machines and not accelerators.starts_machines(view):
        return None
    return Fault(
        facts,
        machine=", ".join(accelerators.machine_types(view)) or _reserved_type(resource),
        zone=", ".join(_zones(resource, graph)),
        timeout=resource.options.timeouts.create or _DEFAULT_TIMEOUT,
    )


def _reserved_type(resource: Resource) -> str:
    """The machine type that a reservation of capacity holds."""
    named = resource.inputs.get("instanceType")
    return named if isinstance(named, str) else ""


def _parts_of_type(type_: str) -> tuple[str, ...]:
    """`aws:eks/cluster:Cluster` is meant by itself, without the cloud, by its module `eks/cluster` and by `Cluster`."""
    _, _, rest = type_.partition(":")
    return (type_, rest, rest.rpartition(":")[0], rest.rpartition(":")[2])


def _meeting(rule: FaultRule, graph: Graph) -> list[Resource]:
    meant = [resource for resource in graph if rule.means(resource.type, resource.name, resource.urn)]
    meeting = [resource for resource in meant if met_by(resource, graph, rule.kind) is not None]
    if meeting:
        return meeting
    could = [resource for resource in graph if met_by(resource, graph, rule.kind) is not None]
    names = list(dict.fromkeys(word for resource in could for word in (resource.name, resource.type)))
    near = near_matches(rule.pattern, names, likeness=0.4, most=3) or names[:3]
    why = f"what {str(rule)!r} matches cannot meet {rule.kind}" if meant else f"{str(rule)!r} matches nothing"
    example = f"What can meet it, for example: {', '.join(near)}." if near else "Nothing in this program can meet it."
    raise UnusableFaults(f"{why}: the pattern is held against types, names and URNs. {example}")


def _by_chance(graph: Graph, seed: int) -> Iterator[FaultRule]:
    chance = Random(seed)  # noqa: S311 - a rehearsal is to be repeated, not to be kept secret
    for _ in range(chance.randint(1, _MOST_BY_CHANCE)):
        kind = chance.choice(catalogue.fault_kinds())
        could = [resource.urn for resource in graph if met_by(resource, graph, kind) is not None]
        if could:
            yield FaultRule(kind, chance.choice(could))


def _zones(resource: Resource, graph: Graph) -> tuple[str, ...]:
    """The zones that a resource asks for machines in: its own, or those of its subnets."""
    inputs = resource.inputs
    own = inputs.get("availabilityZone") or inputs.get("zone") or inputs.get("nodeLocations")
    if own is not None:
        return tuple(zone for zone in (own if isinstance(own, list) else [own]) if isinstance(zone, str))
    keys = ("subnetIds", "subnetId", "vpcZoneIdentifiers")
    urns = (urn for key in keys for urn in resource.property_dependencies.get(key, ()))
    zones = (graph[urn].inputs.get("availabilityZone") for urn in urns if urn in graph.resources)
    return tuple(dict.fromkeys(zone for zone in zones if isinstance(zone, str)))


def _seed(text: str) -> int:
    try:
        return int(text.removeprefix("seed="))
    except ValueError:
        raise UnusableFaults(f"{text!r} is not a seed. Write a whole number, such as seed=42.") from None


def _seconds(duration: str) -> float:
    """A duration as Pulumi writes it, such as 1h30m; what cannot be read counts as the default."""
    parts = re.findall(r"([\d.]+)(ms|h|m|s)", duration)
    return sum(float(number) * _UNITS[unit] for number, unit in parts) or _seconds(_DEFAULT_TIMEOUT)
