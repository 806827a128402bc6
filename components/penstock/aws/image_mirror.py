"""The repositories from which a network without a way out pulls public images."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pulumi

from penstock.aws.handles import KeyHandle
from penstock.aws.registry import repository
from penstock.spec.block import HoldingSpec


class ImageMirror(pulumi.ComponentResource):
    """A private repository for each public image, at the image's own path below `address`.

    Somebody must copy the images, with the tags that the charts name; `copies` maps each to where it goes. Until then
    their pods wait, and start by themselves once the images are there. Unprotected, the mirror goes with all copies.
    """

    address: pulumi.Output[str]
    copies: Mapping[str, pulumi.Output[str]]

    def __init__(
        self,
        name: str,
        spec: HoldingSpec,
        *,
        images: Sequence[str],
        registry: pulumi.Input[str],
        key: KeyHandle,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Make the repositories; `registry` is the address of the account's own, `key` encrypts (`Keys.data`)."""
        super().__init__("penstock:aws:ImageMirror", name, None, opts)
        self.copies = {
            public: repository(
                f"{name}-{path.replace('/', '-')}",
                path=f"{name}/{path}",
                key=key,
                tags=spec.tags,
                holds_data=bool(spec.protect),
                opts=pulumi.ResourceOptions(parent=self, protect=spec.protect),
            ).repository_url
            for public in images
            for path in (public.partition("/")[2],)
        }
        self.address = pulumi.Output.concat(registry, "/", name)
        self.register_outputs({"copies": self.copies})
