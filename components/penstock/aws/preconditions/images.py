"""Images in repositories of ECR that the program does not create."""

from __future__ import annotations

import re
from collections.abc import Iterator

from penstock.aws.types import ECR_REPOSITORY
from penstock.catalog.tables import rows
from penstock.graph.view import Site, View
from penstock.preconditions.images import missing_images
from penstock.preconditions.kind import Kinds
from penstock.preconditions.precondition import Precondition

KINDS = Kinds()

_IMAGE = re.compile(
    r"(?:oci://)?(?P<account>\d{12})\.dkr\.ecr(?:-fips)?\.[a-z0-9-]+\.amazonaws\.com(?:\.cn)?/(?P<repository>[^:@]+)(?:[:@].*)?"
)
_MIRROR = "penstock:aws:ImageMirror"
_CACHE = "aws:ecr/pullThroughCacheRule:PullThroughCacheRule"


@KINDS.kind("aws-image", sources=("ECR user guide, pushing images",))
def images_that_can_be_pulled(site: Site) -> Iterator[Precondition]:
    """Images and charts in repositories of ECR that the program does not create: copied there before."""
    owned_by_aws = {row["account"] for row in rows("aws/image_registries")}
    created = {
        text
        for view in site.of_type(ECR_REPOSITORY)
        for text in (view.given("name"), view.resource.outputs.get("name"))
    }
    caches = tuple(
        f"{prefix}/" for view in site.of_type(_CACHE) if isinstance(prefix := view.given("ecrRepositoryPrefix"), str)
    )

    def is_missing(image: re.Match[str]) -> bool:
        repository = image["repository"]
        return image["account"] not in owned_by_aws and repository not in created and not repository.startswith(caches)

    return missing_images(site, _IMAGE, is_missing)


@KINDS.kind("aws-image-copy", sources=("ECR user guide, pushing images",), on=_MIRROR)
def images_to_copy(mirror: View) -> Iterator[Precondition]:
    """Public images that pods pull from repositories of a network without a way out: copied there meanwhile."""
    copies = mirror.outputs.block("copies")
    for public in mirror.texts("images"):
        copy = (copies.text(public) if copies is not None else None) or f"{mirror.name}/{public.partition('/')[2]}"
        yield Precondition(
            f"Copy of {public} in {copy}",
            "The network has no way out. `pulumi up` creates the repository, and pods wait until the image is there, "
            "with the tag that they name.",
            f"crane copy {public}:TAG {copy}:TAG",
            mirror.urn,
        )
