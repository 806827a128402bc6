"""The configuration of the pack: the stack's own configuration, and over it what `--policy-pack-config` says.

Each rule in force is one policy to the engine, with the level that the stack's configuration gives it, so that a person
may set the level of any by its name. `penstock` is a policy, too: its properties are those of `penstock:policies`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from pulumi.runtime.proto import analyzer_pb2 as rpc

from penstock.core.errors import InvalidDescription
from penstock.description.policies import judged
from penstock.pack import records
from penstock.rules import packs, registry
from penstock.rules.levels import Enforcement, RuleKind, RuleSeverity
from penstock.rules.rule import Rule
from penstock.rules.settings import KEY, Settings

OWN: Final = "penstock"
"""The policy that speaks of the packs themselves: their settings, waivers, and undetermined policies."""

_ALL: Final = "all"
"""Stands for every policy in the engine's configuration; the engine passes it on beside what it has made of it."""

_PROTOCOL: Final = {
    Enforcement.MANDATORY: rpc.MANDATORY,
    Enforcement.ADVISORY: rpc.ADVISORY,
    Enforcement.DISABLED: rpc.DISABLED,
}
_WORDS: Final = {
    **{number: word for word, number in _PROTOCOL.items()},
    rpc.REMEDIATE: Enforcement.MANDATORY,  # what still breaks a rule after its remedy blocks
}


@dataclass(frozen=True)
class PackConfig:
    """The settings in force.

    Attributes:
        settings: What rules are evaluated by; None where the configuration is wrong.
        problems: What is wrong with the configuration, in words.
        levels: Those of the rules in force by the stack's own configuration, as the engine gets them.
        own: How much the policy `penstock` matters.
        given: The levels that a person has given by name: of a rule, of a category, or of `all`.
    """

    settings: Settings | None
    problems: str = ""
    levels: Mapping[str, rpc.EnforcementLevel.ValueType] = field(default_factory=dict)
    own: rpc.EnforcementLevel.ValueType = rpc.MANDATORY
    given: Mapping[str, rpc.EnforcementLevel.ValueType] = field(default_factory=dict)

    def remedies(self, rule: Rule) -> bool:
        """Return whether the remedy of a rule is to be applied: only where a person has asked for it."""
        level_ = self.given.get(rule.id, self.given.get(rule.category, self.given.get(_ALL)))
        return rule.remedy is not None and level_ == rpc.REMEDIATE


def of_stack(config: Mapping[str, str]) -> PackConfig:
    """Return the settings of a stack's configuration."""
    try:
        settings = judged(config)
    except InvalidDescription as error:
        return PackConfig(None, "\n".join(f"{each.path}: {each.message} {each.hint}" for each in error.findings))
    levels = {rule.id: _level(rule, settings) for rule in packs.enabled(registry.rules_of(RuleKind.POLICY), settings)}
    return PackConfig(settings, levels=levels)


def overridden(stack: PackConfig, config: Mapping[str, str], policies: Mapping[str, rpc.PolicyConfig]) -> PackConfig:
    """Return the settings where the engine's configuration of policies wins over the stack's.

    The engine sends a level for every policy that it knows; only one that differs from the stack's, or from that of
    `all`, was given by a person. Rules that are not in force, and whole categories, may be named as well.
    """
    own = policies[OWN].enforcementLevel if OWN in policies else stack.own
    if stack.problems:
        return replace(stack, own=own)
    meant = [name for name, each in policies.items() if name != OWN and each.properties.fields]
    if meant:
        problem = f"{', '.join(meant)}: a rule or a category takes a level only; settings belong below {OWN!r}."
        return PackConfig(None, problem, own=own)
    properties = records.properties(policies[OWN].properties) if OWN in policies else {}
    levels = {name: each.enforcementLevel for name, each in policies.items() if name != OWN}
    usual = dict.fromkeys(stack.levels, levels[_ALL]) if _ALL in levels else stack.levels
    given = {name: number for name, number in levels.items() if number != usual.get(name)}
    if not properties and not given:
        return replace(stack, own=own)
    block = _block(config)
    if _ALL in given:
        block = _all_at(_WORDS[given[_ALL]], block)
    by_name = {name: _WORDS[number].value for name, number in given.items() if name != _ALL}
    block = _over(_over(block, properties), {"rules": by_name})
    found = of_stack({**config, KEY: json.dumps(block, default=str)})
    return replace(found, levels=stack.levels, own=own, given=given)


def _all_at(level_: Enforcement, block: Mapping[str, Any]) -> dict[str, Any]:
    """A block whose rules have one level, but for those that it turns off: the engine knows nothing of them."""
    named = block.get("rules", {}).items()
    kept = {name: word if word == Enforcement.DISABLED else level_.value for name, word in named}
    return {**block, "enforcement": {severity.value: level_.value for severity in RuleSeverity}, "rules": kept}


def _block(config: Mapping[str, str]) -> dict[str, Any]:
    """The settings of the stack file below `penstock:policies`."""
    block: dict[str, Any] = json.loads(config.get(KEY, "{}"))
    return block


def _over(block: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """A block with what is given on top: fields of objects one by one, waivers beside those that are there."""
    merged = dict(block)
    for key, value in given.items():
        before = merged.get(key)
        if isinstance(before, Mapping) and isinstance(value, Mapping):
            merged[key] = {**before, **value}
        elif key == "waivers" and isinstance(before, list) and isinstance(value, list):
            merged[key] = [*before, *value]
        else:
            merged[key] = value
    return merged


def _level(rule: Rule, settings: Settings) -> rpc.EnforcementLevel.ValueType:
    return _PROTOCOL[packs.level(rule, settings)]


def schema() -> dict[str, Any]:
    """The JSON Schema of each property of the policy `penstock`, complete in itself, as the engine takes it.

    There are no defaults: the engine would write them into a person's configuration.
    """
    whole = Settings.model_json_schema()
    found = {key: _resolved(value, whole["$defs"]) for key, value in whole["properties"].items()}
    return {key: {word: what for word, what in each.items() if word != "default"} for key, each in found.items()}


def _resolved(schema_: Any, definitions: Mapping[str, Any]) -> Any:
    if isinstance(schema_, list):
        return [_resolved(item, definitions) for item in schema_]
    if not isinstance(schema_, Mapping):
        return schema_
    if "$ref" in schema_:
        target = definitions[schema_["$ref"].rpartition("/")[2]]
        return _resolved({**target, **{key: value for key, value in schema_.items() if key != "$ref"}}, definitions)
    return {key: _resolved(value, definitions) for key, value in schema_.items()}
