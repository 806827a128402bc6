"""Artifact Registry: repositories for the container images that the platform runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import pulumi
from pulumi_gcp import artifactregistry

from penstock.addons.registry.block import RegistrySpec
from penstock.gcp.components.handles import KeyHandle, ProjectHandle

UNTAGGED_DAYS = 14
"""How long an image without a tag is kept: what a failed or replaced build left behind."""

_DECIDED_BY: Final = {
    "Repository": ".repositories",
}


class Registry(pulumi.ComponentResource):
    """A private repository for each name: encrypted, with tags that never move to another image.

    Images are scanned as they are pushed where the project's containerscanning API is on. `urls` maps the names of the
    description to what `docker push` wants.
    """

    urls: Mapping[str, pulumi.Output[str]]

    def __init__(
        self,
        name: str,
        spec: RegistrySpec,
        *,
        project: ProjectHandle,
        region: str,
        key: KeyHandle,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        super().__init__("penstock:gcp:Registry", name, spec.inputs(_DECIDED_BY), opts)

        self.urls = {
            repository: self._repository(f"{name}-{repository}", spec, project, region, key)
            for repository in spec.repositories
        }
        self.register_outputs({"urls": self.urls})

    def _repository(
        self, name: str, spec: RegistrySpec, project: ProjectHandle, region: str, key: KeyHandle
    ) -> pulumi.Output[str]:
        repository = artifactregistry.Repository(
            name,
            repository_id=name,
            project=project.id,
            location=region,
            format="DOCKER",
            docker_config={"immutable_tags": True},
            vulnerability_scanning_config={"enablement_config": "INHERITED"},
            kms_key_name=key.id,
            cleanup_policies=[
                {
                    "id": "untagged",
                    "action": "DELETE",
                    "condition": {"tag_state": "UNTAGGED", "older_than": f"{UNTAGGED_DAYS * 24 * 3600}s"},
                }
            ],
            labels=spec.tags,
            opts=pulumi.ResourceOptions(
                parent=self,
                protect=spec.protect,
                delete_before_replace=True,  # its id is its name
                depends_on=[*project.on("artifactregistry"), *key.for_("artifactregistry")],
            ),
        )
        return pulumi.Output.concat(f"{region}-docker.pkg.dev/{project.id}/", repository.repository_id)
