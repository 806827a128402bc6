"""Residency on AWS."""

from __future__ import annotations

import re
from typing import Final

from penstock.aws.types import (
    BACKUP_VAULT,
    BEDROCK_AGENT_AGENT,
    BEDROCK_AGENT_PROMPT,
    BEDROCK_GUARDRAIL,
    DYNAMODB_TABLE,
    EBS_SNAPSHOT_COPY,
    EC2_AMI_COPY,
    S3_BUCKET,
    S3_BUCKET_REPLICATION_CONFIG,
    SECRETSMANAGER_SECRET,
)
from penstock.graph.property_path import Location
from penstock.graph.values import Secret, Unknown
from penstock.graph.verdict import NOT_APPLICABLE, UNKNOWN, NotKnown, Verdict, each
from penstock.graph.view import Block, View
from penstock.policies.geography import Within, judge_place, limits_places
from penstock.rules.checks import All, ByType
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.RESIDENCY)

_PROVIDER: Final = "pulumi:providers:aws"
_RULES_OF_REPLICATION: Final = {S3_BUCKET_REPLICATION_CONFIG: "rules", S3_BUCKET: "replicationConfiguration.rules"}


@RULES.rule(
    on=("aws:*", _PROVIDER),
    severity=HIGH,
    rationale=(
        "Data that was promised to one part of the world lies under the law of another; taking it back means moving "
        "it, and informing those whom it is about."
    ),
    fix="Set region of the provider (aws:region in the stack file) to an allowed one, and leave region of the resource "
    "out; a resource elsewhere is replaced, so copy its data first.",
)
def aws_region_allowlist(it: View, settings: Settings) -> Verdict:
    """The region of a provider is allowed, and that of a resource which names one of its own."""
    if not limits_places(settings):
        return NOT_APPLICABLE
    region = it.text("region")
    if region:
        return judge_place("aws", region, "region", settings)
    if it.type != _PROVIDER and it.resource.provider_urn in it.site.graph.resources:
        return NOT_APPLICABLE  # it lies where its provider does, which is reported there once
    raise NotKnown


@RULES.rule(
    on=(S3_BUCKET_REPLICATION_CONFIG, S3_BUCKET),
    joins=True,
    severity=HIGH,
    rationale="Every object is copied out of the part of the world that it was promised to, as soon as it is written.",
    fix="Let rules[].destination.bucket be a bucket in an allowed region; delete what was copied already, which the "
    "rule does not do.",
)
def aws_s3_replication_dest(it: View, settings: Settings) -> Verdict:
    """Objects of a bucket are replicated to buckets in allowed regions only."""
    if not limits_places(settings):
        return NOT_APPLICABLE
    rules = _RULES_OF_REPLICATION[it.type]
    path = f"{rules}[].destination.bucket"
    wanted = sum(place.value is not None for place in it.locations(path))
    targets = it.found(path, S3_BUCKET)
    said = each(targets, lambda bucket: judge_place("aws", region_of(bucket), path, settings))
    if not said.failures and len(targets) < wanted:
        raise NotKnown
    return said


RULES.row(
    "aws-ecr-replication-dest",
    "Images of the registry are replicated to allowed regions only.",
    on="aws:ecr/replicationConfiguration:ReplicationConfiguration",
    check=Within("aws", "replicationConfiguration.rules[].destinations[].region"),
    severity=HIGH,
    rationale="Images with models in their layers lie under the law of another part of the world.",
    fix="Set replicationConfiguration.rules[].destinations[].region to allowed regions; delete the copies elsewhere.",
)


@RULES.rule(
    on="aws:backup/plan:Plan",
    joins=True,
    severity=MEDIUM,
    rationale="Every backup leaves the part of the world that its data was promised to, and stays away for years.",
    fix="Set rules[].copyActions[].destinationVaultArn to a vault in an allowed region.",
)
def aws_backup_copy_dest(plan: View, settings: Settings) -> Verdict:
    """A backup plan copies to vaults in allowed regions only."""
    if not limits_places(settings):
        return NOT_APPLICABLE
    copies = [copy for rule in plan.blocks("rules") for copy in rule.blocks("copyActions")]

    def one(copy: Block) -> Verdict:
        vaults = copy.found("destinationVaultArn", BACKUP_VAULT)
        place = region_of(vaults[0]) if vaults else copy.text("destinationVaultArn") or ""
        return judge_place("aws", place, copy.at("destinationVaultArn"), settings)

    return each(copies, one)


RULES.row(
    "aws-snapshot-copy",
    "Snapshots and images are copied from allowed regions only.",
    on=(EBS_SNAPSHOT_COPY, EC2_AMI_COPY),
    check=ByType(
        {
            EBS_SNAPSHOT_COPY: Within("aws", "sourceRegion"),
            EC2_AMI_COPY: Within("aws", "sourceAmiRegion"),
        }
    ),
    severity=MEDIUM,
    rationale="What is copied lies in a region where no data may be, and stays there.",
    fix="Copy from an allowed region (sourceRegion, sourceAmiRegion), and delete the original elsewhere.",
)
RULES.row(
    "aws-secret-replica-dest",
    "A secret is replicated to allowed regions only.",
    on=SECRETSMANAGER_SECRET,
    check=Within("aws", "replicas[].region"),
    severity=MEDIUM,
    rationale="A key that opens the data can be demanded where the data must not lie.",
    fix="Set replicas[].region to allowed regions.",
)
RULES.row(
    "aws-efs-replication-dest",
    "A file system is replicated to an allowed region.",
    on="aws:efs/replicationConfiguration:ReplicationConfiguration",
    check=All(Within("aws", "destination.region"), Within("aws", "destination.availabilityZoneName")),
    severity=HIGH,
    rationale="Every file is copied out of the part of the world that it was promised to, within minutes.",
    fix="Set destination.region to an allowed region; a copy elsewhere stays until somebody deletes it.",
)
RULES.row(
    "aws-dynamodb-replica-dest",
    "A table has replicas in allowed regions only.",
    on=(DYNAMODB_TABLE, "aws:dynamodb/globalTable:GlobalTable"),
    check=Within("aws", "replicas[].regionName"),
    severity=HIGH,
    rationale="Every item is copied out of the part of the world that it was promised to, within a second.",
    fix="Set replicas[].regionName to allowed regions; removing a replica deletes that copy.",
)

_SPREAD: Final = re.compile(r"(?:arn:[^:]*:bedrock:[^:]*:[^:]*:(?:inference|guardrail)-profile/)?([a-z-]+)\..+")
"""A profile that AWS defines, by the part of the world in its name: eu.anthropic.claude-sonnet-4, us.guardrail.v1:0."""
_PARTS: Final = ("global", "us", "us-gov", "eu", "apac", "jp", "au", "ca")
"""The parts of the world that have profiles (aws/aws-cdk, CrossRegionInferenceProfileRegion; ca from memory). For some
models eu takes in London and Zurich, so that it is undetermined whether prompts stay in the EU.
"""
_MODELS: Final = {
    "aws:bedrock/inferenceProfile:InferenceProfile": "modelSource.copyFrom",
    BEDROCK_AGENT_AGENT: "foundationModel",
    BEDROCK_AGENT_PROMPT: "variants[].modelId",
    BEDROCK_GUARDRAIL: "crossRegionConfig.guardrailProfileIdentifier",
}


@RULES.rule(
    on=tuple(_MODELS),
    severity=HIGH,
    rationale="Prompts and answers go to whichever region has room, under the law of another part of the world.",
    fix="Name the model itself, or a profile of the allowed part of the world; where its regions were looked up, add "
    "its name, such as eu, to allowed_regions.",
)
def aws_bedrock_profile_dest(it: View, settings: Settings) -> Verdict:
    """A profile of Bedrock spreads prompts over allowed regions only."""
    if not limits_places(settings):
        return NOT_APPLICABLE

    def one(place: Location) -> Verdict:
        if isinstance(place.value, Unknown | Secret):
            return UNKNOWN
        match = _SPREAD.fullmatch(str(place.value or ""))
        if match is None or match[1] not in _PARTS:
            return NOT_APPLICABLE  # a model of the region itself, or a profile that the program makes
        return judge_place("aws", match[1], place.path, settings)

    return each(it.locations(_MODELS[it.type]), one)


def region_of(it: View) -> str:
    """The region of a resource of AWS: its own, or that of its provider.

    Raises:
        NotKnown: neither the resource nor its provider names one.
    """
    region = it.text("region") or it.provider.text("region")
    if not region:
        raise NotKnown
    return region
