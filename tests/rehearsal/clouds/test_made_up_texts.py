"""Texts that the simulated clouds make up."""

from __future__ import annotations

import json
import re

from penstock.rehearsal.clouds import forms


def test_the_kubeconfig_of_eks_has_no_credentials() -> None:
    (user,) = json.loads(forms.simulated_text("kubeconfigJson", "cluster"))["users"]

    assert set(user["user"]) == {"exec"}


def test_an_image_that_was_pushed_is_named_by_its_digest() -> None:
    assert re.fullmatch(
        r"registry\.example\.com/[\w-]+@sha256:[0-9a-f]{64}", forms.simulated_text("repoDigest", "image")
    )
