"""Supply chain on AWS."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from typing import Any

from penstock.aws.facts.machines import AwsMachine
from penstock.aws.model.ec2 import Ec2Pool, accelerators_of
from penstock.aws.model.launch_templates import template_of
from penstock.aws.policies.containers import NoContainer
from penstock.aws.types import (
    APPRUNNER_SERVICE,
    BATCH_JOB_DEFINITION,
    BEDROCK_AGENTCORE_AGENT_RUNTIME,
    EC2_INSTANCE,
    EC2_LAUNCH_CONFIGURATION,
    EC2_LAUNCH_TEMPLATE,
    EC2_SPOT_FLEET_REQUEST,
    EC2_SPOT_INSTANCE_REQUEST,
    ECR_REPOSITORY,
    ECS_EXPRESS_GATEWAY_SERVICE,
    ECS_TASK_DEFINITION,
    EKS_NODE_GROUP,
    LAMBDA_FUNCTION,
    SAGEMAKER_MODEL,
    SAGEMAKER_NOTEBOOK_INSTANCE_LIFECYCLE_CONFIGURATION,
    SAGEMAKER_STUDIO_LIFECYCLE_CONFIG,
    SAGEMAKER_TRAINING_JOB,
)
from penstock.catalog import machines
from penstock.graph.values import Unknown
from penstock.graph.verdict import NOT_APPLICABLE, PASS, UNKNOWN, NotKnown, Verdict, allow, each
from penstock.graph.view import Block, View
from penstock.policies import downloads
from penstock.policies.downloads import PinnedDownloads
from penstock.rules.checks import All, ByType, Custom, Either, Given, Is, IsNot, OneOf, Unlike, Where
from penstock.rules.levels import LOW, MEDIUM, Category
from penstock.rules.remedies import set_to
from penstock.rules.rule import RuleSet
from penstock.rules.settings import Settings

RULES = RuleSet(Category.SUPPLY_CHAIN)

_REGISTRY_SCANNING = "aws:ecr/registryScanningConfiguration:RegistryScanningConfiguration"

_MOVING = r"resolve:ssm:(?!.*:\d+$).*"
"""A parameter without a version: what it names may change."""

_ACCELERATED_AMIS = ("NVIDIA", "NEURON", "GPU")

RULES.row(
    "aws-ecr-immutable",
    "A tag of a registry always names the same image.",
    on=ECR_REPOSITORY,
    check=All(
        OneOf("imageTagMutability", ("IMMUTABLE", "IMMUTABLE_WITH_EXCLUSION")),
        Where(
            Is("imageTagMutability", "IMMUTABLE_WITH_EXCLUSION"),
            IsNot("imageTagMutabilityExclusionFilters[].filter", "*"),
        ),
    ),
    severity=MEDIUM,
    rationale="Whoever can push moves the tag that production pulls to an image of theirs, and no declaration changes.",
    fix="Set imageTagMutability to IMMUTABLE, and give each build a tag of its own.",
    peers="CKV_AWS_51 AWS-0031 KICS:d1846b12",
)


def _scanned_by_registry(it: View, _: Settings) -> Verdict:
    def one(configuration: View) -> Verdict:
        rules = [rule for rule in configuration.blocks("rules") if rule.text("scanFrequency") != "MANUAL"]
        return allow(not any(_covers(rule, it) for rule in rules), "it is scanned")

    said = each(it.site.of_type(_REGISTRY_SCANNING), one)
    if said.failures:
        return PASS
    return said if said == UNKNOWN else NOT_APPLICABLE


def _covers(rule: Block, repository: View) -> bool:
    """Return whether a rule of the registry covers a repository; a filter without a star matches anywhere in a name."""
    filters = [which.text("filter") or "" for which in rule.blocks("repositoryFilters")]
    if "*" in filters:
        return True
    name = repository.text("name") or repository.outputs.text("name")
    if filters and name is None:
        raise NotKnown
    return any(fnmatchcase(name or "", pattern if "*" in pattern else f"*{pattern}*") for pattern in filters)


RULES.row(
    "aws-ecr-scan",
    "Images are scanned for known holes when they are pushed.",
    on=ECR_REPOSITORY,
    check=Either(Is("imageScanningConfiguration.scanOnPush", value=True), Custom(_scanned_by_registry, others=True)),
    severity=MEDIUM,
    rationale=(
        "An image of CUDA and Python has hundreds of packages, and nobody hears of the one that lets strangers in."
    ),
    fix="Set imageScanningConfiguration.scanOnPush to true, or scan the whole registry by a "
    "RegistryScanningConfiguration.",
    peers="CKV_AWS_163 AWS-0030 KICS:9630336b",
    cis=("EKS 1.8: 5.1.1",),
    remedy=set_to("imageScanningConfiguration.scanOnPush", value=True),
)


@RULES.rule(
    on=EKS_NODE_GROUP,
    joins=True,
    severity=LOW,
    rationale=(
        "The driver is otherwise fetched from elsewhere at the first boot, in whatever version is the newest that day."
    ),
    fix="Set amiType to AL2023_x86_64_NVIDIA or a BOTTLEROCKET type with NVIDIA, or imageId in the LaunchTemplate "
    "(another amiType replaces the group).",
)
def aws_eks_ami_pinned(it: View, _: Settings) -> Verdict:
    """A node group with GPUs starts from an image of EKS that has their drivers, or from one that is named."""
    if not _has_gpus(it):
        return NOT_APPLICABLE
    kind = it.text("amiType")
    if kind is not None and any(word in kind for word in _ACCELERATED_AMIS):
        return PASS
    held = template_of(it)
    named = held is not None and "imageId" in held
    subject = f"amiType is {kind}, which" if kind else "amiType is not set, and the usual image"
    return allow(named, f"{subject} has no drivers", path="amiType")


def _has_gpus(group: View) -> bool:
    """Return whether a node group starts machines with GPUs of NVIDIA or AMD, and not with AWS' own chips alone."""
    names = [named.name for named in Ec2Pool(group, group).machine_types()]
    return any(
        accelerators_of(name) and machines.find_machine(name, AwsMachine).accelerator_kind == "gpu" for name in names
    )


RULES.row(
    "aws-lt-ami-owner",
    "Machines start from an image that is named, and not from whatever is the newest.",
    on=(EC2_LAUNCH_TEMPLATE, EC2_INSTANCE),
    check=ByType(
        {
            EC2_LAUNCH_TEMPLATE: Where(Given("imageId"), Unlike("imageId", _MOVING)),
            EC2_INSTANCE: Where(Given("ami"), Unlike("ami", _MOVING)),
        }
    ),
    severity=LOW,
    rationale=(
        "A parameter that names the latest image starts another one each time: a bad build is in production by itself."
    ),
    fix="Name the image by its id, or end the parameter with a version: resolve:ssm:/example/ami:7; an instance is "
    "replaced if its image is another.",
    peers="AWS-0344",
)

_MOVING_IMAGE = r"[^@]*:latest|(?:[^@]*/)?[^:@/]+"
"""An image without a version: latest, or no tag, which means the same."""


def _complains_of_image(container: dict[str, Any]) -> str | None:
    image = container["image"]
    if isinstance(image, Unknown):
        raise NotKnown
    return f"the image {image}" if re.fullmatch(_MOVING_IMAGE, image) else None


_IMAGES = {
    APPRUNNER_SERVICE: Unlike("sourceConfiguration.imageRepository.imageIdentifier", _MOVING_IMAGE),
    BATCH_JOB_DEFINITION: All(
        NoContainer("containerProperties", _complains_of_image),
        NoContainer("ecsProperties", _complains_of_image),
        NoContainer("nodeProperties", _complains_of_image),
    ),
    BEDROCK_AGENTCORE_AGENT_RUNTIME: Unlike("agentRuntimeArtifact.containerConfiguration.containerUri", _MOVING_IMAGE),
    ECS_EXPRESS_GATEWAY_SERVICE: Unlike("primaryContainer.image", _MOVING_IMAGE),
    ECS_TASK_DEFINITION: NoContainer("containerDefinitions", _complains_of_image),
    LAMBDA_FUNCTION: Unlike("imageUri", _MOVING_IMAGE),
    SAGEMAKER_MODEL: All(Unlike("primaryContainer.image", _MOVING_IMAGE), Unlike("containers[].image", _MOVING_IMAGE)),
    SAGEMAKER_TRAINING_JOB: Unlike("algorithmSpecification.trainingImage", _MOVING_IMAGE),
}

RULES.row(
    "aws-image-no-latest",
    "A task, a job, a model or an agent names the version of its image.",
    on=tuple(_IMAGES),
    check=ByType(_IMAGES),
    severity=MEDIUM,
    rationale=(
        "What latest is changes with every push: one start of a model runs other code than the next, and nobody can go "
        "back."
    ),
    fix="Put the tag of a release into the name of the image, or better its digest.",
)

_BOOTS = {
    EC2_LAUNCH_TEMPLATE: PinnedDownloads("userData"),
    EC2_INSTANCE: All(PinnedDownloads("userData"), PinnedDownloads("userDataBase64")),
    EC2_SPOT_INSTANCE_REQUEST: All(PinnedDownloads("userData"), PinnedDownloads("userDataBase64")),
    EC2_LAUNCH_CONFIGURATION: All(PinnedDownloads("userData"), PinnedDownloads("userDataBase64")),
    EC2_SPOT_FLEET_REQUEST: PinnedDownloads("launchSpecifications[].userData"),
    SAGEMAKER_NOTEBOOK_INSTANCE_LIFECYCLE_CONFIGURATION: All(PinnedDownloads("onCreate"), PinnedDownloads("onStart")),
    SAGEMAKER_STUDIO_LIFECYCLE_CONFIG: PinnedDownloads("studioLifecycleConfigContent"),
}

RULES.row(
    "aws-boot-download-pinned",
    "What a machine downloads as it starts is pinned.",
    on=tuple(_BOOTS),
    check=ByType(_BOOTS),
    severity=LOW,
    rationale=downloads.RATIONALE,
    fix=downloads.FIX,
)
