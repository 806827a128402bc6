"""Encryption at rest in analytics, brokers, caches and global databases of AWS."""

from __future__ import annotations

from typing import Final

from penstock.aws.policies.json_documents import InJson
from penstock.aws.types import (
    APIGATEWAY_METHOD_SETTINGS,
    APPSYNC_API_CACHE,
    DAX_CLUSTER,
    EMR_CLUSTER,
    EMR_SECURITY_CONFIGURATION,
    GLUE_DATA_CATALOG_ENCRYPTION_SETTINGS,
    GLUE_JOB,
)
from penstock.rules.checks import Absent, All, ByType, Given, Is, IsNot, Matches, OneOf, Where
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.AT_REST)

_AT_REST: Final = "EncryptionConfiguration.AtRestEncryptionConfiguration"
_LOCAL_DISKS: Final = f"{_AT_REST}.LocalDiskEncryptionConfiguration"
_AT_REST_ENABLED: Final = Is("EncryptionConfiguration.EnableAtRestEncryption", value=True)

RULES.row(
    "aws-emr-security-config",
    "An EMR cluster has a security configuration.",
    on=EMR_CLUSTER,
    check=Given("securityConfiguration"),
    severity=MEDIUM,
    rationale="Local disks, spilled shuffle data and traffic between the nodes are in clear.",
    fix="Create an aws.emr.SecurityConfiguration with encryption at rest and in transit, and set securityConfiguration "
    "to its name; the cluster is replaced.",
    peers="CKV2_AWS_55",
)
RULES.row(
    "aws-emr-rest",
    "An EMR security configuration encrypts objects in S3 with KMS.",
    on=EMR_SECURITY_CONFIGURATION,
    check=InJson(
        "configuration",
        All(
            _AT_REST_ENABLED,
            Matches(f"{_AT_REST}.S3EncryptionConfiguration.EncryptionMode", "(?i)(SSE|CSE)-(KMS|Custom)"),
        ),
    ),
    severity=HIGH,
    rationale="Results that jobs write to S3 are readable with bucket permissions only, without a second one on a key.",
    fix="Set EnableAtRestEncryption to true and S3EncryptionConfiguration.EncryptionMode to SSE-KMS or CSE-KMS, with "
    "AwsKmsKey; a security configuration is replaced, and clusters follow.",
    peers="AWS-0137 CKV_AWS_171",
)
RULES.row(
    "aws-emr-local-disks",
    "An EMR security configuration encrypts local disks and EBS volumes.",
    on=EMR_SECURITY_CONFIGURATION,
    check=InJson(
        "configuration",
        All(
            _AT_REST_ENABLED,
            Given(_LOCAL_DISKS),
            Where(
                Is(f"{_LOCAL_DISKS}.EncryptionKeyProviderType", "AwsKms"),
                Is(f"{_LOCAL_DISKS}.EnableEbsEncryption", value=True),
            ),
        ),
    ),
    severity=HIGH,
    rationale="HDFS blocks and shuffle files remain readable on volumes and in their snapshots.",
    fix="Set EnableAtRestEncryption to true and LocalDiskEncryptionConfiguration with EncryptionKeyProviderType "
    "AwsKms, AwsKmsKey and EnableEbsEncryption true; a security configuration is replaced, and clusters follow.",
    peers="AWS-0139 CKV_AWS_349 CKV_AWS_350",
)

_CATALOG_SETTINGS: Final = "dataCatalogEncryptionSettings"
_GLUE_SECURITY: Final = "aws:glue/securityConfiguration:SecurityConfiguration"
_GLUE_MODES: Final = "encryptionConfiguration"
_GLUE_JOBS: Final = (GLUE_JOB, "aws:glue/crawler:Crawler", "aws:glue/devEndpoint:DevEndpoint")

RULES.row(
    "aws-glue-catalog-encrypted",
    "The Glue Data Catalog encrypts metadata and connection passwords.",
    on=GLUE_DATA_CATALOG_ENCRYPTION_SETTINGS,
    check=All(
        Is(f"{_CATALOG_SETTINGS}.connectionPasswordEncryption.returnConnectionPasswordEncrypted", value=True),
        OneOf(f"{_CATALOG_SETTINGS}.encryptionAtRest.catalogEncryptionMode", ("SSE-KMS", "SSE-KMS-WITH-SERVICE-ROLE")),
    ),
    severity=HIGH,
    rationale="GetConnection returns database passwords in clear to everyone who may read the catalogue.",
    fix="Set connectionPasswordEncryption.returnConnectionPasswordEncrypted to true with awsKmsKeyId, and "
    "encryptionAtRest.catalogEncryptionMode to SSE-KMS with sseAwsKmsKeyId.",
    peers="CKV_AWS_94 KICS:01d50b14",
)
RULES.row(
    "aws-glue-security-encrypted",
    "A Glue security configuration encrypts data, logs and job bookmarks.",
    on=_GLUE_SECURITY,
    check=All(
        Is(f"{_GLUE_MODES}.cloudwatchEncryption.cloudwatchEncryptionMode", "SSE-KMS"),
        Given(f"{_GLUE_MODES}.cloudwatchEncryption.kmsKeyArn"),
        Is(f"{_GLUE_MODES}.jobBookmarksEncryption.jobBookmarksEncryptionMode", "CSE-KMS"),
        Given(f"{_GLUE_MODES}.jobBookmarksEncryption.kmsKeyArn"),
        OneOf(f"{_GLUE_MODES}.s3Encryption.s3EncryptionMode", ("SSE-KMS", "SSE-S3")),
    ),
    severity=HIGH,
    rationale="Job output, driver logs with sample rows, and bookmarks are stored without a customer's key.",
    fix="Set cloudwatchEncryptionMode and s3EncryptionMode to SSE-KMS and jobBookmarksEncryptionMode to CSE-KMS, each "
    "with kmsKeyArn; the configuration is replaced.",
    peers="CKV_AWS_99 KICS:ad5b4e97",
)
RULES.row(
    "aws-glue-job-security-config",
    "A Glue job, crawler or development endpoint has a security configuration.",
    on=_GLUE_JOBS,
    check=Given("securityConfiguration"),
    severity=MEDIUM,
    rationale="Job output, logs and bookmarks are written without KMS, whatever other jobs do.",
    fix="Set securityConfiguration to the name of an aws.glue.SecurityConfiguration that encrypts all three.",
    peers="CKV_AWS_195",
)

_WORKGROUP: Final = "aws:athena/workgroup:Workgroup"
_ATHENA_DATABASE: Final = "aws:athena/database:Database"
_RESULTS: Final = "configuration.resultConfiguration"
_MANAGED_RESULTS: Final = "configuration.managedQueryResultsConfiguration.enabled"

RULES.row(
    "aws-athena-encrypted",
    "An Athena workgroup or database encrypts query results.",
    on=(_WORKGROUP, _ATHENA_DATABASE),
    check=ByType(
        {
            _WORKGROUP: Where(
                All(IsNot(_MANAGED_RESULTS, value=True), Absent("configuration.identityCenterConfiguration")),
                Given(f"{_RESULTS}.encryptionConfiguration.encryptionOption"),
            ),
            _ATHENA_DATABASE: Where(Absent("workgroup"), Given("encryptionConfiguration.encryptionOption")),
        }
    ),
    severity=MEDIUM,
    rationale="Query results follow whatever each client asks for, so copies of rows lie outside the company's key.",
    fix="Set resultConfiguration.encryptionConfiguration (encryptionConfiguration of a database, which is replaced) "
    "with encryptionOption SSE_KMS and a key.",
    peers="AWS-0006 CKV_AWS_77 CKV_AWS_159 KICS:b2315cae KICS:d364984a",
)
RULES.row(
    "aws-athena-enforced",
    "An Athena workgroup overrides client settings.",
    on=_WORKGROUP,
    check=IsNot("configuration.enforceWorkgroupConfiguration", value=False),
    severity=MEDIUM,
    rationale="A client turns encryption of its results off, or sends them to a bucket of its own.",
    fix="Remove configuration.enforceWorkgroupConfiguration, or set it to true.",
    peers="AWS-0007 CKV_AWS_82",
)


RULES.row(
    "aws-cache-encrypted",
    "A DAX cluster, an AppSync cache or an API Gateway cache is encrypted at rest.",
    on=(DAX_CLUSTER, APPSYNC_API_CACHE, APIGATEWAY_METHOD_SETTINGS),
    check=ByType(
        {
            DAX_CLUSTER: Is("serverSideEncryption.enabled", value=True),
            APPSYNC_API_CACHE: Is("atRestEncryptionEnabled", value=True),
            APIGATEWAY_METHOD_SETTINGS: Where(
                Is("settings.cachingEnabled", value=True), Is("settings.cacheDataEncrypted", value=True)
            ),
        }
    ),
    severity=HIGH,
    rationale="Answers of models and items of tables, personal data among them, are copied to disk in clear.",
    fix="Set serverSideEncryption.enabled, atRestEncryptionEnabled or settings.cacheDataEncrypted to true; a DAX "
    "cluster and an AppSync cache are replaced.",
    peers="AWS-0023 CKV_AWS_47 CKV_AWS_214 CKV_AWS_308 KICS:f11aec39 KICS:b7c9a40c",
)

_GLOBAL_DATABASES: Final = (
    "aws:rds/globalCluster:GlobalCluster",
    "aws:docdb/globalCluster:GlobalCluster",
    "aws:neptune/globalCluster:GlobalCluster",
)

RULES.row(
    "aws-global-db-encrypted",
    "A global database cluster is encrypted.",
    on=_GLOBAL_DATABASES,
    check=Where(Absent("sourceDbClusterIdentifier"), Is("storageEncrypted", value=True)),
    severity=HIGH,
    rationale="Each region keeps a copy in clear, and every snapshot of one can be shared with any account.",
    fix="Set storageEncrypted to true; an existing global cluster is replaced.",
    peers="CKV_AWS_140 CKV_AWS_292",
)

_WORKSPACE: Final = "aws:workspaces/workspace:Workspace"

RULES.row(
    "aws-workspace-encrypted",
    "A WorkSpace encrypts its root and user volumes.",
    on=_WORKSPACE,
    check=All(Is("rootVolumeEncryptionEnabled", value=True), Is("userVolumeEncryptionEnabled", value=True)),
    severity=HIGH,
    rationale="Downloaded data and browser sessions with credentials lie in clear on the desktop's volumes.",
    fix="Set rootVolumeEncryptionEnabled and userVolumeEncryptionEnabled to true with volumeEncryptionKey; the "
    "WorkSpace is replaced.",
    peers="AWS-0109 CKV_AWS_155 CKV_AWS_156 KICS:b9033580",
)
