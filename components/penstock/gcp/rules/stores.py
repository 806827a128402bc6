"""Stores of secrets and of images: Secret Manager and Artifact Registry."""

from __future__ import annotations

from penstock.catalog import limits
from penstock.core.wording import listed
from penstock.gcp.facts import multi_regions
from penstock.gcp.model import places
from penstock.gcp.types import ARTIFACTREGISTRY_REPOSITORY, SECRETMANAGER_SECRET
from penstock.graph.verdict import NOT_APPLICABLE, Verdict, allow, each, fail
from penstock.graph.view import Block, View
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_MODES = {"VIRTUAL_REPOSITORY": "virtualRepositoryConfig", "REMOTE_REPOSITORY": "remoteRepositoryConfig"}
_OF_FORMAT = {"dockerConfig": "DOCKER", "mavenConfig": "MAVEN"}


@RULES.rule(
    on=SECRETMANAGER_SECRET,
    severity=HIGH,
    rationale="The API requires exactly one replication policy.",
    fix="Keep one of auto and userManaged in replication.",
    sources=("Secret Manager API v1, discovery document, Secret.replication",),
)
def gcp_secret_replication_mode(secret: View) -> Verdict:
    """A secret is replicated automatically or to locations of the user's choice, and not both."""
    replication = secret.block("replication")
    if replication is None:
        return NOT_APPLICABLE
    given = [key for key in ("auto", "userManaged") if key in replication]
    hint = "Keep one of auto and userManaged."
    message = "replication has both auto and userManaged" if given else "replication has neither auto nor userManaged"
    return allow(len(given) == 1, message, hint=hint, path="replication")


@RULES.rule(
    on=SECRETMANAGER_SECRET,
    severity=HIGH,
    rationale="Secret Manager rejects unknown locations and a location listed twice.",
    fix="Set location of each replica to a different region, such as us-central1.",
    sources=("Secret Manager API v1, discovery document, Secret.replication: locations of replicas",),
)
def gcp_secret_replica_regions(secret: View) -> Verdict:
    """Replicas of a secret are in regions that exist, at most one in each."""
    replication = secret.block("replication")
    managed = replication.block("userManaged") if replication is not None else None
    if managed is None:
        return NOT_APPLICABLE
    seen: set[str] = set()

    def check(replica: Block) -> Verdict:
        location = replica.text("location") or ""
        path = replica.at("location")
        if not places.is_region(location) or not places.exists(location):
            hint = "Use one such as us-central1."
            return fail(f"{location!r} is not a region of Google Cloud", hint=hint, path=path)
        twice = location in seen
        seen.add(location)
        return allow(not twice, f"a replica in {location} exists already", hint="Leave one of the two out.", path=path)

    return each(managed.blocks("replicas"), check)


@RULES.rule(
    on=SECRETMANAGER_SECRET,
    severity=HIGH,
    rationale=(
        "Secret Manager rotates nothing itself but notifies topics, and rejects a rotation schedule without a topic or "
        "more than ten topics."
    ),
    fix="Set topics to one to ten Pub/Sub topics.",
    sources=("Secret Manager API v1, discovery document, Secret.rotation and topics",),
)
def gcp_secret_rotation_topics(secret: View) -> Verdict:
    """A secret with a rotation schedule names a Pub/Sub topic, and has at most ten topics."""
    if "rotation" not in secret and not secret.count("topics"):
        return NOT_APPLICABLE
    count, most = secret.count("topics"), limits.find_limit("secret_topics", "gcp").most
    if count > most:
        return fail(f"{count} topics are set; Secret Manager allows {most}", hint="Leave some out.", path="topics")
    message = "Secret Manager only notifies a topic when rotation is due, and topics is empty"
    return allow("rotation" not in secret or count, message, hint="Name a Pub/Sub topic in topics.", path="topics")


@RULES.rule(
    on=SECRETMANAGER_SECRET,
    severity=HIGH,
    rationale="The API takes only one of the two.",
    fix="Keep one of expireTime and ttl.",
    sources=("Secret Manager API v1, discovery document, Secret.ttl and expireTime",),
)
def gcp_secret_expiry(secret: View) -> Verdict:
    """A secret expires at a time or after a duration, and not both."""
    given = [key for key in ("expireTime", "ttl") if secret.text(key)]
    if not given:
        return NOT_APPLICABLE
    return allow(len(given) == 1, "expireTime and ttl are both set", path="ttl")


@RULES.rule(
    on=ARTIFACTREGISTRY_REPOSITORY,
    severity=HIGH,
    rationale="Artifact Registry rejects other locations.",
    fix="Set location to a region such as us-central1, or to us, europe or asia.",
    sources=("Pulumi Google Cloud 10.2, artifactregistry.Repository, location",),
)
def gcp_ar_location(repository: View) -> Verdict:
    """A repository is in a region that exists or in us, europe or asia, and not in a zone."""
    location = repository.text("location")
    if location is None:
        return NOT_APPLICABLE
    several = multi_regions.multi_region_names("artifactregistry")
    known = location in several or (places.is_region(location) and places.exists(location))
    hint = f"Use {places.region_of(location) or 'a region such as us-central1'}, or one of {listed(several)}."
    return allow(known, f"{location!r} is not a repository location", hint=hint, path="location")


@RULES.rule(
    on=ARTIFACTREGISTRY_REPOSITORY,
    severity=HIGH,
    rationale="Artifact Registry rejects a mode without its configuration, and a configuration of another mode.",
    fix=(
        "Add virtualRepositoryConfig or remoteRepositoryConfig for the mode, or leave it out for a standard repository."
    ),
    sources=("Pulumi Google Cloud 10.2, artifactregistry.Repository, mode",),
)
def gcp_ar_mode_config(repository: View) -> Verdict:
    """A virtual or remote repository has the configuration of its mode, and a standard repository has neither."""
    mode = repository.text("mode") or "STANDARD_REPOSITORY"
    wanted, given = _MODES.get(mode), [key for key in _MODES.values() if key in repository]
    if wanted is None and not given:
        return NOT_APPLICABLE
    if wanted is not None and wanted not in given:
        return fail(f"a repository of mode {mode} needs {wanted}", hint=f"Add {wanted}.", path=wanted)
    strange = [key for key in given if key != wanted]
    message = f"{listed(strange)} does not belong to mode {mode}"
    return allow(not strange, message, hint="Leave it out, or change the mode.", path=strange[0] if strange else "")


@RULES.rule(
    on=ARTIFACTREGISTRY_REPOSITORY,
    severity=HIGH,
    rationale="Artifact Registry takes no settings of another format.",
    fix="Leave dockerConfig or mavenConfig out, or set format to DOCKER or MAVEN.",
    sources=("Pulumi Google Cloud 10.2, artifactregistry.Repository, docker_config and maven_config",),
)
def gcp_ar_format_config(repository: View) -> Verdict:
    """Docker or Maven settings are in a repository of that format."""
    form = (repository.text("format") or "").upper()
    given = [key for key in _OF_FORMAT if key in repository]
    if not given:
        return NOT_APPLICABLE
    strange = [key for key in given if _OF_FORMAT[key] != form]
    message = f"{listed(strange)} does not belong to format {form}"
    return allow(not strange, message, hint="Leave it out.", path=strange[0] if strange else "")
