"""The optional extras of the package, which messages about a missing SDK name."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from penstock.providers import Provider, all_providers

EXTRAS = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]["optional-dependencies"]


@pytest.mark.parametrize("provider", all_providers(), ids=lambda provider: provider.name)
def test_the_extra_of_a_provider_brings_its_sdk_and_that_of_kubernetes(provider: Provider) -> None:
    brought = [each.partition(">")[0] for each in EXTRAS[provider.name]]

    assert provider.sdk.replace("_", "-") in brought
    assert {"penstock-iac[kubernetes]", "pulumi-kubernetes"} & {*brought}
