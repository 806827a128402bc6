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
    Case("aws-eks-template-reserved-fields", Outcome.PASS, used({"instanceType": "m7i.large"})),
    Case("aws-eks-template-reserved-fields", Outcome.PASS, used({"hibernationOptions": {"configured": False}})),
    Case(
        "aws-eks-template-reserved-fields",
        Outcome.FAIL,
        used({"iamInstanceProfile": {"name": "a"}}),
        "iamInstanceProfile",
        "it",
    ),
    Case(
        "aws-eks-template-reserved-fields",
        Outcome.FAIL,
        used({"networkInterfaces": [{"subnetId": "subnet-1"}]}),
        "networkInterfaces[0].subnetId",
        preview=True,
    ),
    Case(
        "aws-eks-template-reserved-fields",
        Outcome.FAIL,
        used({"instanceInitiatedShutdownBehavior": "stop"}),
        "instanceInitiatedShutdownBehavior",
    ),
    Case(
        "aws-eks-template-reserved-fields",
        Outcome.FAIL,
        used({"hibernationOptions": {"configured": True}}),
        "hibernationOptions",
    ),
    Case("aws-eks-template-reserved-fields", Outcome.UNKNOWN, OUTSIDE),
    Case("aws-eks-template-reserved-fields", Outcome.NOT_APPLICABLE, group()),
    Case("aws-eks-template-disk-and-ssh", Outcome.PASS, used({})),
    Case("aws-eks-template-disk-and-ssh", Outcome.FAIL, used({}, diskSize=100), "diskSize", "volumeSize"),
    Case(
        "aws-eks-template-disk-and-ssh",
        Outcome.FAIL,
        used({}, remoteAccess={"ec2SshKey": "a"}),
        "remoteAccess",
        "keyName",
    ),
    Case("aws-eks-template-disk-and-ssh", Outcome.NOT_APPLICABLE, group(diskSize=100)),
    Case("aws-eks-custom-ami-no-version", Outcome.PASS, used({"imageId": IMAGE}, amiType="CUSTOM")),
    Case(
        "aws-eks-custom-ami-no-version",
        Outcome.FAIL,
        used({"imageId": IMAGE}, amiType="AL2023_x86_64_NVIDIA"),
        "amiType",
    ),
    Case("aws-eks-custom-ami-no-version", Outcome.FAIL, used({"imageId": IMAGE}, version="1.35"), "version"),
    Case(
        "aws-eks-custom-ami-no-version",
        Outcome.FAIL,
        used({"imageId": UNKNOWN}, releaseVersion="1"),
        "releaseVersion",
        preview=True,
    ),
    Case("aws-eks-custom-ami-no-version", Outcome.UNKNOWN, used({"imageId": IMAGE}, amiType=UNKNOWN)),
    Case("aws-eks-custom-ami-no-version", Outcome.NOT_APPLICABLE, used({}, amiType="AL2023_x86_64_NVIDIA")),
    Case("aws-eks-custom-ami-user-data", Outcome.PASS, used({"imageId": IMAGE, "userData": encoded(NODE_CONFIG)})),
    Case(
        "aws-eks-custom-ami-user-data",
        Outcome.PASS,
        used({"imageId": IMAGE, "userData": encoded("[settings.kubernetes]")}),
    ),
    Case("aws-eks-custom-ami-user-data", Outcome.FAIL, used({"imageId": IMAGE}), "userData", "never join"),
    Case(
        "aws-eks-custom-ami-user-data",
        Outcome.FAIL,
        used({"imageId": IMAGE, "userData": encoded(NODE_CONFIG.replace("cidr", "other"))}),
        "userData",
        "lacks cidr",
    ),
    Case("aws-eks-custom-ami-user-data", Outcome.UNKNOWN, used({"imageId": IMAGE, "userData": Secret(MIME)})),
    Case("aws-eks-custom-ami-user-data", Outcome.NOT_APPLICABLE, used({"userData": MIME})),
    Case("aws-lt-user-data-base64", Outcome.PASS, it(userData=MIME)),
    Case("aws-lt-user-data-base64", Outcome.PASS, it(userData=encoded("x" * 16_384))),
    Case("aws-lt-user-data-base64", Outcome.FAIL, it(userData="#!/bin/bash\necho hello\n"), "userData", "not base64"),
    Case("aws-lt-user-data-base64", Outcome.FAIL, it(userData=encoded("x" * 16_385)), "userData", "16385"),
    Case("aws-lt-user-data-base64", Outcome.UNKNOWN, it(userData=UNKNOWN)),
    Case("aws-lt-user-data-base64", Outcome.NOT_APPLICABLE, it()),
    Case("aws-eks-user-data-format", Outcome.PASS, used({"userData": MIME})),
    Case(
        "aws-eks-user-data-format",
        Outcome.PASS,
        used({"userData": encoded("[settings]")}, amiType="BOTTLEROCKET_x86_64"),
    ),
    Case("aws-eks-user-data-format", Outcome.FAIL, used({"userData": encoded("#!/bin/bash")}), "userData", "multipart"),
    Case("aws-eks-user-data-format", Outcome.FAIL, used({"userData": encoded(NODE_CONFIG)}), "userData", preview=True),
    Case(
        "aws-eks-user-data-format",
        Outcome.FAIL,
        used({"userData": MIME}, amiType="BOTTLEROCKET_x86_64"),
        "userData",
        "TOML",
    ),
    Case("aws-eks-user-data-format", Outcome.UNKNOWN, used({"userData": UNKNOWN})),
    Case(
        "aws-eks-user-data-format", Outcome.NOT_APPLICABLE, used({"userData": encoded(NODE_CONFIG), "imageId": IMAGE})
    ),
    Case("aws-lt-sg-on-interfaces", Outcome.PASS, it(vpcSecurityGroupIds=["sg-1"])),
    Case("aws-lt-sg-on-interfaces", Outcome.PASS, it(vpcSecurityGroupIds=["sg-1"], networkInterfaces=[])),
    Case(
        "aws-lt-sg-on-interfaces",
        Outcome.FAIL,
        it(vpcSecurityGroupIds=[UNKNOWN], networkInterfaces=fabric("p5.48xlarge")),
        "vpcSecurityGroupIds",
        "networkInterfaces[]",
    ),
    Case(
        "aws-lt-sg-on-interfaces",
        Outcome.UNKNOWN,
        it(vpcSecurityGroupIds=UNKNOWN, networkInterfaces=[{"deviceIndex": 0}]),
    ),
    Case("aws-lt-sg-on-interfaces", Outcome.NOT_APPLICABLE, it(networkInterfaces=[{"securityGroups": ["sg-1"]}])),
    Case(
        "aws-imds-hop-range", Outcome.PASS, it(metadataOptions={"httpTokens": "required", "httpPutResponseHopLimit": 2})
    ),
    Case(
        "aws-imds-hop-range",
        Outcome.FAIL,
        it(metadataOptions={"httpPutResponseHopLimit": 65}),
        "metadataOptions.httpPutResponseHopLimit",
    ),
    Case("aws-imds-hop-range", Outcome.UNKNOWN, it(metadataOptions={"httpPutResponseHopLimit": UNKNOWN})),
    Case("aws-imds-hop-range", Outcome.NOT_APPLICABLE, it()),
    Case("aws-eks-imds-enabled", Outcome.PASS, used({"metadataOptions": {"httpTokens": "required"}})),
    Case(
        "aws-eks-imds-enabled",
        Outcome.FAIL,
        used({"metadataOptions": {"httpEndpoint": "disabled"}}),
        "metadataOptions.httpEndpoint",
        "never join",
    ),
    Case("aws-eks-imds-enabled", Outcome.UNKNOWN, used({"metadataOptions": {"httpEndpoint": UNKNOWN}})),
    Case("aws-eks-imds-enabled", Outcome.NOT_APPLICABLE, used({})),
    Case("aws-imds-tokens-required", Outcome.PASS, it(metadataOptions={"httpTokens": "required"})),
    Case(
        "aws-imds-tokens-required",
        Outcome.FAIL,
        it(metadataOptions={"httpTokens": "optional"}),
        "metadataOptions.httpTokens",
    ),
    Case(
        "aws-imds-tokens-required",
        Outcome.FAIL,
        {"it": (INSTANCE, {"metadataOptions": {"httpTokens": "optional"}})},
        "metadataOptions.httpTokens",
    ),
    Case("aws-imds-tokens-required", Outcome.UNKNOWN, it(metadataOptions=UNKNOWN)),
    Case(
        "aws-imds-tokens-required",
        Outcome.NOT_APPLICABLE,
        it(metadataOptions={"httpTokens": "optional", "httpEndpoint": "disabled"}),
    ),
    Case("aws-lt-id-or-name", Outcome.PASS, used({})),
    Case(
        "aws-lt-id-or-name", Outcome.FAIL, group(launchTemplate={"id": "lt-1", "name": "a"}), "launchTemplate", "both"
    ),
    Case("aws-lt-id-or-name", Outcome.FAIL, group(launchTemplate={"version": "1"}), "launchTemplate", "neither"),
    Case("aws-lt-id-or-name", Outcome.UNKNOWN, group(launchTemplate=UNKNOWN)),
    Case("aws-lt-id-or-name", Outcome.NOT_APPLICABLE, group()),
    Case("aws-eks-template-disk-and-ssh", Outcome.UNKNOWN, group(launchTemplate=UNKNOWN)),
    Case(
        "aws-eks-template-reserved-fields",
        Outcome.FAIL,
        from_template(launchTemplate={"name": Ref("template", "name")}) | template(iamInstanceProfile={"arn": "a"}),
        "iamInstanceProfile",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_template_rule_says_what_aws_would(case: Case) -> None:
    check(case)
