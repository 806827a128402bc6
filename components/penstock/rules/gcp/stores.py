"""Stores of secrets and of images: Secret Manager and Artifact Registry."""

from __future__ import annotations

from penstock.catalog import limits
from penstock.catalog.gcp import multi_regions
from penstock.resources.verdict import NOT_APPLICABLE, Verdict, allow, each, fail
from penstock.resources.view import Block, View
from penstock.rules.gcp import places
from penstock.rules.gcp.types import REPOSITORY, SECRET
from penstock.rules.rule import rule
from penstock.wording import listed

_SECRET = "Secret Manager API v1, discovery document, Secret"  # noqa: S105 - no password
_REPOSITORY = "Pulumi Google Cloud 10.2, artifactregistry.Repository"
_MODES = {"VIRTUAL_REPOSITORY": "virtualRepositoryConfig", "REMOTE_REPOSITORY": "remoteRepositoryConfig"}
_OF_FORMAT = {"dockerConfig": "DOCKER", "mavenConfig": "MAVEN"}


@rule("GCP-SECRET-001", on=SECRET, source=f"{_SECRET}.replication")
def a_secret_is_copied_in_one_way(secret: View) -> Verdict:
    """A secret is copied where Google likes, or to places that one names, and not both."""
    replication = secret.block("replication")
    if replication is None:
        return NOT_APPLICABLE
    given = [key for key in ("auto", "userManaged") if key in replication]
    hint = "Keep one of auto and userManaged."
    message = "the secret is to be copied in two ways" if given else "the secret is to be kept nowhere"
    return allow(len(given) == 1, message, hint=hint, path="replication")


@rule("GCP-SECRET-002", on=SECRET, source=f"{_SECRET}.replication: locations of replicas")
def copies_are_in_regions_that_differ(secret: View) -> Verdict:
    """Copies of a secret are in regions that exist, one in each."""
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
            return fail(f"{location!r} is no region of Google Cloud", hint=hint, path=path)
        twice = location in seen
        seen.add(location)
        return allow(not twice, f"there is a copy in {location} already", hint="Leave one of the two out.", path=path)

    return each(managed.blocks("replicas"), check)


@rule("GCP-SECRET-003", on=SECRET, source=f"{_SECRET}.rotation and topics")
def whoever_rotates_a_secret_hears_of_it(secret: View) -> Verdict:
    """A secret that is to be rotated names a topic, by which somebody hears that it is time; ten at most."""
    if "rotation" not in secret and not secret.count("topics"):
        return NOT_APPLICABLE
    count, most = secret.count("topics"), limits.find_limit("secret_topics", "gcp").most
    if count > most:
        return fail(f"{count} topics are named, where {most} are allowed", hint="Leave some out.", path="topics")
    message = "Secret Manager rotates nothing itself: it tells a topic that it is time, and none is named"
    return allow("rotation" not in secret or count, message, hint="Name a Pub/Sub topic in topics.", path="topics")


@rule("GCP-SECRET-004", on=SECRET, source=f"{_SECRET}.ttl and expireTime")
def a_secret_ends_once(secret: View) -> Verdict:
    """A secret ends at a time or after a time, and not both."""
    given = [key for key in ("expireTime", "ttl") if secret.text(key)]
    if not given:
        return NOT_APPLICABLE
    return allow(len(given) == 1, "the secret has two ends", hint="Keep one of expireTime and ttl.", path="ttl")


@rule("GCP-AR-001", on=REPOSITORY, source=f"{_REPOSITORY}, location")
def a_repository_is_where_repositories_can_be(repository: View) -> Verdict:
    """A repository is in a region that exists, or in us, europe or asia, and in no zone."""
    location = repository.text("location")
    if location is None:
        return NOT_APPLICABLE
    several = multi_regions.multi_region_names("artifactregistry")
    known = location in several or (places.is_region(location) and places.exists(location))
    hint = f"Use {places.region_of(location) or 'a region such as us-central1'}, or one of {listed(several)}."
    return allow(known, f"{location!r} is no location of repositories", hint=hint, path="location")


@rule("GCP-AR-002", on=REPOSITORY, source=f"{_REPOSITORY}, mode")
def a_mode_says_what_it_serves(repository: View) -> Verdict:
    """A repository that serves others says which; a standard one does not."""
    mode = repository.text("mode") or "STANDARD_REPOSITORY"
    wanted, given = _MODES.get(mode), [key for key in _MODES.values() if key in repository]
    if wanted is None and not given:
        return NOT_APPLICABLE
    if wanted is not None and wanted not in given:
        return fail(f"a repository of mode {mode} needs {wanted}", hint=f"Add {wanted}.", path=wanted)
    strange = [key for key in given if key != wanted]
    message = f"{listed(strange)} does not belong to mode {mode}"
    return allow(not strange, message, hint="Leave it out, or change the mode.", path=strange[0] if strange else "")


@rule("GCP-AR-003", on=REPOSITORY, source=f"{_REPOSITORY}, docker_config and maven_config")
def settings_are_those_of_the_format(repository: View) -> Verdict:
    """Settings of images or of Maven packages stand in a repository of that format."""
    form = (repository.text("format") or "").upper()
    given = [key for key in _OF_FORMAT if key in repository]
    if not given:
        return NOT_APPLICABLE
    strange = [key for key in given if _OF_FORMAT[key] != form]
    message = f"{listed(strange)} does not belong to format {form}"
    return allow(not strange, message, hint="Leave it out.", path=strange[0] if strange else "")
