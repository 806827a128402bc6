"""The tables of what rules with a function read, recorded while they judge their cases."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from tests.programs import IT
from tests.rules.cases import RuleCase, policy_cases, provider_cases
from tests.rules.verdicts import TODAY, rules_by_id

from penstock.catalog.tables import path_of
from penstock.graph.graph import STACK_TYPE
from penstock.graph.reads import RecordedReads, Steps
from penstock.graph.view import Site, View
from penstock.providers import all_providers
from penstock.rules import registry
from penstock.rules.checks import Custom
from penstock.rules.judge import with_stack
from penstock.rules.recorded_reads import SHARED, TABLE
from penstock.rules.rule import Rule, patterns_of
from penstock.simulate.rule_reads import paths_of, start_recording
from tools.generated import DataSet, main, table

_COLUMNS = ("rule", "type", "paths")

Reads = Mapping[tuple[str, str], Mapping[str, set[Steps]]]
"""What is read, by the rule's id and what it is on, and there by the type of the resource."""


@cache
def recorded() -> Reads:
    """Everything that rules with a function read of what they are on, while they judge their own cases."""
    for provider in all_providers():
        import_module(provider.sdk)
    rules = {id_: rule for id_, rule in rules_by_id().items() if has_function(rule.check)}
    found: defaultdict[tuple[str, str], defaultdict[str, set[Steps]]] = defaultdict(lambda: defaultdict(set))
    for case in (*provider_cases(), *policy_cases()):
        if case.rule in rules:
            for type_, steps in _of_case(rules[case.rule], case):
                for on in patterns_of(type_):
                    if on in rules[case.rule].on:
                        found[case.rule, on][type_].add(steps)
    return found


def has_function(check: object) -> bool:
    """Return whether a check is, or has among its parts, a function: only a run shows what that reads."""
    if isinstance(check, Custom):
        return True
    parts: Iterable[Any] = ()
    if isinstance(check, Mapping):
        parts = check.values()
    elif isinstance(check, list | tuple):
        parts = check
    elif is_dataclass(check):
        parts = (getattr(check, each.name) for each in fields(check))
    return any(map(has_function, parts))


def _of_case(rule: Rule, case: RuleCase) -> Iterator[tuple[str, Steps]]:
    """The reads of a rule in one of its cases: types of resources and paths."""
    reads = RecordedReads(with_stack(case.graph))
    site = Site(reads.graph, case.quotas, TODAY, case.existing)
    (stack,) = site.graph.of_type(STACK_TYPE)
    judged = stack if rule.is_of_stack or IT not in case.program else site.graph[case.urn]
    packages = frozenset(resource.type.partition(":")[0] for resource in site.graph)
    if rule in registry.rules_on(judged.type, rule.kind, packages):
        start_recording(site, reads)
        rule.judge(View(judged, site), case.settings)
        yield from ((site.graph[urn].type, steps) for urn, steps in reads)


def data_set() -> DataSet:
    """The tables anew, one in the folder of the rules of each provider."""
    homes = _homes()
    rows: defaultdict[Path, list[tuple[str, str, str]]] = defaultdict(list)
    for (rule, on), by_type in sorted(recorded().items()):
        paths = sorted({path for type_, reads in by_type.items() for path in paths_of(type_, reads)})
        if paths:
            rows[homes[rule]].append((rule, on, " ".join(paths)))
    wanted = {path_of(TABLE, folder): table(_COLUMNS, found) for folder, found in rows.items()}
    return DataSet(wanted, {file for folder in homes.values() if (file := path_of(TABLE, folder)).is_file()})


def _homes() -> Mapping[str, Path]:
    """The folder of data of each rule, by its id: that of its provider, or the shared one."""
    found = {rule.id: SHARED for rule in registry.policies()}
    for provider in all_providers():
        if provider.folder is not None:
            policies = (module for category in registry.CATEGORIES for module in registry.policy_modules(category))
            own = [module for module in policies if Path(str(module.__file__)).is_relative_to(provider.folder)]
            rules = (*registry.provider_rules(provider.name), *(rule for module in own for rule in module.RULES))
            found |= {rule.id: provider.folder / "rules" / "data" for rule in rules}
    return found


if __name__ == "__main__":
    main(data_set)
