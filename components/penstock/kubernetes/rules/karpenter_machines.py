"""Machine types that a NodePool of Karpenter may start: what its requirements leave of the catalogue."""

from __future__ import annotations

from penstock.graph.view import Block
from penstock.kubernetes.facts.node_labels import INSTANCE_TYPE
from penstock.kubernetes.model.karpenter_machines import Candidate, machines_of
from penstock.kubernetes.model.pools import KarpenterPool


def requirements(pool: KarpenterPool) -> list[Block]:
    """The requirements of a NodePool."""
    template = pool.block.block("template")
    spec = template.block("spec") if template is not None else None
    return spec.blocks("requirements") if spec is not None else []


def candidates(pool: KarpenterPool) -> tuple[list[Candidate], bool]:
    """The machine types that a NodePool may start, and whether the catalogue knows all of them.

    Raises:
        NotKnown: a requirement is not known.
    """
    machines = machines_of(pool.cloud)
    if machines is None:
        return [], False
    wanted = requirements(pool)
    named = next(filter(None, (_listed(wanted, key) for key in (INSTANCE_TYPE, *machines.size_labels))), [])
    found = [machines.candidate(name) for name in named] if named else list(machines.all_candidates())
    families = [family for label in machines.family_labels for family in _listed(wanted, label)]
    complete = bool(named) or (bool(families) and all(map(machines.has_family, families)))
    left = [each for each in found if _may_be(each, wanted)]
    return left, complete and all(each.known for each in found)


def holds(requirement: Block, values: frozenset[str]) -> bool:
    """Return whether a label with one of some values meets a requirement; no value is a label that is absent."""
    listed = requirement.texts("values")
    match requirement.text("operator"):
        case "In":
            return not values.isdisjoint(listed)
        case "NotIn":
            return not values or bool(values - set(listed))
        case "Exists":
            return bool(values)
        case "DoesNotExist":
            return not values
        case operator:
            return _compares(operator or "", values, listed)


def _compares(operator: str, values: frozenset[str], listed: list[str]) -> bool:
    numbers = [int(each) for each in values if each.isdecimal()]
    bound = int(listed[0]) if len(listed) == 1 and listed[0].isdecimal() else None
    if bound is None:
        return True
    return any(
        {"Gt": number > bound, "Lt": number < bound, "Gte": number >= bound, "Lte": number <= bound}.get(operator, True)
        for number in numbers
    )


def _may_be(candidate: Candidate, wanted: list[Block]) -> bool:
    for each in wanted:
        values = candidate.labels.get(each.text("key") or "", None)
        if values is not None and not holds(each, values):
            return False
    return True


def _listed(wanted: list[Block], key: str) -> list[str]:
    """The values that a label is bound to; none where it is not."""
    sets = [each.texts("values") for each in wanted if each.text("key") == key and each.text("operator") == "In"]
    return [value for value in sets[0] if all(value in others for others in sets[1:])] if sets else []
