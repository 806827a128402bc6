"""What a mirror promises: images of others, by their own paths, from the project's own registry."""

from __future__ import annotations

import pulumi
from tests.gcphandles import KEY, PROJECT

from penstock.description.block import ComponentSpec
from penstock.gcp.components.image_mirror import ImageMirror
from penstock.graph.graph import Graph
from penstock.testing import rehearse

REPOSITORY = "gcp:artifactregistry/repository:Repository"


def built(*hosts: str, seen: dict[str, str] | None = None) -> Graph:
    def program() -> None:
        mirror = ImageMirror("mirror", ComponentSpec(), hosts=hosts, project=PROJECT, region="us-central1", key=KEY)
        if seen is not None:
            pulumi.Output.all(**mirror.registries).apply(seen.update)

    return rehearse(program).graph


def test_a_repository_fetches_from_each_registry() -> None:
    repositories = built("docker.io", "nvcr.io").of_type(REPOSITORY)

    assert {one.inputs["mode"] for one in repositories} == {"REMOTE_REPOSITORY"}
    assert {one.inputs["remoteRepositoryConfig"]["commonRepository"]["uri"] for one in repositories} == {
        "https://registry-1.docker.io",
        "https://nvcr.io",
    }


def test_images_are_named_by_the_repository_that_stands_in_for_their_host() -> None:
    seen: dict[str, str] = {}
    built("nvcr.io", seen=seen)

    assert seen == {"nvcr.io": f"us-central1-docker.pkg.dev/{PROJECT.id}/mirror-nvcr-io"}
