"""How AWS platforms become descriptions: from files of other tools, and from the resources of a stack export."""

from __future__ import annotations

from typing import Final

from penstock.aws.conversion import eksctl, terraform_eks
from penstock.aws.conversion.resources import READERS
from penstock.conversion.format import CloudConversion

CONVERSION: Final = CloudConversion(
    formats=(eksctl.FORMAT, terraform_eks.FORMAT),
    readers=READERS,
    own=("aws:ec2/", "aws:iam/", "aws:kms/", "aws:eks/", "aws:s3/", "aws:vpc/", "aws:cloudwatch/", "aws:efs/"),
)
