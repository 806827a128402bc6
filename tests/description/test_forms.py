"""References have one form each, wherever a description takes them."""

from __future__ import annotations

import base64
from ipaddress import IPv4Address
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.descriptions import GCP_TRAINING, ONPREM_TRAINING, TRAINING, changed, findings

from penstock.description import forms

KEY = base64.b64encode(b"\x30\x59" + b"\x00" * 89).decode()
PEM = f"-----BEGIN CERTIFICATE-----\n{KEY}\n-----END CERTIFICATE-----\n"
LOGIN = {
    "client_id": "hub",
    "client_from": "login/secret",
    "authorize_url": "https://login.example.com/authorize",
    "token_url": "https://login.example.com/token",
    "userdata_url": "https://login.example.com/userinfo",
}
VAULT = {"server": "https://vault.lan:8200", "role": "platform"}
ACCOUNTING = {"host": "db.lan", "password_from": "db/password"}


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("docker.io/rayproject/ray:2.52.0", True),
        ("ray", True),
        ("registry:5000/a/b__c@sha256:" + "a" * 64, True),
        ("Registry.example.com/team/x:Tag-1", True),
        ("a b", False),
        ("https://ghcr.io/x", False),
        ("ghcr.io/Team/x", False),
        ("ghcr.io/x:", False),
        ("10.0.0.300/x", False),
        ("registry:99999/x", False),
        ("x\n", False),
        ("", False),
    ],
)
def test_an_image_is_named_as_registries_name_it(text: str, right: bool) -> None:
    assert forms.is_image(text) is right


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("registry.lab.example", True),
        ("registry.lab.example/mirror", True),
        ("localhost:5000/x", True),
        ("registry.lab.example/Mirror UPPER", False),
        ("registry.lab.example/mirror:1", False),
        ("registry.lab.example/mirror/", False),
        ("mirror", False),
        ("10.0.0.300/x", False),
    ],
)
def test_a_mirror_is_a_registry_and_a_path(text: str, right: bool) -> None:
    assert forms.is_repository(text) is right


@pytest.mark.parametrize("text", ["10.0.0.300", "1.2.3", "a..b", "-a", "a_b", "a b", "", "a" * 64, "a." * 130 + "b"])
def test_what_no_host_is_called_is_refused(text: str) -> None:
    assert not forms.is_host(text)


@given(st.ip_addresses(v=4) | st.from_regex(r"[a-z]([-a-z0-9]{0,20}[a-z0-9])?(\.[a-z]{2,10}){0,3}", fullmatch=True))
def test_every_address_and_name_is_a_host(host: IPv4Address | str) -> None:
    assert forms.is_host(str(host))


@pytest.mark.parametrize(
    ("text", "right"),
    [
        (PEM, True),
        (PEM * 2, True),
        (PEM.rstrip("\n"), True),
        (PEM.replace(KEY, "not base64!"), False),
        (PEM.replace(KEY, "AAAA"), False),
        (PEM.replace(KEY, ""), False),
        (PEM + "more", False),
        (PEM.replace("CERTIFICATE", "PUBLIC KEY"), False),
    ],
)
def test_pem_has_base64_of_der_in_it(text: str, right: bool) -> None:
    assert forms.is_pem(text, "CERTIFICATE") is right


def test_a_key_of_ssh_is_of_the_type_that_it_says() -> None:
    body = base64.b64encode(b"\x00\x00\x00\x0bssh-ed25519" + b"\x00" * 36).decode()

    assert forms.is_ssh_key(f"ssh-ed25519 {body} me@example.com")
    assert not forms.is_ssh_key(f"ssh-rsa {body}")
    assert not forms.is_ssh_key("ssh-ed25519 AAA")


@pytest.mark.parametrize(
    ("path", "value", "where"),
    [
        ("addons.queueing", {"teams": [{"name": "a", "groups": [""]}]}, "teams[0].groups[0]"),
        ("addons.queueing", {"teams": [{"name": "a", "users": [" ada"]}]}, "teams[0].users[0]"),
        ("addons.ray", {"image": "a b"}, "image"),
        ("addons.notebooks", {"users": [""], "login": LOGIN}, "users"),
        ("addons.notebooks", {"users": "all", "login": {**LOGIN, "client_id": ""}}, "login.client_id"),
        (
            "addons.notebooks",
            {"users": "all", "login": {**LOGIN, "token_url": "https://10.0.0.300/t"}},
            "login.token_url",
        ),
        (
            "addons.notebooks",
            {
                "users": "all",
                "login": LOGIN,
                "ingress": {"host": "a.example", "class_name": "", "certificate_from": "c"},
            },
            "ingress.class_name",
        ),
        ("addons.slurm", {"accounting": {**ACCOUNTING, "host": "10.0.0.300"}}, "accounting.host"),
        ("addons.slurm", {"login_keys": ["ssh-ed25519 AAAA me"]}, "login_keys[0]"),
        ("addons.secrets", {"vault": {**VAULT, "server": "https://10.0.0.300:8200"}}, "vault.server"),
        ("addons.secrets", {"vault": {**VAULT, "ca": PEM.replace(KEY, "no base64")}}, "vault.ca"),
        ("addons.security", {"signatures": [{"images": ["a/*"], "key": PEM}]}, "signatures[0].key"),
        ("network.image_mirror", "registry.lab.example/Mirror UPPER", ""),
        ("network.chart_mirror", "oci://10.0.0.300/charts", ""),
    ],
)
@pytest.mark.parametrize("description", [TRAINING, GCP_TRAINING, ONPREM_TRAINING], ids=["aws", "gcp", "kubernetes"])
def test_what_a_server_or_runtime_would_refuse_is_refused_at_its_field(
    description: dict[str, Any], path: str, value: object, where: str
) -> None:
    paths = [str(each.path) for each in findings(changed(path, value, description))]

    assert f"{path}.{where}".rstrip(".") in paths


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("addons.slurm", {"accounting": {**ACCOUNTING, "password_from": "hunter2"}}),
        ("addons.slurm", {"accounting": {**ACCOUNTING, "password_from": ["hunter2"]}}),
        ("addons.notebooks", {"users": "all", "login": {**LOGIN, "client_from": "hunter2"}}),
        (
            "addons.notebooks",
            {
                "users": "all",
                "login": LOGIN,
                "ingress": {"host": "a.b", "class_name": "c", "certificate_from": "HUNTER2"},
            },
        ),
        ("addons.secrets", {"names": ["x=hunter2"]}),
        ("addons.secrets", {"names": "x=hunter2"}),
        ("addons.secrets", {"names": ["hunter2=="]}),
    ],
)
def test_a_secret_in_place_of_where_it_is_is_not_repeated(path: str, value: object) -> None:
    found = findings(changed(path, value, TRAINING))

    assert found
    assert "hunter2" not in "\n".join(map(str, found)).lower()
