"""EBS volumes: what AWS sells, and what is too small for images."""

from __future__ import annotations

from typing import Any

import pytest
from tests.awsprograms import Parts, from_template, group, template
from tests.rulecases import Case, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules.aws.types import VOLUME

PATH = "blockDeviceMappings[0].ebs."


def disk(**ebs: Any) -> list[dict[str, Any]]:
    """The disks of a launch template."""
    return [{"deviceName": "/dev/xvda", "ebs": ebs}]


def it(**ebs: Any) -> Parts:
    """A launch template with one disk."""
    return template("it", blockDeviceMappings=disk(**ebs))


def nodes(**template_inputs: Any) -> Parts:
    """A node group of accelerated machines."""
    return from_template() | template(instanceType="p5.48xlarge", **template_inputs)


NO_DISK = template("it", blockDeviceMappings=[{"deviceName": "/dev/xvda", "noDevice": ""}])

CASES = [
    Case("AWS-EBS-001", Outcome.PASS, it(volumeType="gp3", volumeSize=65536)),
    Case("AWS-EBS-001", Outcome.FAIL, it(volumeType="gp3", volumeSize=100_000), f"{PATH}volumeSize", "65536"),
    Case("AWS-EBS-001", Outcome.FAIL, it(volumeType="st1", volumeSize=100), f"{PATH}volumeSize", "125"),
    Case("AWS-EBS-001", Outcome.FAIL, {"it": (VOLUME, {"size": 20_000})}, "size", "16384"),
    Case("AWS-EBS-001", Outcome.UNKNOWN, it(volumeType="gp3", volumeSize=UNKNOWN)),
    Case("AWS-EBS-001", Outcome.NOT_APPLICABLE, it(volumeSize=100_000)),
    Case("AWS-EBS-002", Outcome.PASS, it(volumeType="gp3", iops=80_000, throughput=2000)),
    Case("AWS-EBS-002", Outcome.FAIL, it(volumeType="gp3", throughput=100), f"{PATH}throughput", "125"),
    Case("AWS-EBS-002", Outcome.FAIL, it(volumeType="gp2", iops=3000), f"{PATH}iops", "gp3"),
    Case("AWS-EBS-002", Outcome.FAIL, it(volumeType="io2", throughput=500), f"{PATH}throughput"),
    Case("AWS-EBS-002", Outcome.FAIL, it(volumeType="io1", iops=64_001), f"{PATH}iops", "64000"),
    Case("AWS-EBS-002", Outcome.UNKNOWN, it(volumeType="gp3", iops=UNKNOWN)),
    Case("AWS-EBS-002", Outcome.NOT_APPLICABLE, it(volumeType="gp2", iops=0, volumeSize=10)),
    Case("AWS-EBS-003", Outcome.PASS, it(volumeType="gp3", volumeSize=32, iops=16_000, throughput=1000)),
    Case("AWS-EBS-003", Outcome.PASS, it(volumeType="gp3", volumeSize=1, iops=3000, throughput=750)),
    Case("AWS-EBS-003", Outcome.FAIL, it(volumeType="gp3", volumeSize=10, iops=16_000), f"{PATH}iops", "32 GiB"),
    Case(
        "AWS-EBS-003", Outcome.FAIL, it(volumeType="gp3", volumeSize=300, throughput=1000), f"{PATH}throughput", "4000"
    ),
    Case("AWS-EBS-003", Outcome.UNKNOWN, it(volumeType="gp3", iops=3000, throughput=UNKNOWN)),
    Case("AWS-EBS-003", Outcome.NOT_APPLICABLE, it(volumeType="gp3", volumeSize=10)),
    Case("AWS-EBS-004", Outcome.PASS, nodes(blockDeviceMappings=disk(volumeSize=300))),
    Case("AWS-EBS-004", Outcome.FAIL, nodes(), "blockDeviceMappings", "300"),
    Case(
        "AWS-EBS-004", Outcome.FAIL, nodes(blockDeviceMappings=disk(volumeSize=30)), f"{PATH}volumeSize", preview=True
    ),
    Case("AWS-EBS-004", Outcome.FAIL, group(instanceTypes=["g6.xlarge"]), "diskSize", "20 GiB"),
    Case("AWS-EBS-004", Outcome.UNKNOWN, nodes(blockDeviceMappings=disk(volumeSize=UNKNOWN))),
    Case("AWS-EBS-004", Outcome.NOT_APPLICABLE, group(instanceTypes=["m5.large"])),
    Case("AWS-EBS-004", Outcome.NOT_APPLICABLE, nodes(userData="bG9jYWw=")),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_volume_rule_says_what_aws_would(case: Case) -> None:
    check(case)
