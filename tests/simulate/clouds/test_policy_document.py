"""Policies are rendered in the own words of each cloud's IAM."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from penstock.aws.model.iam_documents import composed_document
from penstock.gcp.simulate.cloud import iam_policy
from penstock.graph.values import UNKNOWN, Secret
from penstock.simulate.clouds import policy_document


def rendered(arguments: Mapping[str, Any]) -> Any:
    return policy_document.rendered(arguments, composed_document)


def of_google(arguments: Mapping[str, Any]) -> Any:
    return policy_document.rendered(arguments, iam_policy)


def document(**arguments: Any) -> Any:
    return json.loads(rendered(arguments))


def test_a_statement_has_the_names_of_iam() -> None:
    statement = {
        "sid": "Read",
        "effect": "Deny",
        "actions": ["s3:GetObject", "s3:ListBucket"],
        "notResources": ["arn:aws:s3:::b"],
        "principals": [{"type": "AWS", "identifiers": ["a"]}, {"type": "AWS", "identifiers": ["b"]}],
        "conditions": [{"test": "StringLike", "variable": "aws:PrincipalTag/team", "values": ["x"]}],
    }

    assert document(statements=[statement], policyId="p") == {
        "Version": "2012-10-17",
        "Id": "p",
        "Statement": [
            {
                "Sid": "Read",
                "Effect": "Deny",
                "Action": ["s3:GetObject", "s3:ListBucket"],
                "NotResource": "arn:aws:s3:::b",
                "Principal": {"AWS": ["a", "b"]},
                "Condition": {"StringLike": {"aws:PrincipalTag/team": "x"}},
            }
        ],
    }


def test_everyone_is_a_star() -> None:
    everyone = {"principals": [{"type": "*", "identifiers": ["*"]}]}

    assert document(statements=[everyone])["Statement"][0]["Principal"] == "*"


def test_statements_replace_those_of_source_documents_with_their_sid() -> None:
    source = rendered({"statements": [{"sid": "A", "actions": ["a"]}, {"actions": ["other"]}]})
    merged = document(sourcePolicyDocuments=[source], statements=[{"sid": "A", "actions": ["mine"]}])

    assert [each["Action"] for each in merged["Statement"]] == ["mine", "other"]


def test_secret_and_unknown_parts_mark_the_whole() -> None:
    assert isinstance(rendered({"statements": [{"resources": [Secret("s")]}]}), Secret)
    assert rendered({"statements": [{"resources": [UNKNOWN]}]}) is UNKNOWN


def test_a_policy_of_google_has_its_bindings_with_their_conditions() -> None:
    binding = {
        "role": "roles/storage.objectViewer",
        "members": ["allUsers"],
        "condition": {"title": "a day", "expression": "request.time < timestamp('2027-01-01T00:00:00Z')"},
    }

    assert json.loads(of_google({"bindings": [binding], "auditConfigs": None})) == {"bindings": [binding]}


def test_a_policy_of_google_with_an_unknown_member_is_not_known() -> None:
    assert of_google({"bindings": [{"role": "r", "members": [UNKNOWN]}]}) is UNKNOWN
