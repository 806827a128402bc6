"""Secrets in a description are found, and no message repeats one."""

from __future__ import annotations

import traceback
from pathlib import Path

import pytest
from tests.descriptions import changed, complaints

from penstock import description
from penstock.core.errors import InvalidDescription

# Put together here, so that no scanner takes this file for a leak.
SECRETS = {
    "an AWS access key": "AKIA" + "Q3EGRIFTKLMN7XYZ",
    "an AWS secret access key": "wJalrXUtnFEMI/K7MDENG" + "/bPxRfiCYzQ8dLm2T1q",
    "a private key": "-----BEGIN RSA PRIVATE " + "KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----",
    "a GitHub token": "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a",
    "a fine-grained GitHub token": "github_pat_" + "11ABCDEFG0abcdefghijkl_mnopqrstuv",
    "a GitLab token": "glpat-" + "abcdEFGH1234ijklMNOP",
    "a Hugging Face token": "hf_" + "abcdefghijklmnopqrstuvwxyzABCDEFGH",
    "an NVIDIA API key": "nvapi-" + "abcdefghijklmnopqrstuvwxyz0123456789ABCD",
    "an OpenAI key": "sk-proj-" + "abcdEFGH1234ijklMNOP5678",
    "a Slack token": "xoxb-" + "123456789012-abcdefGHIJKL",
    "a Slack webhook": "https://hooks.slack.com/services/" + "T0123ABCD/B0123ABCD/abcdEFGH1234ijklMNOP5678",
    "a Stripe key": "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc",
    "a PyPI token": "pypi-" + "AgEIcHlwaS5vcmcCJDAwMDAwMDAwLTAwMDAt",
    "a signed web token": "eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N",
    "an AWS secret access key after its name": "key=wJalrXUtnFEMI/K7MDENG" + "/bPxRfiCYzQ8dLm2T1q",
    "a password in an address": "https://me:" + "hunter2hunter2@example.com/",
}
PLACES = (
    "owner",
    "name",
    "tags.note",
    "cloud.region",
    "node_pools.0.labels.note",
    "node_pools.1.accelerator",
    "colour",
)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("secret", SECRETS.values(), ids=SECRETS)
def test_a_secret_is_found_wherever_it_stands_and_never_repeated(secret: str, place: str) -> None:
    with pytest.raises(InvalidDescription) as caught:
        description.parse(changed(place, secret))

    assert [finding.code for finding in caught.value.findings if finding.code == "SPEC-016"]
    reported = "".join(traceback.format_exception(caught.value)) + repr(caught.value.findings)
    assert not any(line in reported for line in secret.splitlines() if len(line) > 5 and not line.startswith("-----"))


@pytest.mark.parametrize(
    "key", ["password", "db_password", "HF_TOKEN", "api-key", "clientSecret", "db_pass", "DB_PWD", "basicAuth"]
)
def test_a_value_under_a_telling_key_is_a_secret_whatever_its_form(key: str) -> None:
    with pytest.raises(InvalidDescription) as caught:
        description.parse(changed("tags", {key: "swordfish!"}))

    (finding,) = caught.value.findings
    assert (finding.code, "swordfish" in str(finding)) == ("SPEC-016", False)


def test_a_secret_as_a_key_is_not_repeated_in_the_path() -> None:
    secret = SECRETS["a GitHub token"]

    with pytest.raises(InvalidDescription) as caught:
        description.parse(changed("tags", {secret: "x"}))

    assert secret not in str(caught.value)


def test_a_secret_as_a_repeated_key_is_not_repeated_by_the_reader(tmp_path: Path) -> None:
    secret = SECRETS["an AWS access key"]
    file = tmp_path / "Pulumi.dev.yaml"
    file.write_text(
        f"config:\n  penstock:platform:\n    tags:\n      {secret}: a\n      {secret}: b\n", encoding="utf-8"
    )

    with pytest.raises(InvalidDescription) as caught:
        description.load(file)

    assert secret not in str(caught.value)


def test_an_encrypted_value_is_refused_where_nothing_is_secret() -> None:
    assert complaints(changed("owner", {"secure": "AAABAFk3Zm9v"})) == [("SPEC-016", "owner")]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("owner", "sk-team"),
        ("tags.commit", "0123456789abcdef0123456789abcdef01234567"),
        ("tags.token", "arn:aws:secretsmanager:us-east-1:123456789012:secret:hf-AbCdEf"),
        ("tags.secret", "true"),
        ("tags.bypass", "never"),
        ("tags.compass", "north"),
        ("addons.secrets.names", ["db-password", "hf-token"]),
        ("tags.docs", "https://example.com:8080/runbook"),
    ],
)
def test_what_only_resembles_a_secret_is_let_through(path: str, value: object) -> None:
    assert complaints(changed(path, value)) == []
