"""Images in repositories of Artifact Registry that the program does not create."""

from __future__ import annotations

import re
from collections.abc import Iterator

from penstock.gcp.types import ARTIFACTREGISTRY_REPOSITORY
from penstock.graph.view import Site
from penstock.preconditions.images import missing_images
from penstock.preconditions.kind import Kinds
from penstock.preconditions.precondition import Precondition

KINDS = Kinds()

_IMAGE = re.compile(
    r"(?:oci://)?(?P<host>[a-z0-9-]+-docker\.pkg\.dev)/(?P<project>[a-z0-9-]+)/(?P<repository>[^/:@]+)/.+"
)
_PROVIDER = "pulumi:providers:gcp"


@KINDS.kind("gcp-image", sources=("Artifact Registry documentation",))
def images_that_can_be_pulled(site: Site) -> Iterator[Precondition]:
    """Images and charts in repositories of the program's projects that it does not create: copied there before."""
    projects = {view.resource.inputs.get("project") for view in site.of_type(_PROVIDER)}
    created = {
        text
        for view in site.of_type(ARTIFACTREGISTRY_REPOSITORY)
        for text in (view.given("repositoryId"), view.resource.name)
    }

    def is_missing(image: re.Match[str]) -> bool:
        return image["project"] in projects and image["repository"] not in created

    return missing_images(site, _IMAGE, is_missing)
