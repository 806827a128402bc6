"""What users' own tests import."""

from __future__ import annotations

from pathlib import PosixPath

import pytest
from pulumi_aws import ebs, ec2
from tests.descriptions import TRAINING, changed

from penstock import description
from penstock.core.errors import InvalidDescription
from penstock.testing import rehearse, violations


def test_a_description_a_spec_and_a_function_can_be_rehearsed() -> None:
    by_mapping, by_spec = rehearse(TRAINING), rehearse(description.parse(TRAINING))

    assert list(by_mapping.graph) == list(by_spec.graph)
    assert rehearse(lambda: ec2.Vpc("v", cidr_block="10.0.0.0/16")).graph.of_type("aws:ec2/vpc:Vpc")


def test_the_path_of_a_program_is_refused() -> None:
    with pytest.raises(TypeError, match=r"got PosixPath\. Run `penstock rehearse`"):
        rehearse(PosixPath("stacks"))  # type: ignore[arg-type]


def test_an_async_function_runs_to_its_end() -> None:
    async def program() -> None:
        ec2.Vpc("v", cidr_block="10.0.0.0/16")

    assert rehearse(program).graph.of_type("aws:ec2/vpc:Vpc")


def test_a_wrong_description_is_refused_before_anything_is_built() -> None:
    with pytest.raises(InvalidDescription):
        rehearse(changed("cloud.region", "nowhere"))


def test_policies_tell_what_a_function_breaks_and_what_they_are_asked_for() -> None:
    rehearsal = rehearse(lambda: ebs.Volume("v", availability_zone="us-east-1a", size=8))

    assert [finding.code for finding in violations(rehearsal)] == ["aws-ebs-encrypted"]
    assert "aws-ebs-cmk" in {finding.code for finding in violations(rehearsal, {"packs": ["regulated"]})}
    assert violations(rehearsal, {"packs": ["cost"]}) == ()


def test_wrong_settings_of_policies_are_refused() -> None:
    with pytest.raises(InvalidDescription):
        violations(rehearse(lambda: None), {"packs": ["everything"]})
