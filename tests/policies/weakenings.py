"""Each way in which a careless change would weaken a platform, found by its effect.

The table speaks of what a change undoes, and knows nothing of rules: whether one notices is what the test finds out.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from tests.policies.weakening import Change, Weakening

from penstock.rules.levels import Category

WORLD = "0.0.0.0/0"
ACCOUNT = "123456789012"
WHOLE_POOL = "principalSet://iam.googleapis.com/projects/12/locations/global/workloadIdentityPools/ci/*"
TOKEN = "hf_" + "aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA3b"
"""A text of the form of an access token."""


def _to(value: Any) -> Change:
    return lambda _: value


def _off(value: Any) -> Any:
    """A flag the other way round, in the form that it has."""
    return {"true": "false", "false": "true"}.get(value, value) if isinstance(value, str) else not value


def _plus(*items: Any) -> Change:
    return lambda values: [*values, *items]


def _without(item: Any) -> Change:
    return lambda values: [each for each in values if each != item]


def _document(change: Callable[[dict[str, Any]], None]) -> Change:
    """A change of a policy document, of its first statement that allows."""

    def make(text: str) -> str:
        document = json.loads(text)
        allows = [each for each in document["Statement"] if each["Effect"] == "Allow"]
        if allows:
            change(allows[0])
        return json.dumps(document)

    return make


def _no_denials(text: str) -> str:
    document = json.loads(text)
    document["Statement"] = [each for each in document["Statement"] if each["Effect"] != "Deny"] or [
        {
            "Effect": "Allow",
            "Principal": {"AWS": "arn:aws:iam::123456789012:root"},
            "Action": "s3:GetObject",
            "Resource": "*",
        }
    ]
    return json.dumps(document)


def _set(**values: Any) -> Callable[[dict[str, Any]], None]:
    return lambda statement: statement.update(values) or statement.pop("Condition", None)


def _tagless(tags: Mapping[str, str]) -> dict[str, str]:
    return {key: value for key, value in tags.items() if key != "environment"}


C = Category
"""Short, for a table."""
_OPEN = [{"protocol": "-1", "fromPort": 0, "toPort": 0, "self": True}]
_POD = "kubernetes:apps/v1:*"
_CONTAINER = "spec.template.spec.containers[]"

WEAKENINGS = (
    # Encryption at rest
    *(
        Weakening(C.AT_REST, f"{path} removed", types, path)
        for types, path in (
            ("aws:cloudwatch/logGroup:*", "kmsKeyId"),
            ("aws:ec2/launchTemplate:*", "blockDeviceMappings[].ebs.kmsKeyId"),
            ("aws:efs/fileSystem:*", "kmsKeyId"),
            ("aws:eks/cluster:*", "encryptionConfig"),
            ("aws:fsx/lustreFileSystem:*", "kmsKeyId"),
            (
                "aws:s3/bucketServerSideEncryptionConfiguration:*",
                "rules[].applyServerSideEncryptionByDefault.kmsMasterKeyId",
            ),
            ("aws:secretsmanager/secret:*", "kmsKeyId"),
            ("gcp:artifactregistry/repository:*", "kmsKeyName"),
            ("gcp:container/cluster:*", "databaseEncryption"),
            ("gcp:container/nodePool:*", "nodeConfig.bootDiskKmsKey"),
            ("gcp:filestore/instance:*", "kmsKeyName"),
            ("gcp:lustre/instance:*", "kmsKey"),
            ("gcp:secretmanager/secret:*", "replication.userManaged.replicas[].customerManagedEncryption"),
            ("gcp:sql/databaseInstance:*", "encryptionKeyName"),
            ("gcp:storage/bucket:*", "encryption"),
        )
    ),
    Weakening(
        C.AT_REST,
        "launch template writes in clear",
        "aws:ec2/launchTemplate:*",
        "blockDeviceMappings[].ebs.encrypted",
        _off,
    ),
    Weakening(C.AT_REST, "disks as the image has them", "aws:ec2/launchTemplate:*", "blockDeviceMappings"),
    Weakening(C.AT_REST, "shared files in clear", "aws:efs/fileSystem:*", "encrypted", _off),
    Weakening(C.AT_REST, "database in clear", "aws:rds/instance:*", "storageEncrypted", _off),
    Weakening(
        C.AT_REST,
        "repository with the cloud's key",
        "aws:ecr/repository:*",
        "encryptionConfigurations[].encryptionType",
        _to("AES256"),
    ),
    Weakening(
        C.AT_REST,
        "bucket without its key",
        "aws:s3/bucketServerSideEncryptionConfiguration:*",
        "rules[].applyServerSideEncryptionByDefault.kmsMasterKeyId",
    ),
    Weakening(C.AT_REST, "key never rotated", "aws:kms/key:*", "enableKeyRotation", _off),
    Weakening(C.AT_REST, "key gone in a week", "aws:kms/key:*", "deletionWindowInDays", _to(7)),
    Weakening(C.AT_REST, "key never rotated on Google Cloud", "gcp:kms/cryptoKey:*", "rotationPeriod"),
    Weakening(C.AT_REST, "key gone in a day", "gcp:kms/cryptoKey:*", "destroyScheduledDuration", _to("86400s")),
    # Encryption in transit
    Weakening(C.IN_TRANSIT, "bucket read without TLS", "aws:s3/bucketPolicy:*", "policy", _no_denials),
    Weakening(C.IN_TRANSIT, "shared files without TLS", "aws:efs/fileSystemPolicy:*", "policy", _no_denials),
    Weakening(C.IN_TRANSIT, "database without TLS", "aws:rds/parameterGroup:*", "parameters[].value", _to("0")),
    Weakening(
        C.IN_TRANSIT,
        "Cloud SQL without TLS",
        "gcp:sql/databaseInstance:*",
        "settings.ipConfiguration.sslMode",
        _to("ALLOW_UNENCRYPTED_AND_ENCRYPTED"),
    ),
    # Segmentation
    Weakening(
        C.SEGMENTATION,
        "ingress from anywhere",
        "aws:vpc/securityGroupIngressRule:*",
        "cidrIpv4",
        _to(WORLD),
        also={"ipProtocol": "-1"},
    ),
    Weakening(
        C.SEGMENTATION,
        "EKS endpoint open to the world",
        "aws:eks/cluster:*",
        "vpcConfig",
        lambda config: {**config, "endpointPublicAccess": True, "publicAccessCidrs": [WORLD]},
    ),
    Weakening(C.SEGMENTATION, "EKS ranges left to the default", "aws:eks/cluster:*", "vpcConfig.publicAccessCidrs"),
    Weakening(
        C.SEGMENTATION,
        "public addresses in a subnet of nodes",
        "aws:ec2/subnet:*",
        "mapPublicIpOnLaunch",
        _to(True),
    ),
    Weakening(
        C.SEGMENTATION,
        "public address on a node",
        "aws:ec2/launchTemplate:*",
        "networkInterfaces",
        lambda found: [{**found[0], "associatePublicIpAddress": "true"}, *found[1:]],
    ),
    Weakening(C.SEGMENTATION, "bucket without public access block", "aws:s3/bucketPublicAccessBlock:*"),
    *(
        Weakening(C.SEGMENTATION, f"{flag} off", "aws:s3/bucketPublicAccessBlock:*", flag, _off)
        for flag in ("blockPublicAcls", "blockPublicPolicy", "ignorePublicAcls", "restrictPublicBuckets")
    ),
    Weakening(C.SEGMENTATION, "default group open", "aws:ec2/defaultSecurityGroup:*", "ingress", _to(_OPEN), adds=True),
    Weakening(C.SEGMENTATION, "database public", "aws:rds/instance:*", "publiclyAccessible", _to(True), adds=True),
    Weakening(C.SEGMENTATION, "access point of root", "aws:efs/accessPoint:*", "posixUser.uid", _to(0)),
    Weakening(C.SEGMENTATION, "firewall open to the world", "gcp:compute/firewall:*", "sourceRanges", _to([WORLD])),
    Weakening(
        C.SEGMENTATION,
        "network with automatic subnetworks",
        "gcp:compute/network:*",
        "autoCreateSubnetworks",
        _to(True),
    ),
    Weakening(
        C.SEGMENTATION, "Google's APIs over the internet", "gcp:compute/subnetwork:*", "privateIpGoogleAccess", _off
    ),
    Weakening(
        C.SEGMENTATION, "bucket that may be public", "gcp:storage/bucket:*", "publicAccessPrevention", _to("inherited")
    ),
    Weakening(C.SEGMENTATION, "bucket with access lists", "gcp:storage/bucket:*", "uniformBucketLevelAccess", _off),
    Weakening(
        C.SEGMENTATION,
        "nodes with public addresses",
        "gcp:container/nodePool:*",
        "networkConfig.enablePrivateNodes",
        _off,
    ),
    Weakening(
        C.SEGMENTATION,
        "GKE endpoint open to the world",
        "gcp:container/cluster:*",
        "privateClusterConfig.enablePrivateEndpoint",
        _to(False),
    ),
    Weakening(C.SEGMENTATION, "no network policies", "gcp:container/cluster:*", "datapathProvider"),
    Weakening(
        C.SEGMENTATION,
        "Cloud SQL with a public address",
        "gcp:sql/databaseInstance:*",
        "settings.ipConfiguration.ipv4Enabled",
        _to(True),
    ),
    # Identity and hardening
    Weakening(C.IDENTITY, "every action", "aws:iam/rolePolicy:*", "policy", _document(_set(Action="*", Resource="*"))),
    Weakening(
        C.IDENTITY,
        "every resource",
        "aws:iam/rolePolicy:*",
        "policy",
        _document(_set(Action="s3:GetObject", Resource="*")),
    ),
    Weakening(
        C.IDENTITY,
        "any role may be passed",
        "aws:iam/rolePolicy:*",
        "policy",
        _document(_set(Action="iam:PassRole", Resource="*")),
    ),
    Weakening(
        C.IDENTITY,
        "anybody may take the role",
        "aws:iam/role:*",
        "assumeRolePolicy",
        _document(_set(Principal={"AWS": "*"})),
    ),
    Weakening(C.IDENTITY, "anybody may use the key", "aws:kms/key:*", "policy", _document(_set(Principal="*"))),
    Weakening(
        C.IDENTITY,
        "administrator",
        "aws:iam/rolePolicyAttachment:*",
        "policyArn",
        _to("arn:aws:iam::aws:policy/AdministratorAccess"),
    ),
    Weakening(
        C.IDENTITY,
        "metadata without a token",
        "aws:ec2/launchTemplate:*",
        "metadataOptions.httpTokens",
        _to("optional"),
    ),
    Weakening(
        C.IDENTITY, "metadata from pods", "aws:ec2/launchTemplate:*", "metadataOptions.httpPutResponseHopLimit", _to(2)
    ),
    Weakening(
        C.IDENTITY, "aws-auth again", "aws:eks/cluster:*", "accessConfig.authenticationMode", _to("API_AND_CONFIG_MAP")
    ),
    Weakening(
        C.IDENTITY,
        "a user is administrator",
        "aws:eks/accessPolicyAssociation:*",
        "principalArn",
        _to("arn:aws:iam::123456789012:user/alice"),
    ),
    Weakening(C.IDENTITY, "objects for everybody", "aws:s3/bucket:*", "acl", _to("public-read"), adds=True),
    Weakening(
        C.IDENTITY,
        "whoever made it is administrator",
        "aws:eks/cluster:*",
        "accessConfig.bootstrapClusterCreatorAdminPermissions",
        _to(True),
    ),
    Weakening(C.IDENTITY, "passwords again", "aws:rds/instance:*", "iamDatabaseAuthenticationEnabled", _off),
    Weakening(C.IDENTITY, "no workload identity", "gcp:container/cluster:*", "workloadIdentityConfig"),
    Weakening(
        C.IDENTITY,
        "the node's own credentials for pods",
        "gcp:container/nodePool:*",
        "nodeConfig.workloadMetadataConfig.mode",
        _to("GCE_METADATA"),
    ),
    Weakening(C.IDENTITY, "the default service account", "gcp:container/nodePool:*", "nodeConfig.serviceAccount"),
    Weakening(C.IDENTITY, "owner of the project", "gcp:projects/iAMMember:*", "role", _to("roles/owner")),
    Weakening(
        C.IDENTITY,
        "token creator of the project",
        "gcp:projects/iAMMember:*",
        "role",
        _to("roles/iam.serviceAccountTokenCreator"),
        also={"condition": None},
    ),
    Weakening(C.IDENTITY, "bucket for everybody", "gcp:storage/bucketIAMMember:*", "member", _to("allUsers")),
    Weakening(C.IDENTITY, "bucket for every repository", "gcp:storage/bucketIAMMember:*", "member", _to(WHOLE_POOL)),
    Weakening(
        C.IDENTITY,
        "no integrity monitoring",
        "gcp:container/nodePool:*",
        "nodeConfig.shieldedInstanceConfig.enableIntegrityMonitoring",
        _off,
    ),
    Weakening(
        C.IDENTITY,
        "privileged container",
        _POD,
        _CONTAINER,
        _to({"name": "shell", "image": "example.com/shell", "securityContext": {"privileged": True}}),
    ),
    Weakening(
        C.IDENTITY,
        "container outside SELinux",
        _POD,
        _CONTAINER,
        lambda container: {**container, "securityContext": {"seLinuxOptions": {"type": "spc_t"}}},
    ),
    Weakening(
        C.IDENTITY,
        "administrators by the account default",
        "kubernetes:rbac.authorization.k8s.io/v1:ClusterRoleBinding",
        "subjects",
        _to([{"kind": "ServiceAccount", "name": "default", "namespace": "ci"}]),
    ),
    Weakening(
        C.IDENTITY,
        "administrators by anonymous",
        "kubernetes:rbac.authorization.k8s.io/v1:ClusterRoleBinding",
        "subjects[].name",
        _to("system:anonymous"),
    ),
    # Secrets
    Weakening(
        C.SECRETS,
        "token in user data",
        "aws:ec2/launchTemplate:*",
        "userData",
        _to(f"#!/bin/sh\nexport HF_TOKEN={TOKEN}\n"),
    ),
    Weakening(
        C.SECRETS,
        "login to a cluster in clear",
        "pulumi:providers:kubernetes",
        "kubeconfig",
        _to(f"users: [{{name: admin, user: {{token: {TOKEN}}}}}]"),
    ),
    Weakening(
        C.SECRETS,
        "token in a container's environment",
        _POD,
        _CONTAINER,
        lambda container: {**container, "env": [{"name": "HF_TOKEN", "value": TOKEN}]},
    ),
    Weakening(
        C.SECRETS,
        "token in a config map",
        "kubernetes:core/v1:ConfigMap",
        "data",
        lambda data: {**data, "HF_TOKEN": TOKEN},
    ),
    Weakening(
        C.SECRETS,
        "password of one's own",
        "aws:rds/instance:*",
        "manageMasterUserPassword",
        _to(False),
        also={"password": "correct-horse-battery-staple"},
    ),
    Weakening(
        C.SECRETS, "secret gone at once", "aws:secretsmanager/secret:*", "recoveryWindowInDays", _to(0), adds=True
    ),
    # Logging
    Weakening(C.LOGS, "no audit log", "aws:eks/cluster:*", "enabledClusterLogTypes", _without("audit")),
    Weakening(C.LOGS, "network without flow logs", "aws:ec2/flowLog:*"),
    Weakening(C.LOGS, "bucket without access log", "aws:s3/bucketLogging:*"),
    Weakening(C.LOGS, "flow logs of what is accepted", "aws:ec2/flowLog:*", "trafficType", _to("ACCEPT")),
    Weakening(C.LOGS, "logs for a day", "aws:cloudwatch/logGroup:*", "retentionInDays", _to(1)),
    Weakening(C.LOGS, "database without logs", "aws:rds/instance:*", "enabledCloudwatchLogsExports"),
    Weakening(C.LOGS, "Lustre without logs", "aws:fsx/lustreFileSystem:*", "logConfiguration"),
    Weakening(
        C.LOGS,
        "GKE without logs of workloads",
        "gcp:container/cluster:*",
        "loggingConfig.enableComponents",
        _to(["SYSTEM_COMPONENTS"]),
    ),
    Weakening(C.LOGS, "NAT without logs", "gcp:compute/routerNat:*", "logConfig.enable", _off),
    Weakening(C.LOGS, "no flow ever sampled", "gcp:compute/subnetwork:*", "logConfig.flowSampling", _to(0)),
    # Residency
    Weakening(C.RESIDENCY, "bucket elsewhere", "gcp:storage/bucket:*", "location", _to("asia-east1")),
    Weakening(C.RESIDENCY, "cluster elsewhere", "gcp:container/cluster:*", "location", _to("asia-east1")),
    Weakening(C.RESIDENCY, "Lustre elsewhere", "gcp:lustre/instance:*", "location", _to("asia-east1-a")),
    Weakening(C.RESIDENCY, "secret everywhere", "gcp:secretmanager/secret:*", "replication", _to({"auto": {}})),
    Weakening(C.RESIDENCY, "provider elsewhere", "pulumi:providers:aws", "region", _to("ap-southeast-1")),
    # Cost
    Weakening(C.COST, "budget removed", "aws:budgets/budget:*"),
    Weakening(C.COST, "budget removed on Google Cloud", "gcp:billing/budget:*"),
    Weakening(C.COST, "a thousand nodes", "aws:eks/nodeGroup:*", "scalingConfig.maxSize", _to(1000), having="taints"),
    # Resilience
    Weakening(
        C.RESILIENCE,
        "bucket without versions",
        "aws:s3/bucketVersioning:*",
        "versioningConfiguration.status",
        _to("Suspended"),
    ),
    Weakening(C.RESILIENCE, "bucket deleted with its objects", "aws:s3/bucket:*", "forceDestroy", _to(True), adds=True),
    Weakening(
        C.RESILIENCE, "bucket deleted with its objects", "gcp:storage/bucket:*", "forceDestroy", _to(True), adds=True
    ),
    Weakening(C.RESILIENCE, "cluster may be deleted", "aws:eks/cluster:*", "deletionProtection", _to(False)),
    Weakening(
        C.RESILIENCE, "paid support of old versions", "aws:eks/cluster:*", "upgradePolicy.supportType", _to("EXTENDED")
    ),
    Weakening(C.RESILIENCE, "nodes not repaired", "aws:eks/nodeGroup:*", "nodeRepairConfig.enabled", _off),
    Weakening(C.RESILIENCE, "database may be deleted", "aws:rds/instance:*", "deletionProtection", _off),
    Weakening(C.RESILIENCE, "backups for a day", "aws:rds/instance:*", "backupRetentionPeriod", _to(1)),
    Weakening(C.RESILIENCE, "database in one zone", "aws:rds/instance:*", "multiAz", _off),
    Weakening(
        C.RESILIENCE, "shared files without backup", "aws:efs/backupPolicy:*", "backupPolicy.status", _to("DISABLED")
    ),
    Weakening(C.RESILIENCE, "GKE may be deleted", "gcp:container/cluster:*", "deletionProtection", _to(False)),
    Weakening(
        C.RESILIENCE, "no release channel", "gcp:container/cluster:*", "releaseChannel.channel", _to("UNSPECIFIED")
    ),
    Weakening(C.RESILIENCE, "GKE nodes not repaired", "gcp:container/nodePool:*", "management.autoRepair", _off),
    Weakening(
        C.RESILIENCE,
        "Cloud SQL without backup",
        "gcp:sql/databaseInstance:*",
        "settings.backupConfiguration.enabled",
        _off,
    ),
    Weakening(C.RESILIENCE, "Cloud SQL may be deleted", "gcp:sql/databaseInstance:*", "deletionProtection", _off),
    Weakening(
        C.RESILIENCE,
        "bucket without soft delete",
        "gcp:storage/bucket:*",
        "softDeletePolicy.retentionDurationSeconds",
        _to(0),
    ),
    # Supply chain
    Weakening(C.SUPPLY_CHAIN, "tags may be moved", "aws:ecr/repository:*", "imageTagMutability", _to("MUTABLE")),
    Weakening(
        C.SUPPLY_CHAIN, "images not scanned", "aws:ecr/repository:*", "imageScanningConfiguration.scanOnPush", _off
    ),
    Weakening(
        C.SUPPLY_CHAIN,
        "tags may be moved on Google Cloud",
        "gcp:artifactregistry/repository:*",
        "dockerConfig.immutableTags",
        _off,
    ),
    Weakening(
        C.SUPPLY_CHAIN,
        "another image for nodes",
        "gcp:container/nodePool:*",
        "nodeConfig.imageType",
        _to("UBUNTU_CONTAINERD"),
    ),
    Weakening(C.SUPPLY_CHAIN, "newest image", _POD, f"{_CONTAINER}.image", _to("nvidia/cuda:latest")),
    Weakening(C.SUPPLY_CHAIN, "newest chart", "kubernetes:helm.sh/v3:Release", "version"),
    # Tags
    Weakening(C.TAGS, "tag dropped", "aws:*", "tags", _tagless),
    Weakening(C.TAGS, "label dropped", "gcp:*", "labels", _tagless),
    Weakening(C.TAGS, "label of the cluster dropped", "gcp:container/cluster:*", "resourceLabels", _tagless),
)
