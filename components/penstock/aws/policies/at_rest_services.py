"""Encryption at rest in databases, registries and services of AWS, and the keys themselves."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache

from penstock.aws.facts.machines import AwsMachine
from penstock.aws.policies.keys import OwnKey
from penstock.aws.types import (
    BEDROCK_AGENT_AGENT,
    BEDROCK_AGENT_PROMPT,
    BEDROCK_AGENTCORE_GATEWAY,
    BEDROCK_GUARDRAIL,
    CLOUDWATCH_LOG_GROUP,
    DOCDB_CLUSTER,
    DYNAMODB_TABLE,
    ECR_REPOSITORY,
    EKS_CLUSTER,
    ELASTICACHE_REPLICATION_GROUP,
    ELASTICSEARCH_DOMAIN,
    KINESIS_FIREHOSE_DELIVERY_STREAM,
    KINESIS_STREAM,
    KMS_KEY,
    NEPTUNE_CLUSTER,
    OPENSEARCH_DOMAIN,
    OPENSEARCH_SERVERLESS_SECURITY_POLICY,
    RDS_CLUSTER,
    RDS_INSTANCE,
    REDSHIFT_CLUSTER,
    S3_VECTORS_VECTOR_BUCKET,
    S3TABLES_TABLE_BUCKET,
    SAGEMAKER_DOMAIN,
    SAGEMAKER_ENDPOINT_CONFIGURATION,
    SAGEMAKER_NOTEBOOK_INSTANCE,
    SECRETSMANAGER_SECRET,
    SNS_TOPIC,
    SQS_QUEUE,
)
from penstock.catalog import machines
from penstock.graph.verdict import NOT_APPLICABLE, TypeMismatch, Verdict, allow
from penstock.graph.view import View
from penstock.rules.checks import (
    Absent,
    All,
    AtLeast,
    ByType,
    Check,
    Custom,
    Each,
    Either,
    Given,
    Has,
    Is,
    IsNot,
    OneOf,
    Where,
)
from penstock.rules.levels import HIGH, LOW, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.AT_REST)

_CIS_DATABASES = ("AWS 5.0: 2.2.1",)

_STORED = Is("storageEncrypted", value=True)

_LOCAL_DISK = re.compile(r"[a-z]+\d+[a-z]*d[a-z]*")
"""Families whose name means local disks: a d after the generation, as in m5d, c6gd, g4dn and p4de."""


def _stored(
    id_: str, title: str, *, on: str, rationale: str, peers: str, check: Check = _STORED, cis: tuple[str, ...] = ()
) -> None:
    """A database that is encrypted only from its creation."""
    RULES.row(
        id_,
        title,
        on=on,
        check=check,
        severity=HIGH,
        rationale=rationale,
        fix=(
            "Set storageEncrypted to true; an existing database is replaced: restore it from an encrypted copy of a "
            "snapshot."
        ),
        peers=peers,
        cis=cis,
    )


_stored(
    "aws-rds-encrypted",
    "A database is encrypted.",
    on=RDS_INSTANCE,
    rationale="Its snapshots can be shared with any account, which then reads every row.",
    peers="CKV_AWS_16 AWS-0080 KICS:08bd0760",
    check=Where(Absent("replicateSourceDb"), _STORED),
    cis=_CIS_DATABASES,
)
_stored(
    "aws-rds-cluster-encrypted",
    "A cluster of databases is encrypted with a key of KMS in its account.",
    on=RDS_CLUSTER,
    rationale=(
        "A Multi-AZ cluster lies in clear then, and so does Aurora from before February 2026; later clusters have a "
        "key of AWS's that no policy limits and whose use no log shows."
    ),
    peers="CKV_AWS_96 AWS-0079 KICS:656880aa KICS:1a690d1d KICS:3199c26c",
    check=Where(
        All(Absent("replicationSourceIdentifier"), IsNot("engineMode", "serverless")),
        _STORED,
    ),
    cis=_CIS_DATABASES,
)
_stored(
    "aws-docdb-encrypted",
    "A DocumentDB cluster is encrypted.",
    on=DOCDB_CLUSTER,
    rationale="Prompts, sessions and whatever else applications keep as documents lie in clear in each snapshot.",
    peers="CKV_AWS_74 AWS-0021 KICS:bc1f9009",
)
_stored(
    "aws-neptune-encrypted",
    "A Neptune cluster is encrypted.",
    on=NEPTUNE_CLUSTER,
    rationale="A graph shows who knows whom: a snapshot in clear gives all of that away at once.",
    peers="CKV_AWS_44 AWS-0076 KICS:98d59056",
)
RULES.row(
    "aws-redshift-encrypted",
    "A data warehouse is encrypted.",
    on=REDSHIFT_CLUSTER,
    check=IsNot("encrypted", value=False),
    severity=HIGH,
    rationale="Its snapshots can be shared with any account, which then reads every row.",
    fix="Set encrypted to true; Redshift then moves an existing cluster to encrypted nodes by itself.",
    peers="CKV_AWS_64 AWS-0084 KICS:cfdcabb0",
)

RULES.row(
    "aws-eks-secrets-kms",
    "A cluster encrypts Kubernetes secrets with a key of the customer's own.",
    on=EKS_CLUSTER,
    check=All(
        Given("encryptionConfig"),
        Where(
            Given("encryptionConfig"),
            All(Has("encryptionConfig.resources", ("secrets",)), OwnKey("encryptionConfig.provider.keyArn")),
        ),
    ),
    severity=MEDIUM,
    rationale=(
        "Only AWS holds the key to tokens and passwords in etcd then: nobody can see who used it, or withdraw it."
    ),
    fix=(
        "Set encryptionConfig with resources [secrets] and the ARN of a KMS key; it cannot be taken back, and a key "
        "that is deleted takes the cluster with it."
    ),
    peers="CKV_AWS_58 AWS-0039 KICS:63ebcb19",
    cis=("EKS 1.8: 5.3.1",),
)
RULES.row(
    "aws-ddb-cmk",
    "A DynamoDB table is encrypted with a key of the customer's own.",
    on=DYNAMODB_TABLE,
    check=All(Is("serverSideEncryption.enabled", value=True), OwnKey("serverSideEncryption.kmsKeyArn")),
    severity=LOW,
    rationale=("Whoever may read the table reads it: no permission on a key is needed, and no log shows its use."),
    fix="Set serverSideEncryption with enabled true and kmsKeyArn; each caller then needs the key, and pays its calls.",
    peers="CKV_AWS_119 AWS-0025 KICS:ce089fd4",
)
RULES.row(
    "aws-elasticache-rest",
    "A cache is encrypted at rest.",
    on=ELASTICACHE_REPLICATION_GROUP,
    check=Where(
        Absent("globalReplicationGroupId"),
        All(
            Where(IsNot("engine", "valkey"), Is("atRestEncryptionEnabled", value=True)),
            Where(Is("engine", "valkey"), IsNot("atRestEncryptionEnabled", value=False)),
        ),
    ),
    severity=HIGH,
    rationale="Sessions and answers of models go to disk in clear with each snapshot and each sync of a replica.",
    fix="Set atRestEncryptionEnabled to true; an existing cache is replaced.",
    peers="CKV_AWS_29 AWS-0045 KICS:76976de7",
)
RULES.row(
    "aws-opensearch-rest",
    "A search domain is encrypted at rest.",
    on=(OPENSEARCH_DOMAIN, ELASTICSEARCH_DOMAIN),
    check=Is("encryptAtRest.enabled", value=True),
    severity=HIGH,
    rationale=(
        "Indexes hold the documents that a model looks things up in, and automated snapshots carry them on in clear."
    ),
    fix="Set encryptAtRest.enabled to true; before OpenSearch, or Elasticsearch 6.7, the domain is replaced.",
    peers="CKV_AWS_5 AWS-0048 KICS:24e16922",
)
RULES.row(
    "aws-kinesis-encrypted",
    "A stream is encrypted.",
    on=KINESIS_STREAM,
    check=Is("encryptionType", "KMS"),
    severity=HIGH,
    rationale="Records lie in clear on AWS's disks for as long as the stream keeps them, up to a year.",
    fix="Set encryptionType to KMS and kmsKeyId to a key, or to alias/aws/kinesis, which costs nothing to keep.",
    peers="CKV_AWS_43 AWS-0064",
)
RULES.row(
    "aws-sns-encrypted",
    "A topic is encrypted.",
    on=SNS_TOPIC,
    check=Given("kmsMasterKeyId"),
    severity=MEDIUM,
    rationale="Alarms and events wait on AWS's disks in clear, with the names and figures that they report.",
    fix="Set kmsMasterKeyId to a KMS key that the services which publish may use; alias/aws/sns lets none of them in.",
    peers="CKV_AWS_26 AWS-0095 KICS:28545147",
)

RULES.row(
    "aws-sqs-encrypted",
    "A queue, or a stream of Firehose, is encrypted.",
    on=(SQS_QUEUE, KINESIS_FIREHOSE_DELIVERY_STREAM),
    check=ByType(
        {
            SQS_QUEUE: Either(Given("kmsMasterKeyId"), IsNot("sqsManagedSseEnabled", value=False)),
            KINESIS_FIREHOSE_DELIVERY_STREAM: Where(
                All(Absent("kinesisSourceConfiguration"), Absent("mskSourceConfiguration")),
                Is("serverSideEncryption.enabled", value=True),
            ),
        }
    ),
    severity=MEDIUM,
    rationale="Jobs, prompts and logs wait on AWS's disks in clear, in a queue up to two weeks.",
    fix="Set kmsMasterKeyId to a KMS key, or remove sqsManagedSseEnabled, so that SQS encrypts by a key of its own; in "
    "Firehose set serverSideEncryption.enabled to true.",
    peers="CKV_AWS_27 CKV_AWS_240 AWS-0096 KICS:6e8849c1 KICS:5c6dd5e7",
)
RULES.row(
    "aws-ecr-kms",
    "A registry encrypts images with KMS.",
    on=ECR_REPOSITORY,
    check=All(
        Given("encryptionConfigurations"),
        OneOf("encryptionConfigurations[].encryptionType", ("KMS", "KMS_DSSE")),
    ),
    severity=LOW,
    rationale="Images carry code and often weights; with ECR's own keys nobody sees who decrypts them.",
    fix="Set encryptionConfigurations with encryptionType KMS; an existing repository is replaced with its images.",
    peers="CKV_AWS_136 AWS-0033 KICS:0e32d561",
)
RULES.row(
    "aws-ecr-cmk",
    "A registry that encrypts images with KMS uses a key of the customer's own.",
    on=ECR_REPOSITORY,
    check=Each(
        "encryptionConfigurations[]",
        Where(OneOf("encryptionType", ("KMS", "KMS_DSSE")), OwnKey("kmsKey")),
    ),
    severity=LOW,
    rationale="Everyone who may pull decrypts the images: AWS's key has no policy that could deny it.",
    fix="Set encryptionConfigurations[].kmsKey to the ARN of a KMS key; an existing repository is replaced with its "
    "images.",
    peers="AWS-0033",
)
RULES.row(
    "aws-sm-cmk",
    "A secret is encrypted with a key of the customer's own.",
    on=SECRETSMANAGER_SECRET,
    check=OwnKey("kmsKeyId"),
    severity=MEDIUM,
    rationale=(
        "With AWS's key everyone whom a policy lets read secrets reads this one, and no other account can be given it."
    ),
    fix="Set kmsKeyId to the ARN of a KMS key; readers then need kms:Decrypt.",
    peers="CKV_AWS_149 AWS-0098 KICS:a2f548f2 KICS:b0d3ef3f",
)
RULES.row(
    "aws-logs-cmk",
    "A log group is encrypted with a key of the customer's own.",
    on=CLOUDWATCH_LOG_GROUP,
    check=OwnKey("kmsKeyId"),
    severity=LOW,
    rationale=(
        "Logs repeat what applications print, prompts included; with AWS's key nobody can put old ones out of reach."
    ),
    fix="Set kmsKeyId to the ARN of a KMS key whose policy lets the CloudWatch Logs service of the region use it.",
    peers="CKV_AWS_158 AWS-0017 KICS:0afbcfe9",
)
RULES.row(
    "aws-sagemaker-nb-kms",
    "A notebook instance is encrypted with a key of the customer's own.",
    on=SAGEMAKER_NOTEBOOK_INSTANCE,
    check=OwnKey("kmsKeyId"),
    severity=MEDIUM,
    rationale="Data that someone loads into a notebook stays on its disk, where no key can be withdrawn to reach it.",
    fix="Set kmsKeyId to a KMS key; an existing instance is replaced with all that lies on it.",
    peers="CKV_AWS_22 CKV_AWS_187 KICS:f3674e0c",
)
RULES.row(
    "aws-sagemaker-domain-kms",
    "A SageMaker domain encrypts home directories with a key of the customer's own.",
    on=SAGEMAKER_DOMAIN,
    check=OwnKey("kmsKeyId"),
    severity=MEDIUM,
    rationale=(
        "The files of everyone who works in the domain share one disk under AWS's key, which nobody can withdraw."
    ),
    fix="Set kmsKeyId to a KMS key; an existing domain is replaced, and its home directories with it.",
    peers="CKV_AWS_187",
)


@RULES.rule(
    on=SAGEMAKER_ENDPOINT_CONFIGURATION,
    severity=MEDIUM,
    rationale=(
        "Model weights and captured requests lie on the disks of the endpoint under a key that nobody can withdraw."
    ),
    fix="Set kmsKeyArn to a KMS key; the configuration is replaced, and the endpoint moves over to the new one.",
    peers="CKV_AWS_98 KICS:58b35504",
)
def aws_sagemaker_endpoint_kms(it: View, settings: Settings) -> Verdict:
    """An endpoint on machines without local disks is encrypted with a key of the customer's own."""
    if any(not type_ or _has_local_disk(type_) for type_ in _instance_types(it)):
        return NOT_APPLICABLE  # SageMaker takes no key for local disks; what is serverless has no disk of its own
    return OwnKey("kmsKeyArn").judge(it, settings)


def _instance_types(it: View) -> Iterator[str]:
    for variant in (*it.blocks("productionVariants"), *it.blocks("shadowProductionVariants")):
        yield variant.text("instanceType") or ""


def _has_local_disk(type_: str) -> bool:
    family = type_.removeprefix("ml.").partition(".")[0]
    return family in _families_with_local_disks() or _LOCAL_DISK.fullmatch(family) is not None


@cache
def _families_with_local_disks() -> frozenset[str]:
    return frozenset(machine.family for machine in machines.machine_types(AwsMachine) if machine.nvme_gb)


_KEYS_OF_AGENTS = {
    "aws:agentregistry/registry:Registry": "encryptionConfiguration.kmsKeyArn",
    BEDROCK_AGENT_AGENT: "customerEncryptionKeyArn",
    "aws:bedrock/agentDataSource:AgentDataSource": "serverSideEncryptionConfiguration.kmsKeyArn",
    "aws:bedrock/agentFlow:AgentFlow": "customerEncryptionKeyArn",
    BEDROCK_AGENT_PROMPT: "customerEncryptionKeyArn",
    BEDROCK_AGENTCORE_GATEWAY: "kmsKeyArn",
    "aws:bedrock/agentcoreMemory:AgentcoreMemory": "encryptionKeyArn",
    "aws:bedrock/agentcorePolicyEngine:AgentcorePolicyEngine": "encryptionKeyArn",
    "aws:bedrock/customModel:CustomModel": "customModelKmsKeyId",
    "aws:bedrock/evaluationJob:EvaluationJob": "customerEncryptionKeyId",
    BEDROCK_GUARDRAIL: "kmsKeyArn",
}
RULES.row(
    "aws-bedrock-cmk",
    "Agents, their memory and models of Bedrock are encrypted with a key of the customer's own.",
    on=tuple(_KEYS_OF_AGENTS),
    check=ByType({type_: OwnKey(path) for type_, path in _KEYS_OF_AGENTS.items()}),
    severity=MEDIUM,
    rationale=(
        "Conversations, instructions and tuned weights lie under a key of AWS's that nobody can see used, or withdraw."
    ),
    fix="Set the property to the ARN of a KMS key; what cannot be changed in place is replaced.",
    peers="CKV_AWS_373",
)

RULES.row(
    "aws-s3-vectors-cmk",
    "A bucket of vectors or of tables is encrypted with a key of the customer's own.",
    on=(S3_VECTORS_VECTOR_BUCKET, S3TABLES_TABLE_BUCKET),
    check=ByType(
        {
            S3_VECTORS_VECTOR_BUCKET: All(
                Given("encryptionConfigurations"), OwnKey("encryptionConfigurations[].kmsKeyArn")
            ),
            S3TABLES_TABLE_BUCKET: OwnKey("encryptionConfiguration.kmsKeyArn"),
        }
    ),
    severity=MEDIUM,
    rationale=(
        "From embeddings much of the text can be reconstructed; whoever may query the bucket needs no key in between."
    ),
    fix="Set sseType (sseAlgorithm of tables) to aws:kms and kmsKeyArn to a KMS key; a bucket of vectors is replaced.",
)


def _collections_have_a_key(it: View, _: Settings) -> Verdict:
    """An encryption policy of OpenSearch Serverless names a key."""
    if it.text("type") != "encryption":
        return NOT_APPLICABLE
    try:
        policy = json.loads(it.text("policy") or "{}")
    except ValueError:
        raise TypeMismatch from None
    return allow(isinstance(policy, dict) and policy.get("KmsARN"), "KmsARN is not set in policy", path="policy")


RULES.row(
    "aws-aoss-cmk",
    "Collections of OpenSearch Serverless are encrypted with a key of the customer's own.",
    on=OPENSEARCH_SERVERLESS_SECURITY_POLICY,
    check=Custom(_collections_have_a_key),
    severity=MEDIUM,
    rationale="The documents that models look things up in lie under a key that nobody can see used, or withdraw.",
    fix="Set KmsARN in policy to the ARN of a KMS key, and AWSOwnedKey to false; an existing collection keeps its key.",
)

RULES.row(
    "aws-kms-rotation",
    "A symmetric key rotates.",
    on=KMS_KEY,
    check=Where(
        All(
            Is("customerMasterKeySpec", "SYMMETRIC_DEFAULT"),
            Is("keyUsage", "ENCRYPT_DECRYPT"),
            Absent("customKeyStoreId"),
        ),
        Is("enableKeyRotation", value=True),
    ),
    severity=MEDIUM,
    rationale="One version of the key guards all data of all years: whoever gets hold of it reads everything.",
    fix="Set enableKeyRotation to true; nothing is encrypted anew, and old versions cost a little.",
    peers="CKV_AWS_7 AWS-0065 KICS:22fbfeac",
    cis=("AWS 5.0: 3.6",),
)
RULES.row(
    "aws-kms-deletion-window",
    "A key waits for two weeks at least before it is gone.",
    on=KMS_KEY,
    check=AtLeast("deletionWindowInDays", 14),
    severity=MEDIUM,
    rationale=(
        "A key that is deleted by mistake takes all that it encrypted with it, and over a holiday nobody notices."
    ),
    fix="Set deletionWindowInDays to 14 or more, or leave it out, which means 30.",
    peers="KICS:0b530315",
)
RULES.row(
    "aws-kms-enabled",
    "A key is not disabled.",
    on=KMS_KEY,
    check=Is("isEnabled", value=True),
    severity=LOW,
    rationale="Disks under a disabled key do not attach and objects do not open, so the next node that starts fails.",
    fix="Remove isEnabled, or set it to true; if the key is no longer needed, remove it.",
    peers="CKV_AWS_227 KICS:7350fa23",
)
