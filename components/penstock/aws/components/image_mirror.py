"""The repositories from which a network without a way out pulls public images."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import pulumi

from penstock.aws.components.handles import KeyHandle
from penstock.aws.components.registry import repository
from penstock.description.block import HoldingSpec


class ImageMirror(pulumi.ComponentResource):
    """A private repository for each public image, at the image's own path below the component's name.

    Somebody must copy the images, with the tags that the charts name; `copies` maps each to where it goes. Until then
    their pods wait, and start by themselves once the images are there. Unprotected, the mirror goes with all copies.
    """

    copies: Mapping[str, pulumi.Output[str]]

    def __init__(
        self,
        name: str,
        spec: HoldingSpec,
        *,
        images: Collection[str],
        key: KeyHandle,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Make the repositories; `key` encrypts (`Keys.data`)."""
        super().__init__("penstock:aws:ImageMirror", name, {"images": list(images)}, opts)
        paths = {public: public.partition("/")[2] for public in images}
        # Two registries may have images of one path, which then share a repository.
        repositories = {
            path: repository(
                f"{name}-{path.replace('/', '-')}",
                path=f"{name}/{path}",
                key=key,
                tags=spec.tags,
                holds_data=bool(spec.protect),
                opts=pulumi.ResourceOptions(parent=self, protect=spec.protect),
            )
            for path in dict.fromkeys(paths.values())
        }
        self.copies = {public: repositories[path].repository_url for public, path in paths.items()}
        self.register_outputs({"copies": self.copies})
