"""Texts that the simulated clouds make up."""

from __future__ import annotations

import json
import re

import pytest

from penstock.graph.values import UNKNOWN
from penstock.simulate.clouds import CreateRequest, forms


def test_the_kubeconfig_of_eks_has_no_credentials() -> None:
    (user,) = json.loads(forms.simulated_text("kubeconfigJson", "cluster"))["users"]

    assert set(user["user"]) == {"exec"}


def test_an_image_that_was_pushed_is_named_by_its_digest() -> None:
    assert re.fullmatch(
        r"registry\.example\.com/[\w-]+@sha256:[0-9a-f]{64}", forms.simulated_text("repoDigest", "image")
    )


@pytest.mark.parametrize("path", ["body", "stdout", "outputContent", "dockerCredentials", "containerDefinitions"])
def test_a_text_that_programs_parse_and_nobody_knows_is_unknown(path: str) -> None:
    assert forms.simulated_text(path, "it") is UNKNOWN


@pytest.mark.parametrize(
    ("type_", "id_"),
    [
        ("digitalocean:index/droplet:Droplet", r"[1-9]\d{8}"),
        ("digitalocean:index/sshKey:SshKey", r"[1-9]\d{7}"),
        ("digitalocean:index/vpc:Vpc", r"[0-9a-f-]{36}"),
        ("digitalocean:index/domain:Domain", "mine"),
        ("hcloud:index/server:Server", r"[1-9]\d{7}"),
        ("cloudflare:index/zone:Zone", r"[0-9a-f]{32}"),
    ],
)
def test_an_id_has_the_form_of_its_provider(type_: str, id_: str) -> None:
    assert re.fullmatch(id_, forms.identity(CreateRequest("urn", type_, "m", {"name": "mine"}, {})))


def test_a_digest_names_its_algorithm() -> None:
    assert re.fullmatch(r"sha256:[0-9a-f]{64}", forms.simulated_text("digest", "image"))
