"""Services that keep names and images, and clusters that exist: what they hold of what a program needs."""

from __future__ import annotations

from typing import Final
from urllib.parse import quote

from penstock.gcp.preflight.project import GoogleCloud, absent, reply_to
from penstock.gcp.types import KMS_KEY_RING, PROJECTS_IAM_CUSTOM_ROLE, SQL_DATABASE_INSTANCE
from penstock.graph.view import Site
from penstock.preconditions.need import FreeNameNeed, NamedNeed
from penstock.preflight.inquiry import Reply, met, not_asked, not_met
from penstock.preflight.reach import reached
from penstock.preflight.rest import Refused

_HOST: Final = "-docker.pkg.dev"
_ABSENT: Final = 404
_KEPT: Final = {
    KMS_KEY_RING: ("cloudkms", "v1/projects/{scope}/locations/{location}/keyRings/{name}"),
    SQL_DATABASE_INSTANCE: ("sqladmin", "v1/projects/{scope}/instances/{name}"),
    PROJECTS_IAM_CUSTOM_ROLE: ("iam", "v1/projects/{scope}/roles/{name}"),
    "gcp:iam/workloadIdentityPool:WorkloadIdentityPool": (
        "iam",
        "v1/projects/{scope}/locations/global/workloadIdentityPools/{name}",
    ),
}
"""Where each kind of thing that keeps its name is read."""

_DELETED: Final = {SQL_DATABASE_INSTANCE: " One deleted within a week is not shown."}


def answer_project(cloud: GoogleCloud, need: NamedNeed, reply: Reply) -> Reply:
    """Return the answer for a project that is there, with whether it is linked to a billing account."""
    try:
        info = cloud.get("cloudbilling", f"v1/projects/{need.word('name')}/billingInfo")
    except Refused as refusal:
        return reply_to(refusal, "resourcemanager.projects.get")
    if info.get("billingEnabled"):
        return met(f"{reply.found} {info.get('billingAccountName')} pays for it.")
    return not_met(f"{reply.found} It is linked to no open billing account.")


def answer_free_name(cloud: GoogleCloud, site: Site, need: FreeNameNeed, urn: str) -> Reply | None:
    """Return whether nothing has a name, as far as the API shows what was deleted."""
    if need.type not in _KEPT:
        return None
    service, template = _KEPT[need.type]
    resource = site.graph.resources.get(urn)
    location = str(resource.inputs.get("location") or "") if resource is not None else ""
    path = template.format(scope=need.scope, location=location, name=need.name)
    try:
        found = cloud.get(service, path)
    except Refused as refusal:
        if refusal.status == _ABSENT:
            return met(f"Nothing has it.{_DELETED.get(need.type, '')}")
        return reply_to(refusal, f"the right to read {path}")
    if found.get("deleted") or found.get("state") == "DELETED":
        return not_met("Something deleted has it still.")
    return not_met("Something has it: this stack's own, or another.", "Nothing if it is this stack's; else import it.")


def answer_image(cloud: GoogleCloud, need: NamedNeed) -> Reply | None:
    """Return whether a repository of Artifact Registry has an image or a chart; None for registries elsewhere."""
    host, _, rest = need.word("address").partition("/")
    if not host.endswith(_HOST) or rest.count("/") < 2:  # noqa: PLR2004 - project, repository, image
        return None
    project, repository, image = rest.split("/", 2)
    name, at, digest = image.partition("@")
    package, colon, tag = name.partition(":")
    kind = f"versions/{digest}" if at else f"tags/{tag if colon else 'latest'}"
    parent = f"v1/projects/{project}/locations/{host.removesuffix(_HOST)}/repositories/{repository}"
    try:
        cloud.get("artifactregistry", f"{parent}/packages/{quote(package, safe='')}/{kind}")
    except Refused as refusal:
        return absent(refusal, "artifactregistry.tags.get")
    return met("It is there.")


def answer_endpoint(cloud: GoogleCloud, need: NamedNeed) -> Reply:
    """Return whether the endpoint of a cluster that exists takes connections from here."""
    if not need.word("name"):
        return not_asked("The program creates the cluster: there is no endpoint yet.")
    try:
        answer = cloud.get("container", f"v1/projects/{need.word('place')}/locations/-/clusters")
    except Refused as refusal:
        return reply_to(refusal, "container.clusters.list")
    for cluster in answer.get("clusters", ()):
        if cluster["name"] == need.word("name"):
            return reached(str(cluster.get("endpoint") or ""))
    return not_met("There is no such cluster.")
