"""Services that keep names, images and tags: what they hold of what a program needs."""

from __future__ import annotations

from penstock.aws.preflight.account import AwsAccount, AwsRefused
from penstock.aws.types import SECRETSMANAGER_SECRET
from penstock.core.wording import listed
from penstock.preconditions.need import FreeNameNeed, NamedNeed, NamesNeed
from penstock.preflight.inquiry import Reply, met, not_asked, not_met
from penstock.preflight.reach import reached


def answer_image(account: AwsAccount, need: NamedNeed) -> Reply | None:
    """Return whether a repository of ECR has an image or a chart; None for registries elsewhere."""
    host, _, rest = need.word("address").partition("/")
    if ".dkr.ecr" not in host:
        return None
    name, at, digest = rest.partition("@")
    repository, colon, tag = name.partition(":")
    image = {"imageDigest": digest} if at else {"imageTag": tag if colon else "latest"}
    try:
        details = account.call(
            "ecr",
            "describe_images",
            host.split(".")[3],
            registryId=host.split(".")[0],
            repositoryName=repository,
            imageIds=[image],
        )["imageDetails"]
    except AwsRefused as refusal:
        if refusal.code in ("ImageNotFoundException", "RepositoryNotFoundException"):
            return not_met(refusal.message)
        return refusal.reply()
    return met(f"Pushed {details[0]['imagePushedAt']:%Y-%m-%d}.") if details else not_met("There is none.")


def answer_tags(account: AwsAccount, need: NamesNeed) -> Reply:
    """Return whether tags are active cost allocation tags; only the payer of an organisation sees that."""
    try:
        found = account.call("ce", "list_cost_allocation_tags", TagKeys=list(need.names))["CostAllocationTags"]
    except AwsRefused as refusal:
        return refusal.reply()
    active = {each["TagKey"] for each in found if each["Status"] == "Active"}
    missing = [name for name in need.names if name not in active]
    return not_met(f"Not active: {listed(missing)}.") if missing else met("Active.")


def answer_free_name(account: AwsAccount, need: FreeNameNeed) -> Reply | None:
    """Return whether no secret has a name, also none that waits for its deletion."""
    if need.type != SECRETSMANAGER_SECRET:
        return None
    try:
        secret = account.call("secretsmanager", "describe_secret", need.scope, SecretId=need.name)
    except AwsRefused as refusal:
        if refusal.code == "ResourceNotFoundException":
            return met("No secret has it.")
        return refusal.reply()
    if secret.get("DeletedDate"):
        return not_met(f"A secret with it was deleted on {secret['DeletedDate']:%Y-%m-%d}, and still has it.")
    return not_met("A secret has it: this stack's own, or another.", "Nothing if it is this stack's; else import it.")


def answer_endpoint(account: AwsAccount, need: NamedNeed) -> Reply | None:
    """Return whether the endpoint of a cluster that exists takes connections from here."""
    if not need.word("name"):
        return not_asked("The program creates the cluster: there is no endpoint yet.")
    try:
        cluster = account.call("eks", "describe_cluster", need.word("place"), name=need.word("name"))["cluster"]
    except AwsRefused as refusal:
        if refusal.code == "ResourceNotFoundException":
            return not_met(refusal.message)
        return refusal.reply()
    return reached(str(cluster.get("endpoint") or ""))
