"""Names that must be unique, and tags, on whatever has them."""

from __future__ import annotations

from penstock.aws.rules import firewalls
from penstock.aws.types import (
    CLOUDWATCH_LOG_GROUP,
    EC2_LAUNCH_TEMPLATE,
    EC2_PLACEMENT_GROUP,
    EC2_SECURITY_GROUP,
    ECR_REPOSITORY,
    EKS_CLUSTER,
    EKS_NODE_GROUP,
    IAM_INSTANCE_PROFILE,
    IAM_POLICY,
    IAM_ROLE,
    KMS_ALIAS,
    RDS_INSTANCE,
    RDS_SUBNET_GROUP,
    S3_BUCKET,
)
from penstock.catalog import limits
from penstock.graph.verdict import NOT_APPLICABLE, NotKnown, Verdict, allow, each, fail
from penstock.graph.view import Site, View
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet
from penstock.rules.taken_names import Called, first_of_each

RULES = RuleSet(Category.PROVIDER)

_NAMES = {
    KMS_ALIAS: "name",
    S3_BUCKET: "bucket",
    EKS_CLUSTER: "name",
    RDS_INSTANCE: "identifier",
    RDS_SUBNET_GROUP: "name",
    IAM_INSTANCE_PROFILE: "name",
    EC2_LAUNCH_TEMPLATE: "name",
    CLOUDWATCH_LOG_GROUP: "name",
    EKS_NODE_GROUP: "nodeGroupName",
    EC2_PLACEMENT_GROUP: "name",
    IAM_POLICY: "name",
    ECR_REPOSITORY: "name",
    IAM_ROLE: "name",
    EC2_SECURITY_GROUP: "name",
}
"""Where each type takes the name that nothing else of its kind may have."""


@RULES.rule(
    on=tuple(_NAMES),
    severity=HIGH,
    rationale="AWS rejects the second resource with EntityAlreadyExists, BucketAlreadyOwnedByYou or a similar error.",
    fix="Set another name, or leave the name out so that Pulumi generates a unique one.",
    joins=True,
    sources=("the services' APIs: EntityAlreadyExists, BucketAlreadyOwnedByYou and the like",),
)
def aws_name_unique(resource: View) -> Verdict:
    """No two resources of a kind share a name in one account and region; bucket names are unique everywhere."""
    path = _NAMES[resource.type]
    if path not in resource or not resource.text(path):
        return NOT_APPLICABLE
    called = _called(resource)
    first = resource.site.once(_first)[called]
    return allow(
        first == resource.urn,
        f"{resource.site.graph[first].name} already has the name {resource.text(path)}",
        hint="Use another name, or none: Pulumi then generates a unique one.",
        path=path,
    )


@RULES.rule(
    on="aws:*",
    severity=HIGH,
    rationale="AWS rejects more tags, longer keys or values, and keys with the reserved prefix.",
    fix="Use at most 50 tags, and shorten or rename their keys and values in tags.",
    sources=("EC2 user guide, tag restrictions", "IAM user guide, tag restrictions"),
)
def aws_tag_limits(resource: View) -> Verdict:
    """A resource has at most 50 tags, with keys and values of limited length and no key that starts with aws:."""
    tags = resource.block("tags")
    found = list(tags or ())
    if tags is None or not found:
        return NOT_APPLICABLE
    most, longest, widest = (
        limits.find_limit(name, "aws").most for name in ("tags", "tag_key_characters", "tag_value_characters")
    )
    if len(found) > most:
        return fail(f"{len(found)} tags; AWS allows {most}", hint="Leave some out.", path="tags")

    def check(key: str) -> Verdict:
        if key.lower().startswith("aws:") or not 0 < len(key) <= longest:
            hint = f"Use 1 to {longest} characters that do not start with aws:."
            return fail(f"{key[:longest]!r} is not a valid tag key", hint=hint, path="tags")
        length = len(tags.text(key) or "")
        hint = f"Use at most {widest} characters."
        return allow(
            length <= widest,
            f"the tag value has {length} characters; AWS allows {widest}",
            hint=hint,
            path=tags.at(key),
        )

    return each(found, check)


def _called(resource: View) -> Called:
    """Return the scope in which a name is unique: the type, the place and the parent."""
    name = resource.text(_NAMES[resource.type])
    if name is None:
        raise NotKnown
    if resource.type == S3_BUCKET:
        return resource.type, name
    place = resource.resource.provider_urn, resource.text("region") or ""
    owner = ""
    if resource.type == EC2_SECURITY_GROUP:
        owner = firewalls.network(resource) if "vpcId" in resource else "default"
    if resource.type == EKS_NODE_GROUP:
        clusters = resource.found("clusterName", EKS_CLUSTER)
        owner = clusters[0].urn if clusters else resource.text("clusterName") or ""
    return resource.type, *place, owner, name


def _first(site: Site) -> dict[Called, str]:
    return first_of_each(site.of_type(*_NAMES), _called)
