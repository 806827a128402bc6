"""Resilience, of whatever holds data on any cloud."""

from __future__ import annotations

from penstock.catalog.tables import rows
from penstock.gcp.policies.protection import keeps_resources
from penstock.graph.former_types import present
from penstock.rules.levels import MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.RESILIENCE)

_MADE_AGAIN = frozenset(
    {
        "aws:cloudwatch/logGroup:LogGroup",
        "aws:ebs/snapshot:Snapshot",
        "aws:ec2/ami:Ami",
        "aws:ec2/instance:Instance",
        "aws:elasticache/cluster:Cluster",
        "aws:elasticache/replicationGroup:ReplicationGroup",
        "aws:fsx/fileCache:FileCache",
        "aws:imagebuilder/image:Image",
        "aws:kinesis/stream:Stream",
        "aws:s3/bucketObject:BucketObject",
        "aws:s3/bucketObjectv2:BucketObjectv2",
        "aws:sagemaker/notebookInstance:NotebookInstance",
        "aws:sqs/queue:Queue",
        "aws:ssm/parameter:Parameter",
        "azure-native:compute:Snapshot",
        "azure-native:compute:VirtualMachine",
        "azure-native:eventhub:EventHub",
        "azure-native:operationalinsights:Workspace",
        "azure-native:redis:Redis",
        "azure-native:storage:Blob",
        "gcp:compute/image:Image",
        "gcp:compute/instance:Instance",
        "gcp:compute/machineImage:MachineImage",
        "gcp:compute/snapshot:Snapshot",
        "gcp:dataproc/cluster:Cluster",
        "gcp:filestore/snapshot:Snapshot",
        "gcp:logging/projectBucketConfig:ProjectBucketConfig",
        "gcp:pubsub/subscription:Subscription",
        "gcp:redis/instance:Instance",
        "gcp:secretmanager/secretVersion:SecretVersion",
        "gcp:storage/bucketObject:BucketObject",
        "gcp:tpu/v2Vm:V2Vm",
        "gcp:workbench/instance:Instance",
    }
)
"""What holds data that is a copy, passes through or is uploaded again."""

_OF_ITS_OWN = "gcp:kms/cryptoKey:CryptoKey"
"""Has a rule of its own, gcp-kms-prevent-destroy."""

HOLDING = tuple(
    type_
    for type_ in (row["type"] for row in rows("holds_data"))
    if not type_.startswith("kubernetes:")
    and type_ not in _MADE_AGAIN
    and type_ != _OF_ITS_OWN
    and present(type_) == type_
)
"""The types of the clouds whose loss nobody can make good."""

RULES.row(
    "res-protect-stateful",
    "What holds data in production is protected from deletion.",
    on=HOLDING,
    check=keeps_resources(*HOLDING),
    severity=MEDIUM,
    rationale="One renamed resource or one destroy in the wrong terminal, and the checkpoints of a year are gone.",
    fix="Set the resource option protect to true; on Google Cloud deletionPolicy PREVENT does as well, or "
    "deletionProtection where a resource has it.",
    peers="CKV_GCP_119 CKV_GCP_120 CKV_GCP_121 CKV_GCP_122 KICS:a187ac47 KICS:0cc95bf8",
    in_production=True,
)
