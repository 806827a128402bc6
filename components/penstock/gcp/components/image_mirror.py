"""The public registries that a network without a way out still pulls images from."""

from __future__ import annotations

from collections.abc import Collection

import pulumi
from pulumi_gcp import artifactregistry

from penstock.description.block import ComponentSpec
from penstock.gcp.components.handles import KeyHandle, ProjectHandle

_UPSTREAMS = {"docker.io": "https://registry-1.docker.io", "nvcr.io": "https://nvcr.io"}
"""Registries by the host that images name, and the address at which each answers."""


class ImageMirror(pulumi.ComponentResource):
    """A remote repository of Artifact Registry for each of some public registries.

    It fetches an image from outside as it is pulled for the first time, by the same path, and keeps it. `registries`
    has what takes the place of each host.
    """

    registries: dict[str, pulumi.Output[str]]

    def __init__(
        self,
        name: str,
        spec: ComponentSpec,
        *,
        hosts: Collection[str],
        project: ProjectHandle,
        region: str,
        key: KeyHandle,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Mirror the registries at `hosts`: docker.io, nvcr.io."""
        super().__init__("penstock:gcp:ImageMirror", name, None, opts)
        child = pulumi.ResourceOptions(
            parent=self,
            delete_before_replace=True,  # their ids are their names
            depends_on=[*project.on("artifactregistry"), *key.for_("artifactregistry")],
        )
        self.registries = {}
        for host in sorted(hosts):
            called = f"{name}-{host.replace('.', '-')}"
            repository = artifactregistry.Repository(
                called,
                repository_id=called,
                project=project.id,
                location=region,
                format="DOCKER",
                mode="REMOTE_REPOSITORY",
                remote_repository_config={"common_repository": {"uri": _UPSTREAMS[host]}},
                vulnerability_scanning_config={"enablement_config": "INHERITED"},
                kms_key_name=key.id,
                labels=spec.tags,
                opts=child,
            )
            self.registries[host] = pulumi.Output.concat(
                f"{region}-docker.pkg.dev/{project.id}/", repository.repository_id
            )
        self.register_outputs({"registries": self.registries})
