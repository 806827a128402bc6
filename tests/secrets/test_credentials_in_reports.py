"""What is a credential by its name or its looks is hidden in reports, and what is none stays readable."""

from __future__ import annotations

import base64
import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pulumi
import pytest
from pulumi_aws import ec2, rds

from penstock.app.assess import overview_of
from penstock.report import html, junit, markdown, sarif
from penstock.report import json as report_json
from penstock.report.redacted import redacted
from penstock.simulate.run import rehearse

Run = Callable[..., tuple[int, str, str]]
FORMATS = ("text", "json", "sarif", "junit", "markdown", "html")
CANARY = "c4naRy-Vq8zT2mWx7"
TOKEN = "ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6"


def in_report(program: Callable[[], object], **options: object) -> str:
    """The report of a run, in each format."""
    whole = redacted(overview_of(rehearse(program, **options), environment="dev", cloud=None))  # type: ignore[arg-type]
    return "".join(
        render(whole) for render in (report_json.render, sarif.render, junit.render, markdown.render, html.render)
    )


def test_a_switch_beside_a_name_of_a_credential_is_no_credential() -> None:
    def program() -> None:
        pulumi.export("auth", {"passwordAuth": "Disabled", "activeDirectoryAuth": "Enabled", "monitoring": "Disabled"})
        ec2.Vpc("v", cidr_block="10.0.0.0/16", tags={"passwordAuth": "Disabled", "monitoring": "Disabled"})

    shown = in_report(program)

    assert "Disabled" in shown
    assert "[secret]" not in shown


OBJECT = {
    "user": "bob",
    "password": "winter",
    "region": "us-east-1",
    "enabled": "true",
    "size": "p5.48xlarge",
    "smaller": "db.r6g.large",
    "cidr": "10.0.0.0/16",
    "profile": "default",
    "image": "nginx:1.25.3",
}


def use_object(given: pulumi.Output[dict[str, str]]) -> None:
    rds.Instance(
        "db", instance_class=given["smaller"], password=given["password"], username="bob", allocated_storage=20
    )
    ec2.Vpc("v", cidr_block="10.0.0.0/16", tags={**OBJECT, "password": "-", "season": "midwinter"})
    given.apply(
        lambda value: ec2.Vpc(
            "w", cidr_block=value["cidr"], tags={"x": value["password"], "y": f"u:{value['password']}@h"}
        )
    )


@pytest.mark.parametrize("by", ["Output.secret", "configuration"])
def test_a_word_that_is_the_password_of_a_secret_object_is_hidden_and_its_other_words_stay(by: str) -> None:
    def program() -> None:
        marked = pulumi.Output.secret(OBJECT)
        use_object(marked if by == "Output.secret" else pulumi.Config("p").require_secret_object("db"))

    text = in_report(program, config={"p:db": json.dumps(OBJECT)}, secret_keys=("p:db",))

    assert not re.search(r"\bwinter\b", text)
    for word in ("midwinter", *(value for name, value in OBJECT.items() if name != "password")):
        assert word in text, word


def test_a_property_that_received_a_secret_is_hidden_whatever_it_holds() -> None:
    def program() -> None:
        given = pulumi.Output.secret({"password": "default", "region": "us-east-1", "on": True, "count": 2})
        rds.Instance("db", instance_class="db.t3.medium", password=given["password"], allocated_storage=given["count"])
        ec2.Vpc("v", cidr_block="10.0.0.0/16", instance_tenancy="default", tags={"region": given["region"]})

    whole = overview_of(rehearse(program), environment="dev", cloud=None)
    shown = {each["name"]: each["inputs"] for each in json.loads(report_json.render(redacted(whole)))["resources"]}

    assert (shown["db"]["password"], shown["db"]["allocatedStorage"]) == ("[secret]", "[secret]")
    assert (shown["v"]["tags"], shown["v"]["instanceTenancy"]) == ({"region": "[secret]"}, "default")


@pytest.mark.parametrize("name", ["signingKey", "ENCRYPTION_KEY", "session-key", "passcode", "root_pw", "credential"])
def test_more_names_of_credentials_are_known(name: str) -> None:
    assert "aK3j9Zq8Lm2Xv7Tn" not in in_report(
        lambda: ec2.Vpc("v", cidr_block="10.0.0.0/16", tags={name: "aK3j9Zq8Lm2Xv7Tn"})
    )


def test_an_object_in_a_text_is_shown_as_objects_are() -> None:
    inner = json.dumps({"password": "winter", "host": "db.internal"})

    text = in_report(lambda: ec2.Vpc("v", cidr_block="10.0.0.0/16", tags={"x": json.dumps({"inner": inner})}))

    assert "winter" not in text
    assert "db.internal" in text


@pytest.mark.parametrize("form", FORMATS)
def test_a_diff_shows_no_secret_that_only_the_former_program_has_marked(
    penstock: Run, tmp_path: Path, form: str
) -> None:
    def write(secret: str) -> None:
        (tmp_path / "__main__.py").write_text(
            f"import pulumi\nfrom pulumi_aws import ec2\nsecret = {secret[:5]!r} + {secret[5:]!r}\n"
            "pulumi.export('dsn', pulumi.Output.concat('x:', pulumi.Output.secret(secret)))\n"
            "ec2.Vpc('v', cidr_block='10.0.0.0/16', tags={'n': 'x-' + secret})\n"
        )

    (tmp_path / "Pulumi.yaml").write_text("name: p\nruntime: python\n")
    write(CANARY)
    for command in ("init -q", "add -A", "-c user.name=a -c user.email=a@b commit -qm first"):
        subprocess.run(["git", *command.split()], cwd=tmp_path, check=True, capture_output=True)
    write(CANARY[::-1])

    _, out, err = penstock("diff", tmp_path, "--stack", "dev", "--base", "HEAD", "--format", form)

    assert not any(secret in out + err for secret in (CANARY, CANARY[::-1]))


def tagged(text: str, name: str = "x") -> str:
    """The report of a run that has a text in a tag."""
    return in_report(lambda: ec2.Vpc("v", cidr_block="10.0.0.0/16", tags={name: text}))


@pytest.mark.parametrize(
    "line",
    [
        "export API_TOKEN=VALUE",
        "run --api-key=VALUE --verbose",
        "--client-secret=VALUE",
        "sh -c 'run --access-token VALUE'",
        "//registry.example.org/:_authToken=VALUE",
        "https://example.org/v1?api_key=VALUE",
        "AccountName=x;AccountKey=VALUE;EndpointSuffix=core.windows.net",
        "A_API_KEY=a\nWANDB_API_KEY=VALUE\nB=1",
        '{"Name": "HF_TOKEN", "Value": "VALUE"}',
        "db:\n  apiKey: VALUE\n",
        "secret_key = 'VALUE'",
    ],
)
@pytest.mark.parametrize("value", ["Silver_Fox-Run21", "mkLCNPloW-RlOTcEokd", "Maple!Tree91", "silver-fox-running"])
def test_a_credential_is_hidden_by_its_name_however_much_it_looks_like_words(line: str, value: str) -> None:
    script = f"#!/bin/sh\n{line.replace('VALUE', value)}\n"

    assert value not in tagged(script)
    encoded = base64.b64encode(script.encode()).decode()
    assert encoded not in tagged(encoded)


@pytest.mark.parametrize(
    "line",
    [
        "export API_TOKEN=$TOKEN_OF_CI",
        "API_TOKEN=arn:aws:secretsmanager:us-east-1:123456789012:secret:hf",
        "run --private-key=/etc/tls/server.key --token-file=/var/run/token",
        "run --private-key=server.key",
        "api_key = config.api_key",
        "run --max-new-token=2048",
        "auth=AWS_IAM",
        "ENABLE_TOKEN=true",
        "token=ring",
        "helm --set auth.existingSecret=my-database-2",
        "pad_token=<pad>",
    ],
)
def test_what_is_no_credential_stays_readable_under_the_name_of_one(line: str) -> None:
    assert json.dumps(line)[1:-1] in tagged(line)


@pytest.mark.parametrize("name", ["Name", "NAME", "Key", "name"])
def test_variables_are_known_in_whatever_case_their_words_are(name: str) -> None:
    value = "VALUE" if name.isupper() else "Value"

    text = in_report(lambda: pulumi.export("n", [{name: "DB_PASSWORD", value: "winter"}, {name: "A", value: "b"}]))

    assert "winter" not in text
    assert "DB_PASSWORD" in text


def test_an_output_that_is_kept_secret_is_hidden_in_the_inputs_and_wherever_it_is_exported() -> None:
    def program() -> None:
        options = pulumi.ResourceOptions(additional_secret_outputs=["tags", "instance_tenancy"])
        vpc = ec2.Vpc("v", cidr_block="10.0.0.0/16", instance_tenancy="default", tags={"a": "winter"}, opts=options)
        pulumi.export("tags", vpc.tags)
        pulumi.export("tenancy", vpc.instance_tenancy)
        pulumi.export("block", vpc.cidr_block)

    whole = overview_of(rehearse(program), environment="dev", cloud=None)
    document = json.loads(report_json.render(redacted(whole)))
    vpc = next(each for each in document["resources"] if each["name"] == "v")
    stack = next(each for each in document["resources"] if each["type"] == "pulumi:pulumi:Stack")

    for block in (vpc["inputs"], vpc["outputs"]):
        assert (block["tags"], block["instanceTenancy"]) == ("[secret]", "[secret]")
    assert vpc["inputs"]["cidrBlock"] == "10.0.0.0/16"
    assert stack["outputs"] == {"tags": "[secret]", "tenancy": "[secret]", "block": "10.0.0.0/16"}


@pytest.mark.parametrize("number", [918273645546, 48_151_623, 4_815_162_342_108])
def test_a_marked_number_is_hidden_where_it_is_exported_as_a_number(number: int) -> None:
    def program() -> None:
        pulumi.export("marked", pulumi.Output.secret(number))
        pulumi.export("plain", number)
        pulumi.export("account", "arn:aws:iam::123456789012:role/x")

    text = in_report(program)

    assert str(number) not in text
    assert "123456789012" in text
