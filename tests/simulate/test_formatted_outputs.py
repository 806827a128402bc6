"""The text of an Output in place of its value is found at the line that made it, wherever it arrives."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pulumi
import pulumi_kubernetes as k8s
import pytest
from pulumi_aws import Provider, ec2, get_availability_zones, iam, s3
from pulumi_azure_native import resources
from pulumi_gcp import storage

from penstock.core.findings import Finding, Severity
from penstock.graph.values import UNKNOWN
from penstock.simulate.run import Rehearsal, rehearse


def texts(rehearsal: Rehearsal, code: str = "TEXT-001") -> list[Finding]:
    return [each for each in rehearsal.findings if each.code == code]


def line_of(function: Callable[..., Any]) -> int:
    return function.__code__.co_firstlineno


def policy(resource: str) -> str:
    statement = {"Effect": "Allow", "Action": ["s3:GetObject"], "Resource": resource}
    return json.dumps({"Version": "2012-10-17", "Statement": [statement]})


ARRIVALS: dict[str, tuple[Callable[[s3.Bucket], Any], str | None]] = {
    "an f-string in JSON": (lambda b: iam.Policy("p", policy=policy(f"{b.arn}/*")), "policy"),
    "str in a list": (lambda b: ec2.Instance("i", security_groups=["a", str(b.id)]), "securityGroups[1]"),
    "format of a nested value": (
        lambda b: k8s.core.v1.ConfigMap("c", data={"url": "s3://{}".format(b.bucket)}),  # noqa: UP032
        "data.url",
    ),
    "per cent": (lambda b: storage.Bucket("g", location="EU", labels={"of": "%s" % b.bucket}), "labels.of"),  # noqa: UP031
    "join": (lambda b: resources.ResourceGroup("r", tags={"of": "-".join(map(str, [b.id]))}), "tags.of"),
    "a key": (lambda b: resources.ResourceGroup("r", tags={f"{b.id}": "x"}), None),
    "a provider": (lambda b: Provider("p", region=f"{b.region}"), "region"),
    "an argument of a function": (lambda b: get_availability_zones(state=f"{b.region}"), "state"),
    "a name": (lambda b: s3.Bucket(f"{b.bucket}-logs"), None),
    "a secret": (lambda b: s3.Bucket("s", bucket=pulumi.Output.secret(f"{b.bucket}-x")), "bucket"),
    "in a function of an output": (
        lambda b: s3.Bucket("s", bucket=pulumi.Output.from_input("x").apply(lambda _: f"{b.bucket}-x")),
        "bucket",
    ),
    "a resource": (lambda b: s3.Bucket("s", tags={"of": f"arn:aws:s3:::{b}"}), "tags.of"),
    "the form for programmers": (lambda b: s3.Bucket("s", tags={"of": f"{[b.arn]}"}), "tags.of"),
    "in base64": (
        lambda b: ec2.Instance("i", user_data_base64=base64.b64encode(f"#!/bin/sh\n{b.arn}".encode()).decode()),
        "userDataBase64",
    ),
    "an export": (lambda b: pulumi.export("url", f"s3://{b.bucket}"), "url"),
}


@pytest.mark.parametrize("preview", [False, True])
@pytest.mark.parametrize("name", ARRIVALS)
def test_a_text_that_arrives_is_an_error_at_the_line_that_made_it(name: str, preview: bool) -> None:
    arrives, path = ARRIVALS[name]

    rehearsal = rehearse(lambda: arrives(s3.Bucket("b")) and None, preview=preview)

    (finding,) = texts(rehearsal)
    assert finding.severity is Severity.ERROR
    assert Path(finding.file or "").name == "test_formatted_outputs.py"
    assert abs((finding.line or 0) - line_of(arrives)) <= 2  # the statement may begin a line above
    if path is not None:
        assert finding.path == path
    assert not rehearsal.ok


def test_no_rule_judges_the_sentence() -> None:
    def program() -> None:
        iam.Policy("p", policy=policy(f"{s3.Bucket('b').arn}/*"), description="given")

    (made,) = rehearse(program).graph.of_type("aws:iam/policy:Policy")
    assert made.inputs == {"policy": UNKNOWN, "description": "given"}


def test_a_line_in_a_loop_is_reported_once() -> None:
    def program() -> None:
        bucket = s3.Bucket("b")
        for index in range(3):
            s3.Bucket(f"copy-{index}", tags={"of": f"{bucket.arn}"})

    assert len(texts(rehearse(program))) == 1


def test_a_printed_output_is_a_note_and_the_sdk_s_own_functions_are_right() -> None:
    def program() -> None:
        bucket = s3.Bucket("b")
        print(bucket.arn)  # noqa: T201
        s3.Bucket(
            "c", tags={"of": pulumi.Output.format("{0}/x", bucket.arn), "and": pulumi.Output.concat(bucket.id, "-")}
        )
        pulumi.export("url", bucket.bucket.apply(lambda name: f"s3://{name}"))

    rehearsal = rehearse(program)

    assert texts(rehearsal) == []
    (note,) = texts(rehearsal, "PROGRAM-010")
    assert (note.severity, note.line) == (Severity.INFO, line_of(program) + 2)
    assert rehearsal.ok


@pytest.mark.parametrize(
    "asks",
    [
        lambda b: b.bucket == "prod",
        lambda b: b.bucket != "prod",
        lambda b: b.bucket in ["prod", "dev"],
        lambda b: 1 if b.force_destroy else 0,
        lambda b: not b.force_destroy,
    ],
)
def test_a_comparison_and_a_test_of_an_output_are_warnings(asks: Callable[[s3.Bucket], Any]) -> None:
    def program() -> None:
        asks(s3.Bucket("b", bucket="prod", force_destroy=False))

    (finding,) = texts(rehearse(program), "TEXT-002")
    assert (finding.severity, finding.line) == (Severity.WARNING, line_of(asks))


def test_a_program_may_ask_if_an_output_is_given() -> None:
    def program() -> None:
        bucket = s3.Bucket("b")
        given = [each for each in (bucket.arn, None) if each]
        assert bucket.arn == bucket.arn
        assert bucket.arn is not None
        assert len(given) == 1
        assert bucket.arn in given

    assert texts(rehearse(program), "TEXT-002") == []


def test_after_a_rehearsal_an_output_is_formatted_as_always() -> None:
    rehearse(lambda: None)

    assert "__bool__" not in vars(pulumi.Output)
    assert "__repr__" not in vars(pulumi.Output)
    assert "consider" in asyncio.run(as_text())


async def as_text() -> str:
    """The text of an Output, which needs a running event loop."""
    return str(pulumi.Output.from_input("x"))
