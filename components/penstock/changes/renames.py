"""Recognises what a change deletes and creates again under another name, and words the alias that would save it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from os.path import commonprefix
from re import Pattern
from typing import Any, Final

from penstock.graph.graph import STACK_TYPE, Graph, Resource
from penstock.graph.values import Secret
from penstock.providers import provider_of
from penstock.simulate.monitor.prior_state import PriorState, type_of
from penstock.simulate.monitor.providers import PREFIX

_ALIKE: Final = 0.5
"""The share of inputs that two resources of one type have in common at least, when one is taken for the other."""
_GRANTEES: Final = ("member", "principalArn")
"""Inputs that say whom something is granted to: to another one, it is another grant."""
_REACH: Final = ("allows", "denies", "destinationRanges", "sourceRanges", "direction", "disabled")
"""Inputs that say what a rule of a firewall is for: one that lets through something else is another rule."""


@dataclass(frozen=True, slots=True)
class Rename:
    """One resource under two names; `alias` is what to add to its `aliases`, in Python."""

    old: Resource
    new: Resource
    alias: str


def recognised(before: Graph, after: Graph) -> tuple[Rename, ...]:
    """The renames that no alias names; children that follow their parent need no alias of their own.

    Costs no more than reading both Graphs: candidates are found by what they hold, not by comparing all with all.
    """
    prior = PriorState(before)
    fresh = [
        each
        for each in after
        if prior.find(each.urn, each.parent, each.options.aliases) is None and _can_be_renamed(each)
    ]
    gone = [each for each in prior.left() if _can_be_renamed(each)]
    if not fresh or not gone:
        return ()
    pairs = _paired(_Shapes(before), gone, _Shapes(after), fresh)
    following = PriorState(before)
    renames = []
    for each in after:
        if following.find(each.urn, each.parent, each.options.aliases) is None and each.urn in pairs:
            old = pairs[each.urn]
            following.rename(each.urn, old.urn)
            renames.append(Rename(old, each, _alias(old, each, following.former_urn(each.parent))))
    return tuple(renames)


def _can_be_renamed(resource: Resource) -> bool:
    return not resource.external and resource.type != STACK_TYPE and not resource.type.startswith(PREFIX)


def _paired(
    old_shapes: _Shapes, gone: Iterable[Resource], new_shapes: _Shapes, fresh: Iterable[Resource]
) -> Mapping[str, Resource]:
    """The old resource for each new URN: first those that hold the same, then the only ones that are alike."""
    left, wanted = {each.urn: each for each in gone}, {each.urn: each for each in fresh}
    pairs: dict[str, Resource] = {}
    for shape_of in (_Shapes.exact, _Shapes.kind, _Shapes.name):
        old_groups = _grouped(left.values(), shape_of, old_shapes)
        for shape, news in _grouped(wanted.values(), shape_of, new_shapes).items():
            twins = list(zip(_by_name(old_groups.get(shape, [])), _by_name(news), strict=False))
            if len(old_groups.get(shape, [])) != len(news) or not _follow_one_rule(twins):
                continue  # the pairs are ambiguous
            for old, new in twins:
                if not (_grant_alike(old, new) and _reach_alike(old, new)):
                    continue
                if shape_of is _Shapes.exact or _alike(old_shapes.parts(old), new_shapes.parts(new)):
                    pairs[new.urn] = left.pop(old.urn)
                    del wanted[new.urn]
    return pairs


def _grouped(
    resources: Iterable[Resource], shape_of: Callable[[_Shapes, Resource], str], shapes: _Shapes
) -> dict[str, list[Resource]]:
    groups: dict[str, list[Resource]] = {}
    for each in resources:
        groups.setdefault(shape_of(shapes, each), []).append(each)
    return groups


def _follow_one_rule(twins: list[tuple[Resource, Resource]]) -> bool:
    """Return whether the same part of each name was replaced by the same text: `old-a`, `old-b` to `new-a`, `new-b`."""
    return len({_renaming(old.name, new.name) for old, new in twins}) == 1


def _renaming(old: str, new: str) -> tuple[str, str]:
    start = len(commonprefix([old, new]))  # noqa: RUF071 names, not paths
    end = len(commonprefix([old[start:][::-1], new[start:][::-1]]))  # noqa: RUF071
    return old[start : len(old) - end], new[start : len(new) - end]


def _by_name(resources: list[Resource]) -> list[Resource]:
    return sorted(resources, key=lambda each: each.name)


def _alike(old: frozenset[str], new: frozenset[str]) -> bool:
    return len(old & new) >= _ALIKE * max(len(old), len(new))


def _grant_alike(old: Resource, new: Resource) -> bool:
    """Return whether both are granted to the same one, as far as the program says so and not another resource."""
    named = [key for key in _GRANTEES if not (_comes_from_another(key, old) or _comes_from_another(key, new))]
    return all(old.inputs.get(key) == new.inputs.get(key) for key in named)


def _reach_alike(old: Resource, new: Resource) -> bool:
    """Return whether rules of a firewall let the same through, as far as the program says so itself."""
    named = [key for key in _REACH if not (key in old.property_dependencies or key in new.property_dependencies)]
    return all(old.inputs.get(key) == new.inputs.get(key) for key in named)


def _comes_from_another(key: str, resource: Resource) -> bool:
    """Return whether a resource that is no grant itself decides an input, such as the role that is let in."""
    return not all(_is_grantee_source(type_of(urn)) for urn in resource.property_dependencies.get(key, ()))


def _is_grantee_source(type_: str) -> bool:
    provider = provider_of(type_)
    return provider is not None and type_ == provider.grantee_source


class _Shapes:
    """The content of a Graph's resources, without their names: equal for a resource that was only renamed."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._digests: dict[str, str] = {}
        for resource in reversed(list(graph)):  # children first
            self._digests[resource.urn] = _digest([resource.type, *sorted(self.parts(resource))])

    def exact(self, resource: Resource) -> str:
        """All that it holds."""
        return self._digests[resource.urn]

    def kind(self, resource: Resource) -> str:
        """Its type alone."""
        return resource.type

    def name(self, resource: Resource) -> str:
        """A component's name, for one that has become another type; anything else has no such twin."""
        return resource.urn if resource.custom else f"component {resource.name}"

    def parts(self, resource: Resource) -> frozenset[str]:
        """The inputs of a resource and the children of a component, each as one text."""
        names = self._names_above(resource)
        uses = resource.property_dependencies
        inputs = [
            _digest([key, sorted({type_of(urn) for urn in uses[key]}) if key in uses else value], names)
            for key, value in resource.inputs.items()
            if value is not None
        ]
        return frozenset([*inputs, *(self._digests[child.urn] for child in self._graph.children(resource.urn))])

    def _names_above(self, resource: Resource) -> Pattern[str]:
        """Finds the names of a resource and its parents in a text: what is made from them changes with them."""
        names = [resource.name]
        parent = self._graph.resources.get(resource.parent)
        while parent is not None and parent.type != STACK_TYPE:
            names.append(parent.name)
            parent = self._graph.resources.get(parent.parent)
        either = "|".join(re.escape(name) for name in sorted(set(names), key=len, reverse=True))
        return re.compile(rf"(?<![A-Za-z0-9])(?:{either})(?![A-Za-z0-9])")


def _digest(parts: list[Any], names: Pattern[str] | None = None) -> str:
    text = json.dumps(parts, sort_keys=True, default=_as_json)
    text = names.sub("*", text) if names else text
    return blake2b(text.encode(), digest_size=16).hexdigest()


def _as_json(value: Any) -> Any:
    return value.value if isinstance(value, Secret) else repr(value)


def _alias(old: Resource, new: Resource, above: str) -> str:
    """What the program should say; `above` is the URN under which the parent of the new one stood."""
    arguments = []
    if old.name != new.name:
        arguments.append(f"name={json.dumps(old.name)}")
    if old.type != new.type:
        arguments.append(f"type_={json.dumps(old.type)}")
    if old.parent != above:
        below_stack = not old.parent or type_of(old.parent) == STACK_TYPE
        arguments.append(f"parent={'pulumi.ROOT_STACK_RESOURCE' if below_stack else json.dumps(old.parent)}")
    return f"pulumi.Alias({', '.join(arguments)})"
