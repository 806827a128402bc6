"""Renders the IAM policies that programs write as arguments of `getPolicyDocument` and `getIAMPolicy`."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from penstock.resources.values import UNKNOWN, Secret

_VERSION = "2012-10-17"
"""Of the policy language; the newest there is."""

_LISTS = {"actions": "Action", "notActions": "NotAction", "resources": "Resource", "notResources": "NotResource"}
_PRINCIPALS = {"principals": "Principal", "notPrincipals": "NotPrincipal"}
_OF_GOOGLE = ("bindings", "auditConfigs")


def rendered(arguments: Mapping[str, Any]) -> Any:
    """AWS' document as JSON: secret when a part of it is, unknown when a part of it is."""
    return _written(arguments, _document)


def of_google(arguments: Mapping[str, Any]) -> Any:
    """Google's policy as JSON, likewise: its arguments have the names that the API has."""
    return _written(arguments, lambda given: {key: given[key] for key in _OF_GOOGLE if given.get(key)})


def _written(arguments: Mapping[str, Any], form: Callable[[Mapping[str, Any]], Mapping[str, Any]]) -> Any:
    seen: set[type] = set()
    plain = _plain(arguments, seen)
    if type(UNKNOWN) in seen:
        return UNKNOWN
    text = json.dumps(form(plain), indent=2)
    return Secret(text) if Secret in seen else text


def _document(arguments: Mapping[str, Any]) -> dict[str, Any]:
    statements: list[Any] = []
    for text in arguments.get("sourcePolicyDocuments") or ():
        _add(statements, _statements(text))
    _add(statements, [_statement(each) for each in arguments.get("statements") or ()])
    for text in arguments.get("overridePolicyDocuments") or ():
        _add(statements, _statements(text))
    document = {"Version": arguments.get("version") or _VERSION, "Statement": statements}
    return {**document, "Id": arguments["policyId"]} if arguments.get("policyId") else document


def _statements(text: str) -> Sequence[Any]:
    found = json.loads(text).get("Statement", [])
    return found if isinstance(found, list) else [found]


def _add(statements: list[Any], more: Sequence[Any]) -> None:
    """A later statement takes the place of an earlier one with its Sid."""
    for each in more:
        same = (index for index, found in enumerate(statements) if each.get("Sid") and found.get("Sid") == each["Sid"])
        place = next(same, len(statements))
        statements[place : place + 1] = [each]


def _statement(given: Mapping[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = {"Sid": given["sid"]} if given.get("sid") else {}
    made["Effect"] = given.get("effect") or "Allow"
    made |= {name: _one_or_more(given[key]) for key, name in _LISTS.items() if given.get(key)}
    made |= {name: _principals(given[key]) for key, name in _PRINCIPALS.items() if given.get(key)}
    condition: dict[str, dict[str, Any]] = {}
    for each in given.get("conditions") or ():
        condition.setdefault(each["test"], {})[each["variable"]] = _one_or_more(each["values"])
    return {**made, "Condition": condition} if condition else made


def _principals(given: Sequence[Mapping[str, Any]]) -> Any:
    if any(each["type"] == "*" for each in given):
        return "*"
    found: dict[str, list[str]] = {}
    for each in given:
        found.setdefault(each["type"], []).extend(each["identifiers"])
    return {type_: _one_or_more(identifiers) for type_, identifiers in found.items()}


def _one_or_more(values: Sequence[str]) -> Any:
    """IAM writes a list of one as the one."""
    return values[0] if len(values) == 1 else values


def _plain(value: Any, seen: set[type]) -> Any:
    """The value without marks; the types in it are added to those seen."""
    seen.add(type(value))
    if isinstance(value, Secret):
        return _plain(value.value, seen)
    if isinstance(value, Mapping):
        return {key: _plain(item, seen) for key, item in value.items()}
    return [_plain(item, seen) for item in value] if isinstance(value, list) else value
