"""Launch templates: what EC2 and EKS take in them."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

import pytest
from tests.awsprograms import Parts, fabric, from_template, group, template
from tests.rulecases import Case, Ref, check

from penstock.resources.values import UNKNOWN, Secret
from penstock.resources.verdict import Outcome
from penstock.rules.aws.types import INSTANCE

IMAGE = "ami-0123456789abcdef0"
CLUSTER_OF = "cluster:\n  name: a\n  apiServerEndpoint: b\n  certificateAuthority: c\n  cidr: 10.100.0.0/16\n"
NODE_CONFIG = f"apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\nspec: {CLUSTER_OF}"


def used(template_inputs: dict[str, Any], **group_inputs: Any) -> Parts:
    """A node group with a launch template."""
    return from_template(**group_inputs) | template(**template_inputs)


def it(**inputs: Any) -> Parts:
    """A launch template."""
    return template("it", **inputs)


def encoded(text: str) -> str:
    """Text as user data holds it."""
    return b64encode(text.encode()).decode()


MIME = encoded('MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="x"\n\n--x--\n')
OUTSIDE = group(launchTemplate={"id": "lt-0123456789abcdef0"})

CASES = [
    Case("AWS-TEMPLATE-001", Outcome.PASS, used({"instanceType": "m7i.large"})),
    Case("AWS-TEMPLATE-001", Outcome.PASS, used({"hibernationOptions": {"configured": False}})),
    Case("AWS-TEMPLATE-001", Outcome.FAIL, used({"iamInstanceProfile": {"name": "a"}}), "iamInstanceProfile", "it"),
    Case(
        "AWS-TEMPLATE-001",
        Outcome.FAIL,
        used({"networkInterfaces": [{"subnetId": "subnet-1"}]}),
        "networkInterfaces[0].subnetId",
        preview=True,
    ),
    Case(
        "AWS-TEMPLATE-001",
        Outcome.FAIL,
        used({"instanceInitiatedShutdownBehavior": "stop"}),
        "instanceInitiatedShutdownBehavior",
    ),
    Case("AWS-TEMPLATE-001", Outcome.FAIL, used({"hibernationOptions": {"configured": True}}), "hibernationOptions"),
    Case("AWS-TEMPLATE-001", Outcome.UNKNOWN, OUTSIDE),
    Case("AWS-TEMPLATE-001", Outcome.NOT_APPLICABLE, group()),
    Case("AWS-TEMPLATE-002", Outcome.PASS, used({})),
    Case("AWS-TEMPLATE-002", Outcome.FAIL, used({}, diskSize=100), "diskSize", "volumeSize"),
    Case("AWS-TEMPLATE-002", Outcome.FAIL, used({}, remoteAccess={"ec2SshKey": "a"}), "remoteAccess", "keyName"),
    Case("AWS-TEMPLATE-002", Outcome.NOT_APPLICABLE, group(diskSize=100)),
    Case("AWS-TEMPLATE-003", Outcome.PASS, used({"imageId": IMAGE}, amiType="CUSTOM")),
    Case("AWS-TEMPLATE-003", Outcome.FAIL, used({"imageId": IMAGE}, amiType="AL2023_x86_64_NVIDIA"), "amiType"),
    Case("AWS-TEMPLATE-003", Outcome.FAIL, used({"imageId": IMAGE}, version="1.35"), "version"),
    Case(
        "AWS-TEMPLATE-003", Outcome.FAIL, used({"imageId": UNKNOWN}, releaseVersion="1"), "releaseVersion", preview=True
    ),
    Case("AWS-TEMPLATE-003", Outcome.UNKNOWN, used({"imageId": IMAGE}, amiType=UNKNOWN)),
    Case("AWS-TEMPLATE-003", Outcome.NOT_APPLICABLE, used({}, amiType="AL2023_x86_64_NVIDIA")),
    Case("AWS-TEMPLATE-004", Outcome.PASS, used({"imageId": IMAGE, "userData": encoded(NODE_CONFIG)})),
    Case("AWS-TEMPLATE-004", Outcome.PASS, used({"imageId": IMAGE, "userData": encoded("[settings.kubernetes]")})),
    Case("AWS-TEMPLATE-004", Outcome.FAIL, used({"imageId": IMAGE}), "userData", "never join"),
    Case(
        "AWS-TEMPLATE-004",
        Outcome.FAIL,
        used({"imageId": IMAGE, "userData": encoded(NODE_CONFIG.replace("cidr", "other"))}),
        "userData",
        "lacks cidr",
    ),
    Case("AWS-TEMPLATE-004", Outcome.UNKNOWN, used({"imageId": IMAGE, "userData": Secret(MIME)})),
    Case("AWS-TEMPLATE-004", Outcome.NOT_APPLICABLE, used({"userData": MIME})),
    Case("AWS-TEMPLATE-005", Outcome.PASS, it(userData=MIME)),
    Case("AWS-TEMPLATE-005", Outcome.PASS, it(userData=encoded("x" * 16_384))),
    Case("AWS-TEMPLATE-005", Outcome.FAIL, it(userData="#!/bin/bash\necho hello\n"), "userData", "not base64"),
    Case("AWS-TEMPLATE-005", Outcome.FAIL, it(userData=encoded("x" * 16_385)), "userData", "16385"),
    Case("AWS-TEMPLATE-005", Outcome.UNKNOWN, it(userData=UNKNOWN)),
    Case("AWS-TEMPLATE-005", Outcome.NOT_APPLICABLE, it()),
    Case("AWS-TEMPLATE-006", Outcome.PASS, used({"userData": MIME})),
    Case("AWS-TEMPLATE-006", Outcome.PASS, used({"userData": encoded("[settings]")}, amiType="BOTTLEROCKET_x86_64")),
    Case("AWS-TEMPLATE-006", Outcome.FAIL, used({"userData": encoded("#!/bin/bash")}), "userData", "multipart"),
    Case("AWS-TEMPLATE-006", Outcome.FAIL, used({"userData": encoded(NODE_CONFIG)}), "userData", preview=True),
    Case("AWS-TEMPLATE-006", Outcome.FAIL, used({"userData": MIME}, amiType="BOTTLEROCKET_x86_64"), "userData", "TOML"),
    Case("AWS-TEMPLATE-006", Outcome.UNKNOWN, used({"userData": UNKNOWN})),
    Case("AWS-TEMPLATE-006", Outcome.NOT_APPLICABLE, used({"userData": encoded(NODE_CONFIG), "imageId": IMAGE})),
    Case("AWS-TEMPLATE-007", Outcome.PASS, it(vpcSecurityGroupIds=["sg-1"])),
    Case("AWS-TEMPLATE-007", Outcome.PASS, it(vpcSecurityGroupIds=["sg-1"], networkInterfaces=[])),
    Case(
        "AWS-TEMPLATE-007",
        Outcome.FAIL,
        it(vpcSecurityGroupIds=[UNKNOWN], networkInterfaces=fabric("p5.48xlarge")),
        "vpcSecurityGroupIds",
        "networkInterfaces[]",
    ),
    Case("AWS-TEMPLATE-007", Outcome.UNKNOWN, it(vpcSecurityGroupIds=UNKNOWN, networkInterfaces=[{"deviceIndex": 0}])),
    Case("AWS-TEMPLATE-007", Outcome.NOT_APPLICABLE, it(networkInterfaces=[{"securityGroups": ["sg-1"]}])),
    Case(
        "AWS-TEMPLATE-008", Outcome.PASS, it(metadataOptions={"httpTokens": "required", "httpPutResponseHopLimit": 2})
    ),
    Case(
        "AWS-TEMPLATE-008",
        Outcome.FAIL,
        it(metadataOptions={"httpPutResponseHopLimit": 65}),
        "metadataOptions.httpPutResponseHopLimit",
    ),
    Case("AWS-TEMPLATE-008", Outcome.UNKNOWN, it(metadataOptions={"httpPutResponseHopLimit": UNKNOWN})),
    Case("AWS-TEMPLATE-008", Outcome.NOT_APPLICABLE, it()),
    Case("AWS-TEMPLATE-009", Outcome.PASS, used({"metadataOptions": {"httpTokens": "required"}})),
    Case(
        "AWS-TEMPLATE-009",
        Outcome.FAIL,
        used({"metadataOptions": {"httpEndpoint": "disabled"}}),
        "metadataOptions.httpEndpoint",
        "never join",
    ),
    Case("AWS-TEMPLATE-009", Outcome.UNKNOWN, used({"metadataOptions": {"httpEndpoint": UNKNOWN}})),
    Case("AWS-TEMPLATE-009", Outcome.NOT_APPLICABLE, used({})),
    Case("AWS-TEMPLATE-010", Outcome.PASS, it(metadataOptions={"httpTokens": "required"})),
    Case(
        "AWS-TEMPLATE-010", Outcome.FAIL, it(metadataOptions={"httpTokens": "optional"}), "metadataOptions.httpTokens"
    ),
    Case(
        "AWS-TEMPLATE-010",
        Outcome.FAIL,
        {"it": (INSTANCE, {"metadataOptions": {"httpTokens": "optional"}})},
        "metadataOptions.httpTokens",
    ),
    Case("AWS-TEMPLATE-010", Outcome.UNKNOWN, it(metadataOptions=UNKNOWN)),
    Case(
        "AWS-TEMPLATE-010",
        Outcome.NOT_APPLICABLE,
        it(metadataOptions={"httpTokens": "optional", "httpEndpoint": "disabled"}),
    ),
    Case("AWS-TEMPLATE-011", Outcome.PASS, used({})),
    Case("AWS-TEMPLATE-011", Outcome.FAIL, group(launchTemplate={"id": "lt-1", "name": "a"}), "launchTemplate", "both"),
    Case("AWS-TEMPLATE-011", Outcome.FAIL, group(launchTemplate={"version": "1"}), "launchTemplate", "neither"),
    Case("AWS-TEMPLATE-011", Outcome.UNKNOWN, group(launchTemplate=UNKNOWN)),
    Case("AWS-TEMPLATE-011", Outcome.NOT_APPLICABLE, group()),
    Case("AWS-TEMPLATE-002", Outcome.UNKNOWN, group(launchTemplate=UNKNOWN)),
    Case(
        "AWS-TEMPLATE-001",
        Outcome.FAIL,
        from_template(launchTemplate={"name": Ref("template", "name")}) | template(iamInstanceProfile={"arn": "a"}),
        "iamInstanceProfile",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_template_rule_says_what_aws_would(case: Case) -> None:
    check(case)
