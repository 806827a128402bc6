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
    Case("aws-ebs-size-range", Outcome.PASS, it(volumeType="gp3", volumeSize=65536)),
    Case("aws-ebs-size-range", Outcome.FAIL, it(volumeType="gp3", volumeSize=100_000), f"{PATH}volumeSize", "65536"),
    Case("aws-ebs-size-range", Outcome.FAIL, it(volumeType="st1", volumeSize=100), f"{PATH}volumeSize", "125"),
    Case("aws-ebs-size-range", Outcome.FAIL, {"it": (VOLUME, {"size": 20_000})}, "size", "16384"),
    Case("aws-ebs-size-range", Outcome.UNKNOWN, it(volumeType="gp3", volumeSize=UNKNOWN)),
    Case("aws-ebs-size-range", Outcome.NOT_APPLICABLE, it(volumeSize=100_000)),
    Case("aws-ebs-iops-range", Outcome.PASS, it(volumeType="gp3", iops=80_000, throughput=2000)),
    Case("aws-ebs-iops-range", Outcome.FAIL, it(volumeType="gp3", throughput=100), f"{PATH}throughput", "125"),
    Case("aws-ebs-iops-range", Outcome.FAIL, it(volumeType="gp2", iops=3000), f"{PATH}iops", "gp3"),
    Case("aws-ebs-iops-range", Outcome.FAIL, it(volumeType="io2", throughput=500), f"{PATH}throughput"),
    Case("aws-ebs-iops-range", Outcome.FAIL, it(volumeType="io1", iops=64_001), f"{PATH}iops", "64000"),
    Case("aws-ebs-iops-range", Outcome.UNKNOWN, it(volumeType="gp3", iops=UNKNOWN)),
    Case("aws-ebs-iops-range", Outcome.NOT_APPLICABLE, it(volumeType="gp2", iops=0, volumeSize=10)),
    Case("aws-ebs-iops-ratio", Outcome.PASS, it(volumeType="gp3", volumeSize=32, iops=16_000, throughput=1000)),
    Case("aws-ebs-iops-ratio", Outcome.PASS, it(volumeType="gp3", volumeSize=1, iops=3000, throughput=750)),
    Case("aws-ebs-iops-ratio", Outcome.FAIL, it(volumeType="gp3", volumeSize=10, iops=16_000), f"{PATH}iops", "32 GiB"),
    Case(
        "aws-ebs-iops-ratio",
        Outcome.FAIL,
        it(volumeType="gp3", volumeSize=300, throughput=1000),
        f"{PATH}throughput",
        "4000",
    ),
    Case("aws-ebs-iops-ratio", Outcome.UNKNOWN, it(volumeType="gp3", iops=3000, throughput=UNKNOWN)),
    Case("aws-ebs-iops-ratio", Outcome.NOT_APPLICABLE, it(volumeType="gp3", volumeSize=10)),
    Case("aws-eks-gpu-root-volume", Outcome.PASS, nodes(blockDeviceMappings=disk(volumeSize=300))),
    Case("aws-eks-gpu-root-volume", Outcome.FAIL, nodes(), "blockDeviceMappings", "300"),
    Case(
        "aws-eks-gpu-root-volume",
        Outcome.FAIL,
        nodes(blockDeviceMappings=disk(volumeSize=30)),
        f"{PATH}volumeSize",
        preview=True,
    ),
    Case("aws-eks-gpu-root-volume", Outcome.FAIL, group(instanceTypes=["g6.xlarge"]), "diskSize", "20 GiB"),
    Case("aws-eks-gpu-root-volume", Outcome.UNKNOWN, nodes(blockDeviceMappings=disk(volumeSize=UNKNOWN))),
    Case("aws-eks-gpu-root-volume", Outcome.NOT_APPLICABLE, group(instanceTypes=["m5.large"])),
    Case("aws-eks-gpu-root-volume", Outcome.NOT_APPLICABLE, nodes(userData="bG9jYWw=")),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_volume_rule_says_what_aws_would(case: Case) -> None:
    check(case)
