"""Add-ons of a platform come in the order in which they need each other."""

from __future__ import annotations

import pytest
from tests.addon_cases import AddonCase, alone, together
from tests.descriptions import ONPREM_TRAINING, changed

from penstock import description
from penstock.platform import Platform
from penstock.testing import rehearse

RELEASE = "kubernetes:helm.sh/v3:Release"


def test_what_an_addon_registers_waits_for_what_it_needs() -> None:
    run = rehearse(lambda: Platform(description.parse(changed("addons", {"training": {}}, ONPREM_TRAINING))))

    releases = {each.inputs["name"]: each for each in run.graph.of_type(RELEASE)}
    assert releases["jobset"].urn in releases["kubeflow-trainer"].dependencies
    assert releases["network-operator"].urn in releases["gpu-operator"].dependencies
    assert releases["jobset"].urn not in releases["gpu-operator"].dependencies


@pytest.mark.slow
@pytest.mark.parametrize("case", [*alone(), *together()], ids=str)
def test_a_platform_with_an_addon_comes_up_and_breaks_no_rule(case: AddonCase) -> None:
    run = rehearse(lambda: Platform(case.spec))

    assert [str(each) for each in run.findings] == []
