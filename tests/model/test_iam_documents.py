"""IAM documents are read as AWS reads them: in every spelling, and by what their wildcards mean."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.aws.model.iam_documents import composed_document, read_document
from penstock.aws.model.iam_statements import Condition, Statement, covers
from penstock.graph.values import UNKNOWN, Secret
from penstock.graph.verdict import NotKnown, TypeMismatch


def statement(**elements: Any) -> Statement:
    """The one statement of a document that allows something."""
    (only,) = read_document({"Statement": {"Effect": "Allow", **elements}}).statements
    return only


def condition(operator: str, key: str, value: Any) -> Condition:
    """The one condition of a statement."""
    (only,) = statement(Condition={operator: {key: value}}).conditions
    return only


def test_json_and_objects_mean_the_same_whatever_the_case_of_their_elements() -> None:
    as_text = read_document(
        json.dumps({"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:GetObject"}]})
    ).statements
    as_object = read_document({"statement": {"effect": "Allow", "action": ["S3:getobject"]}}).statements

    assert [each.actions for each in as_text] == [each.actions for each in as_object] == [("s3:getobject",)]


@pytest.mark.parametrize("text", ["", "no JSON", "[]", '"a"', '{"Statement": "a"}', '{"Statement": [1]}'])
def test_what_is_no_document_does_not_fit(text: str) -> None:
    with pytest.raises(TypeMismatch):
        _ = read_document(text).statements


@pytest.mark.parametrize("value", [UNKNOWN, Secret("{}"), {"Statement": UNKNOWN}, {"Statement": [UNKNOWN]}])
def test_what_is_not_known_cannot_be_reported(value: Any) -> None:
    with pytest.raises(NotKnown):
        _ = read_document(value).statements


def test_one_part_that_is_not_known_hides_no_other() -> None:
    half = statement(Action="*", Resource=[UNKNOWN])

    assert half.names_all_actions
    with pytest.raises(NotKnown):
        _ = half.resources


@pytest.mark.parametrize(
    ("reported", "everybody"),
    [
        ("*", True),
        ({"AWS": "*"}, True),
        ({"AWS": ["arn:aws:iam::123456789012:root", "*"]}, True),
        ({"*": "*"}, True),
        ({"AWS": "arn:aws:iam::123456789012:root"}, False),
        ({"AWS": "123456789012"}, False),
        ({"Service": "ec2.amazonaws.com"}, False),
        ({"Service": "*"}, False),
        (None, False),
    ],
)
def test_everybody_has_several_spellings(reported: Any, *, everybody: bool) -> None:
    assert statement(Principal=reported).is_for_everybody is everybody


def test_all_but_one_is_everybody() -> None:
    assert statement(NotPrincipal={"AWS": "123456789012"}).is_for_everybody


@pytest.mark.parametrize(
    ("resource", "everything"),
    [
        ("*", True),
        ("**", True),
        ("arn:*", True),
        ("arn:aws:*:*:*:*", True),
        ("arn:aws:s3:::*", False),
        ("arn:aws:s3:::bucket/*", False),
        ("arn:aws:iam::123456789012:role/*", False),
    ],
)
def test_a_resource_is_everything_by_what_it_means(resource: str, *, everything: bool) -> None:
    assert statement(Resource=["arn:aws:s3:::one", resource]).names_all_resources is everything


@pytest.mark.parametrize(
    ("resource", "all_of_a_kind"),
    [
        ("arn:aws:iam::123456789012:role/*", True),
        ("arn:aws:iam::*:role/*", True),
        ("arn:aws:lambda:eu-west-1:123456789012:function:*", True),
        ("arn:aws:iam::123456789012:*", True),
        ("arn:aws:iam::123456789012:role/team/*", False),
        ("arn:aws:iam::123456789012:role/team-*", False),
        ("arn:aws:iam::*:user/${aws:username}", False),
    ],
)
def test_all_roles_of_an_account_are_reported_from_some(resource: str, *, all_of_a_kind: bool) -> None:
    assert statement(Resource=resource).names_all_of_a_kind is all_of_a_kind


@pytest.mark.parametrize(
    ("resource", "everything"),
    [
        ("arn:aws:s3:::*", True),
        ("arn:aws:s3:::*/*", True),
        ("arn:aws:kms:*:*:key/*", True),
        ("arn:aws:secretsmanager:*:*:secret:*", True),
        ("arn:aws:sqs:*:*:*", True),
        ("arn:aws:s3:::datasets/*", False),
        ("arn:aws:ec2:*:*:volume/*", False),
        ("arn:aws:kms:eu-west-1:123456789012:key/*", False),
        ("arn:aws:secretsmanager:*:*:secret:training/*", False),
    ],
)
def test_all_of_a_service_is_named_where_no_name_and_no_account_is(resource: str, *, everything: bool) -> None:
    assert statement(Resource=resource).names_all_of_a_service is everything


@pytest.mark.parametrize(
    ("operator", "key", "value", "kept_out"),
    [
        ("StringEquals", "aws:PrincipalOrgID", "o-abcdefghij", True),
        ("StringEquals", "aws:PrincipalOrgID", "${aws:ResourceOrgID}", True),
        ("StringLike", "aws:PrincipalOrgID", "o-*", False),
        ("StringLike", "aws:PrincipalOrgPaths", "o-abcdefghij/*", True),
        ("Null", "aws:PrincipalOrgID", "false", False),
        ("ArnLike", "aws:PrincipalArn", "arn:aws:iam::123456789012:role/*", True),
        ("StringLike", "aws:PrincipalArn", "arn:aws:iam::*:role/deployer", False),
        ("StringLike", "aws:PrincipalArn", "arn:aws:iam:*", False),
        ("ArnLike", "aws:SourceArn", "arn:aws:s3:*:*:datasets", True),
        ("ArnLike", "aws:SourceArn", "arn:aws:s3:*:*:*", False),
        ("ArnLike", "aws:SourceArn", ["arn:aws:sns:*:123456789012:*", "arn:aws:sns:*:*:jobs"], False),
        ("ArnLike", "s3:DataAccessPointArn", "arn:aws:s3:*:123456789012:accesspoint/*", True),
        ("StringLike", "aws:SourceVpce", "vpce-*", False),
        ("StringLike", "aws:userid", "AROAEXAMPLEID:*", True),
    ],
)
def test_strangers_are_kept_out_by_values_of_one_owner(operator: str, key: str, value: Any, *, kept_out: bool) -> None:
    assert condition(operator, key, value).names_callers is kept_out


@pytest.mark.parametrize(
    ("operator", "value", "binds"),
    [
        ("StringEquals", "a", True),
        ("stringequals", ["a", "b"], True),
        ("StringLike", "a*", True),
        ("StringLike", "*", False),
        ("StringLike", ["a", "*"], False),
        ("StringEqualsIfExists", "a", False),
        ("ForAllValues:StringEquals", ["a"], False),
        ("ForAnyValue:StringEquals", ["a"], True),
        ("StringNotEquals", "a", False),
        ("ArnNotLike", "a", False),
        ("Null", "false", True),
        ("Null", False, True),
        ("Null", "true", False),
        ("IpAddress", "10.0.0.0/8", True),
        ("IpAddress", ["203.0.113.7", "0.0.0.0/0"], False),
        ("NotIpAddress", "203.0.113.7", False),
        ("Bool", "true", True),
    ],
)
def test_a_condition_binds_if_a_request_can_fail_it(operator: str, value: Any, *, binds: bool) -> None:
    assert condition(operator, "aws:SourceIp", value).binds is binds


def test_allowing_all_but_some_actions_is_about_the_others() -> None:
    reported = statement(NotAction=["iam:*", "organizations:*"])

    assert reported.is_about("s3:GetObject")
    assert not reported.is_about("iam:PassRole")


@pytest.mark.parametrize("pattern", ["iam:PassRole", "IAM:passrole", "iam:*", "iam:Pass*", "iam:Pass?ole", "*:*", "*"])
def test_wildcards_count_by_what_they_mean(pattern: str) -> None:
    assert statement(Action=pattern).is_about("iam:PassRole")


@given(st.text(max_size=20), st.text(max_size=20))
def test_a_star_is_any_text_and_every_other_letter_itself(before: str, after: str) -> None:
    plain = before.replace("*", "").replace("?", "") + after.replace("*", "").replace("?", "")

    assert covers(plain, plain)
    assert covers(f"{plain}*", f"{plain}{after}")
    assert not covers(plain, f"{plain}!")


JSON = st.recursive(
    st.none() | st.booleans() | st.text(max_size=5) | st.sampled_from([UNKNOWN, "*", "Allow", "AWS"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["Statement", "Action", "Principal", "Condition", "Effect", "Resource", "StringLike"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(JSON)
def test_whatever_stands_there_ends_in_no_other_error(written: Any) -> None:
    try:
        for each in read_document({"Statement": written}).statements:
            _ = (each.allows, each.names_all_actions, each.is_for_everybody, each.limits_who, each.names_all_resources)
    except (TypeMismatch, NotKnown):
        pass


def test_arguments_of_a_look_up_make_the_same_document() -> None:
    arguments = {
        "statements": [
            {
                "actions": ["sts:AssumeRole"],
                "principals": [{"type": "Service", "identifiers": ["ec2.amazonaws.com"]}],
                "conditions": [{"test": "StringEquals", "variable": "aws:SourceAccount", "values": ["1"]}],
            }
        ]
    }

    (only,) = read_document(composed_document(arguments)).statements

    assert only.allows
    assert only.actions == ("sts:assumerole",)
    assert only.named("Service") == ("ec2.amazonaws.com",)
    assert only.limits_who


def test_a_later_statement_takes_the_place_of_one_with_its_name() -> None:
    def denying(sid: str) -> str:
        return json.dumps({"Statement": {"Sid": sid, "Effect": "Deny", "Action": "*"}})

    arguments = {"statements": [{"sid": "a", "actions": ["s3:*"]}], "overridePolicyDocuments": [denying("a")]}

    (only,) = read_document(composed_document(arguments)).statements

    assert not only.allows


def test_all_actions_but_some_are_about_the_others() -> None:
    assert statement(NotAction="s3:*").is_about("kms:PutKeyPolicy")
    assert not statement(NotAction="kms:*").is_about("kms:PutKeyPolicy")


def test_brackets_in_an_action_are_no_set_of_letters() -> None:
    assert not statement(Action="kms:[P]utKeyPolicy").is_about("kms:PutKeyPolicy")
