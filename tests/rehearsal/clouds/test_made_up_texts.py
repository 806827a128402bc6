"""What the simulated clouds make up can be reported from what a person wrote."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.rehearsal.clouds import forms
from penstock.resources.invented import may_be_invented


@given(st.sampled_from(["name", "arns.0", "identityStoreIds.0"]), st.text())
def test_a_made_up_name_is_known_as_one(path: str, owner: str) -> None:
    assert may_be_invented(forms.simulated_text(path, owner))


@pytest.mark.parametrize("written", ["SPOT", "sun:03:30", "my-team", "training-2026", "sg-0a1b2c3d4e5f60718"])
def test_what_a_person_writes_is_not_taken_for_made_up(written: str) -> None:
    assert not may_be_invented(written)


def test_the_kubeconfig_of_eks_has_no_credentials() -> None:
    (user,) = json.loads(forms.simulated_text("kubeconfigJson", "cluster"))["users"]

    assert set(user["user"]) == {"exec"}


def test_an_image_that_was_pushed_is_named_by_its_digest() -> None:
    assert re.fullmatch(
        r"registry\.example\.com/[\w-]+@sha256:[0-9a-f]{64}", forms.simulated_text("repoDigest", "image")
    )
