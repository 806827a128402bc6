"""Writes the Kubernetes policies as Kyverno policies, which a cluster enforces whatever made an object.

A check becomes a pattern if a pattern can express it, and conditions otherwise. Exemptions by image, host path or name
become preconditions or exclusions. Rules that are functions, or that read several objects, have no such form. Neither
have exemptions by a relation: they need a PolicyException.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import yaml

from penstock import pack
from penstock.kubernetes.facts.charts import HELM_CHARTS
from penstock.kubernetes.facts.custom_kinds import is_custom
from penstock.kubernetes.facts.pod_homes import whole_specs
from penstock.kubernetes.model.pods.containers import INHERITED
from penstock.kubernetes.policies.pods import Containers, NoAnnotation, Pods
from penstock.policies import exemptions
from penstock.policies.exemptions import Exemption
from penstock.rules import registry
from penstock.rules.checks import Absent, All, ByType, Check, Is, IsNot, NoneOf, OneOf
from penstock.rules.rule import Rule
from tools.generated import DataSet, main
from tools.jmespath import Untranslatable, expression_of, path_below, path_steps

Object = dict[str, Any]

_HEADER: Final = "# Made from the rules; `python -m tools.kyverno_policies` writes it anew.\n"
FOLDER: Final = Path(pack.__file__).parent / "policy_pack" / "kyverno"
_PROVIDER: Final = "kubernetes"
_PACKAGE: Final = f"{_PROVIDER}:"
_POD: Final = "kubernetes:core/v1:Pod"
_PATCH: Final = "Patch"
"""Ends the types by which Pulumi changes what others made, which are not kinds of a cluster."""
_IMAGES: Final = "{{ request.object.spec.[containers, initContainers, ephemeralContainers][].image }}"
_SYSTEM: Final = """request.object.spec.os.name || request.object.spec.nodeSelector."kubernetes.io/os\""""
_SECURITY_CONTEXT: Final = "securityContext"
_OPERATIONS: Final = ("CREATE", "UPDATE")
"""Kyverno judges deletions by the old object unless a policy names operations, so that what breaks it could not go
(kyverno 1.19, pkg/controllers/webhook: all operations by default)."""


def data_set() -> DataSet:
    """The file of each policy."""
    policies, _ = translated()
    wanted = {FOLDER / f"{id_}.yaml": _HEADER + _dumped(policy) for id_, policy in policies.items()}
    return DataSet(wanted, set(FOLDER.glob("*.yaml")))


def translated() -> tuple[Mapping[str, Object], Mapping[str, str]]:
    """The Kyverno policy of each Kubernetes rule by its id, and the reason of each rule that has none."""
    made: dict[str, Object] = {}
    reasons: dict[str, str] = {}
    for rule in registry.policies((_PROVIDER,)):
        if not any(type_.startswith(_PACKAGE) for type_ in rule.on):
            continue
        try:
            made[rule.id] = _policy(rule)
        except Untranslatable as reason:
            reasons[rule.id] = str(reason)
    return made, reasons


def _policy(rule: Rule) -> Object:
    if set(HELM_CHARTS) & set(rule.on):
        raise Untranslatable("a release is not an object of the cluster: the rules of pods judge what it renders")
    targets = list(_targets(rule))
    if not targets:
        raise Untranslatable("its kinds are an operator's, and Kyverno refuses those that a cluster does not have")
    return {
        "apiVersion": "kyverno.io/v1",
        "kind": "ClusterPolicy",
        "metadata": {
            "name": rule.id,
            "annotations": {
                "policies.kyverno.io/title": rule.id,
                "policies.kyverno.io/category": rule.category.value,
                "policies.kyverno.io/severity": rule.severity.value,
                "policies.kyverno.io/subject": ", ".join(
                    dict.fromkeys(_kind(type_) for types, _ in targets for type_ in types)
                ),
                "policies.kyverno.io/minversion": "1.13.0",
                "policies.kyverno.io/description": f"{rule.title} {rule.rationale}",
            },
        },
        "spec": {
            "background": True,
            "rules": [
                {
                    "name": f"{rule.id}-{number}" if len(targets) > 1 else rule.id,
                    **_rule(rule, types, check),
                }
                for number, (types, check) in enumerate(targets, start=1)
            ],
        },
    }


def _targets(rule: Rule) -> Iterator[tuple[tuple[str, ...], Check]]:
    """Yield the types of a rule of Kyverno with its check: Pod covers all that creates pods."""
    if isinstance(rule.check, ByType):
        for type_, check in rule.check.checks.items():
            if _is_of_kubernetes(type_):
                yield (type_,), check
        return
    types = (_POD,) if _POD in rule.on else tuple(filter(_is_of_kubernetes, rule.on))
    if types:
        yield from ((types, check) for check in _of_pods(rule.check))


def _of_pods(check: Check) -> tuple[Check, ...]:
    """A check, or what it says of pods and what of their containers, for which Kyverno has no words in common."""
    several = isinstance(check, All) and any(isinstance(each, Pods | Containers) for each in check.checks)
    return check.checks if isinstance(check, All) and several else (check,)


def _is_of_kubernetes(type_: str) -> bool:
    """Return whether each cluster has the kind: Kyverno refuses policies on kinds that it does not know."""
    return not type_.endswith(_PATCH) and not is_custom(type_)


def _kind(type_: str) -> str:
    api, _, kind = type_.removeprefix(_PACKAGE).rpartition(":")
    return kind if type_ == _POD else f"{api.removeprefix('core/')}/{kind}"


def _rule(rule: Rule, types: Sequence[str], check: Check) -> Object:
    excluded, conditions = _excuses(rule)
    if isinstance(check, Pods | Containers) and check.linux:
        conditions.setdefault("all", []).append(
            {"key": f"{{{{ {_SYSTEM} || 'linux' }}}}", "operator": "NotEquals", "value": "windows"}
        )
    if isinstance(check, Containers) and check.host_users:
        conditions.setdefault("all", []).append(
            {"key": "{{ request.object.spec.hostUsers == `false` }}", "operator": "NotEquals", "value": True}
        )
    return {
        "match": {"any": [{"resources": {"kinds": [_kind(type_) for type_ in types], "operations": [*_OPERATIONS]}}]},
        **({"exclude": {"any": [{"resources": {"names": excluded}}]}} if excluded else {}),
        **({"preconditions": conditions} if conditions else {}),
        "validate": {
            "failureAction": "Audit",
            "message": f"{rule.title} {rule.fix}",
            **_validation(types, check),
        },
    }


def _validation(types: Sequence[str], check: Check) -> Object:
    try:
        return {"pattern": _whole_pattern(types, check)}
    except Untranslatable:
        return _denial(types, check)


def _denial(types: Sequence[str], check: Check) -> Object:
    match check:
        case Containers(check=inner, kinds=kinds):
            home = f"request.object.{_home(types)}"
            items = f"{home}.[{', '.join(kinds)}][]"
            return {
                "foreach": [{"list": items, "deny": _if(expression_of(inner, lambda path: _as_run(path, home)).fails)}]
            }
        case Pods(check=inner):
            return {"deny": _if(expression_of(inner, path_below(f"request.object.{_home(types)}")).fails)}
        case _:
            return {"deny": _if(expression_of(check, path_below("request.object")).fails)}


def _if(expression: str) -> Object:
    return {"conditions": {"any": [{"key": f"{{{{ {expression} }}}}", "operator": "Equals", "value": True}]}}


def _as_run(path: str, home: str) -> str:
    """A property of a container, or what it takes from its pod where its own says nothing."""
    own = path_below("element")(path)
    if not _is_inherited(path):
        return own
    return f"not_null({own}, {path_below(home)(path)})"


def _is_inherited(path: str) -> bool:
    return path.startswith(f"{_SECURITY_CONTEXT}.") and path.split(".")[1] in INHERITED


def _home(types: Sequence[str]) -> str:
    """Where these types keep their pod, which is one place for all of them."""
    homes = {home for type_ in types for home in whole_specs()[type_]}
    if len(homes) > 1:
        raise Untranslatable("its kinds keep their pods in several places")
    return homes.pop()


def _whole_pattern(types: Sequence[str], check: Check) -> Object:
    match check:
        case Containers(check=inner, kinds=kinds):
            found = _pattern(inner)
            if any(_is_inherited(path) for path in inner.reads(types[0])):
                raise Untranslatable("a pattern does not see what a container takes from its pod")
            lists = {kind if kind == "containers" else f"=({kind})": [found] for kind in kinds}
            return _nested(path_steps(_home(types)), lists, optional=False)
        case Pods(check=inner):
            return _nested(path_steps(_home(types)), _pattern(inner), optional=False)
        case NoAnnotation(prefix=prefix, value=value):
            return _nested(["metadata", "annotations", f"{prefix}*"], f"!{value}", optional=True)
        case _:
            return _pattern(check)


def _pattern(check: Check) -> Object:
    """A pattern of an object, whose anchors let what is missing pass where the check does."""
    match check:
        case All(checks=checks):
            merged: Object = {}
            for each in checks:
                merged = _merged(merged, _pattern(each))
            return merged
        case Is(path=path, value=bool() | str() as value):
            return _nested(path_steps(path), value, optional=False)
        case IsNot(path=path, value=bool() as value):
            return _nested(path_steps(path), not value, optional=True)
        case IsNot(path=path, value=str() as value):
            return _nested(path_steps(path), f"!{value}", optional=True)
        case OneOf(path=path, values=values) if _are_texts(values):
            return _nested(path_steps(path), " | ".join(values), optional=path.endswith("[]"))
        case OneOf(path=path, values=(None, int() as value)):
            return _nested(path_steps(path), value, optional=True)
        case NoneOf(path=path, values=values) if _are_texts(values):
            return _nested(path_steps(path), " & ".join(f"!{value}" for value in values), optional=True)
        case Absent(path=path):
            *way, last = path_steps(path)
            return _nested(way, {f"X({last})": "null"}, optional=True)
        case _:
            raise Untranslatable("no pattern says it")


def _are_texts(values: Sequence[Any]) -> bool:
    return all(isinstance(value, str) for value in values)


def _nested(way: Sequence[str], leaf: Any, *, optional: bool) -> Object:
    found = leaf
    for step in reversed(way):
        key = step.removesuffix("[]")
        inner = [found] if step.endswith("[]") and isinstance(found, dict) else found
        found = {f"=({key})" if optional else key: inner}
    result: Object = found
    return result


def _merged(one: Object, other: Object) -> Object:
    merged = dict(one)
    for key, value in other.items():
        here = merged.get(key)
        if isinstance(here, dict) and isinstance(value, dict):
            merged[key] = _merged(here, value)
        elif isinstance(here, list) and isinstance(value, list):
            merged[key] = [_merged(here[0], value[0])]
        elif here is None:
            merged[key] = value
        else:
            raise Untranslatable("no pattern says two things of one property")
    return merged


def _excuses(rule: Rule) -> tuple[list[str], Object]:
    """The names that a policy excludes, and the conditions without which an exemption holds: `any` by images."""
    excluded: list[str] = []
    conditions: Object = {}
    images: list[Exemption] = []
    for exemption in exemptions.all_exemptions():
        if rule.id not in exemption.rules or exemption.relation:
            continue
        if exemption.where == "images":
            images.append(exemption)
        elif exemption.where.startswith("pod:"):
            path = path_below("request.object.spec")(exemption.where.removeprefix("pod:"))
            conditions.setdefault("all", []).append(_none_of(f"{{{{ {path} || `[]` }}}}", "AnyNotIn", exemption.like))
        elif exemption.where == "metadata.name":
            excluded += exemption.like
    if images:
        alone = [pattern for each in images for pattern in each.like if not pattern.startswith("(")]
        beside = [pattern.strip("()") for each in images for pattern in each.like if pattern.startswith("(")]
        conditions["any"] = [_none_of(_IMAGES, "AnyNotIn", [*alone, *beside]), _none_of(_IMAGES, "AllNotIn", alone)]
    return excluded, conditions


def _none_of(key: str, operator: str, patterns: Sequence[str]) -> Object:
    return {"key": key, "operator": operator, "value": sorted({each for one in patterns for each in _plain(one)})}


def _plain(pattern: str) -> tuple[str, ...]:
    """A pattern in Kyverno's words, which have no sets of characters."""
    return tuple(pattern.replace("[:@]", sign) for sign in ":@") if "[:@]" in pattern else (pattern,)


def _dumped(policy: Object) -> str:
    text: str = yaml.dump(policy, Dumper=_Dumper, sort_keys=False, width=110, allow_unicode=True)
    return text


class _Dumper(yaml.SafeDumper):
    """Writes a value of two places twice: no reader of YAML should have to follow an anchor."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002
        return True


if __name__ == "__main__":
    main(data_set)
