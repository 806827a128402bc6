"""Weakens a platform one property at a time, as a careless change would: each way of it is told by what it does.

The table speaks of what a change undoes, and knows nothing of rules: whether one notices is what the test finds out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Any

from penstock.resources.graph import Graph, Resource
from penstock.resources.values import Secret, Unknown
from penstock_policies.rule import Concern

WORLD = "0.0.0.0/0"
ACCOUNT = "123456789012"
TOKEN = "hf_" + "aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA3b"
"""A text of the form of an access token."""

Change = Callable[[Any], Any]


@dataclass(frozen=True)
class Weakening:
    """What a change does to resources whose type is like `types`: to the value at a path, or to the whole of them.

    One that `adds` sets what was not given, too; one without a `change` removes.
    """

    concern: Concern
    name: str
    types: str
    path: str = ""
    change: Change | None = None
    adds: bool = False

    def __str__(self) -> str:
        return f"{self.concern.value}: {self.name}"


def weakened(graph: Graph, weakening: Weakening) -> Iterator[tuple[Resource, Graph]]:
    """The Graph with each resource in its turn weakened, and which it is; without it where the change has no path."""
    for resource in graph:
        if not fnmatchcase(resource.type, weakening.types) or resource.external:
            continue
        if not weakening.path:
            rest = {urn: each for urn, each in graph.resources.items() if urn != resource.urn}
            yield resource, replace(graph, resources=rest)
            continue
        inputs = deepcopy(dict(resource.inputs))
        if _changed(inputs, weakening.path.split("."), weakening):
            top = re.split(r"[.\[]", weakening.path)[0]
            sources = {key: urns for key, urns in resource.property_dependencies.items() if key != top}
            weaker = replace(resource, inputs=inputs, property_dependencies=sources)
            yield resource, replace(graph, resources={**graph.resources, resource.urn: weaker})


def unprotected(graph: Graph) -> Iterator[tuple[Resource, Graph]]:
    """The Graph with each protected resource in its turn left unprotected."""
    for resource in graph:
        if resource.options.protect:
            weaker = replace(resource, options=replace(resource.options, protect=False))
            yield resource, replace(graph, resources={**graph.resources, resource.urn: weaker})


def _changed(block: Any, steps: Sequence[str], weakening: Weakening) -> bool:
    """Changes the first value at a path, in place; whether there was one that the change makes another."""
    head, *rest = steps
    name = head.removesuffix("[]")
    if not isinstance(block, dict):
        return False
    if head != name:
        items = block.get(name) or []
        return any(_changed(item, rest, weakening) for item in items) if rest else _item_changed(items, weakening)
    if rest:
        return _changed(block.get(name), rest, weakening)
    old = block.get(name)
    if (old is None and not weakening.adds) or isinstance(old, Unknown | Secret):
        return False
    new = weakening.change(old) if weakening.change else None
    block[name] = new
    return bool(new != old)


def _item_changed(items: list[Any], weakening: Weakening) -> bool:
    if items and weakening.change:
        items[0] = weakening.change(items[0])
    return bool(items)


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


C = Concern
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
    Weakening(C.AT_REST, "shared files in clear", "aws:efs/fileSystem:*", "encrypted", _off),
    Weakening(C.AT_REST, "database in clear", "aws:rds/instance:*", "storageEncrypted", _off),
    Weakening(
        C.AT_REST,
        "repository with the cloud's key",
        "aws:ecr/repository:*",
        "encryptionConfigurations[].encryptionType",
        _to("AES256"),
    ),
    Weakening(C.AT_REST, "bucket without its encryption", "aws:s3/bucketServerSideEncryptionConfiguration:*"),
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
    Weakening(C.SEGMENTATION, "ingress from anywhere", "aws:vpc/securityGroupIngressRule:*", "cidrIpv4", _to(WORLD)),
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
        "gcp:container/cluster:*",
        "privateClusterConfig.enablePrivateNodes",
        _off,
    ),
    Weakening(
        C.SEGMENTATION,
        "GKE endpoint open to the world",
        "gcp:container/cluster:*",
        "masterAuthorizedNetworksConfig.cidrBlocks",
        _to([{"cidrBlock": WORLD}]),
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
    ),
    Weakening(C.IDENTITY, "bucket for everybody", "gcp:storage/bucketIAMMember:*", "member", _to("allUsers")),
    Weakening(
        C.IDENTITY,
        "no integrity monitoring",
        "gcp:container/nodePool:*",
        "nodeConfig.shieldedInstanceConfig.enableIntegrityMonitoring",
        _off,
    ),
    Weakening(C.IDENTITY, "privileged container", _POD, f"{_CONTAINER}.securityContext", _to({"privileged": True})),
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
    Weakening(C.SECRETS, "password of one's own", "aws:rds/instance:*", "manageMasterUserPassword", _to(False)),
    Weakening(
        C.SECRETS, "secret gone at once", "aws:secretsmanager/secret:*", "recoveryWindowInDays", _to(0), adds=True
    ),
    # Logging
    Weakening(C.LOGS, "no audit log", "aws:eks/cluster:*", "enabledClusterLogTypes", _without("audit")),
    Weakening(C.LOGS, "network without flow logs", "aws:ec2/flowLog:*"),
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
    # Residency
    Weakening(C.RESIDENCY, "bucket elsewhere", "gcp:storage/bucket:*", "location", _to("asia-east1")),
    Weakening(C.RESIDENCY, "cluster elsewhere", "gcp:container/cluster:*", "location", _to("asia-east1")),
    Weakening(C.RESIDENCY, "Lustre elsewhere", "gcp:lustre/instance:*", "location", _to("asia-east1-a")),
    Weakening(C.RESIDENCY, "secret everywhere", "gcp:secretmanager/secret:*", "replication", _to({"auto": {}})),
    Weakening(C.RESIDENCY, "provider elsewhere", "pulumi:providers:aws", "region", _to("ap-southeast-1")),
    # Cost
    Weakening(C.COST, "budget removed", "aws:budgets/budget:*"),
    Weakening(C.COST, "budget removed on Google Cloud", "gcp:billing/budget:*"),
    Weakening(C.COST, "a thousand nodes", "aws:eks/nodeGroup:*", "scalingConfig.maxSize", _to(1000)),
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
    Weakening(C.RESILIENCE, "cluster may be deleted", "aws:eks/cluster:*", "deletionProtection", _off),
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
    Weakening(C.TAGS, "label of nodes dropped", "gcp:container/nodePool:*", "nodeConfig.resourceLabels", _tagless),
)
