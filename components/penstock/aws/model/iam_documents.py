"""Policy documents of AWS: the JSON of identities, of trust, and of what guards buckets, keys and the like.

A program writes them as text, as objects, or as arguments of `aws.iam.get_policy_document`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from penstock.aws.model.iam_statements import Statement, lower_keys
from penstock.graph import values
from penstock.graph.values import Secret, Unknown
from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.graph.view import Block

VERSIONS: Final = ("2012-10-17", "2008-10-17")
"""Versions of the policy language, the newest first; the last is that of a document which names none."""

_LISTS: Final = {
    "actions": "Action",
    "notActions": "NotAction",
    "resources": "Resource",
    "notResources": "NotResource",
}
_PRINCIPALS: Final = {"principals": "Principal", "notPrincipals": "NotPrincipal"}


@dataclass(frozen=True, slots=True)
class PolicyDocument:
    """A policy document, as it is written."""

    written: Mapping[str, Any]

    @property
    def version(self) -> Any:
        """The version of the policy language that it is in."""
        return lower_keys(self.written).get("version", VERSIONS[-1])

    @property
    def statements(self) -> tuple[Statement, ...]:
        """Its statements, be they one or many.

        Raises:
            NotKnown: one of them is not known yet.
            TypeMismatch: one of them is not an object.
        """
        return tuple(Statement(lower_keys(each)) for each in self.written_statements)

    @property
    def allowing(self) -> list[Statement]:
        """Those of its statements that grant something."""
        return [statement for statement in self.statements if statement.allows]

    @property
    def written_statements(self) -> Sequence[Any]:
        """Its statements as they are written, be they one or many."""
        found = lower_keys(self.written).get("statement")
        return found if isinstance(found, list | tuple) else [] if found is None else [found]


def read_json(written: Any) -> Mapping[str, Any]:
    """A JSON object that a program gives as text, or as the object itself.

    Raises:
        NotKnown: it is not known yet.
        TypeMismatch: it is not a JSON object.
    """
    if isinstance(written, Unknown | Secret):
        raise NotKnown
    found = written
    if isinstance(written, str):
        try:
            found = values.read_document(written, json.loads)
        except ValueError:
            raise TypeMismatch from None
    if not isinstance(found, Mapping):
        raise TypeMismatch
    return found


def read_document(written: Any) -> PolicyDocument:
    """A policy document that a program gives as text or as an object; raises as `read_json`."""
    return PolicyDocument(read_json(written))


def document_at(block: Block, key: str) -> PolicyDocument | None:
    """The policy document that a property holds, None where it is not given; raises as `read_json`."""
    written = block.given(key)
    return None if written is None else read_document(written)


def composed_document(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The document that `aws.iam.get_policy_document` makes of its arguments, which are all known."""
    statements: list[Any] = []
    for text in arguments.get("sourcePolicyDocuments") or ():
        _add(statements, read_document(text).written_statements)
    _add(statements, [_statement(each) for each in arguments.get("statements") or ()])
    for text in arguments.get("overridePolicyDocuments") or ():
        _add(statements, read_document(text).written_statements)
    document = {"Version": arguments.get("version") or VERSIONS[0], "Statement": statements}
    return {**document, "Id": arguments["policyId"]} if arguments.get("policyId") else document


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
