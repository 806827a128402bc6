"""ECR: repositories for the container images that the platform runs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

import pulumi
from pulumi_aws import ecr

from penstock.addons.registry.block import RegistrySpec
from penstock.aws.components.handles import KeyHandle

UNTAGGED_DAYS = 14
"""How long an image without a tag is kept: what a failed or replaced build left behind."""

EXPIRE_UNTAGGED = {
    "rulePriority": 1,
    "description": f"Images without a tag go after {UNTAGGED_DAYS} days",
    "selection": {
        "tagStatus": "untagged",
        "countType": "sinceImagePushed",
        "countUnit": "days",
        "countNumber": UNTAGGED_DAYS,
    },
    "action": {"type": "expire"},
}

_DECIDED_BY: Final = {
    "LifecyclePolicy Repository": ".repositories",
}


class Registry(pulumi.ComponentResource):
    """A private repository for each name: encrypted, scanned on push, with tags that never move to another image.

    `urls` maps the names of the description to what `docker push` wants. The repositories' own names get a random
    suffix, so that two environments can share an account.
    """

    urls: Mapping[str, pulumi.Output[str]]

    def __init__(
        self, name: str, spec: RegistrySpec, *, key: KeyHandle, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        super().__init__("penstock:aws:Registry", name, spec.inputs(_DECIDED_BY), opts)

        self.urls = {
            image: repository(
                f"{name}-{image}",
                key=key,
                tags=spec.tags,
                opts=pulumi.ResourceOptions(parent=self, protect=spec.protect),
            ).repository_url
            for image in spec.repositories
        }
        self.register_outputs({"urls": self.urls})


def repository(
    name: str,
    *,
    key: KeyHandle,
    tags: Mapping[str, str],
    opts: pulumi.ResourceOptions,
    path: str | None = None,
    holds_data: bool = True,
) -> ecr.Repository:
    """A private repository: encrypted, scanned on push, with tags that never move, without leftovers of builds.

    Its name is `path`, or derived with a random suffix. One that `holds_data` is not deleted while images are in it.
    """
    made = ecr.Repository(
        name,
        name=path,
        image_tag_mutability="IMMUTABLE",
        image_scanning_configuration={"scan_on_push": True},
        encryption_configurations=[{"encryption_type": "KMS", "kms_key": key.arn}],
        force_delete=None if holds_data else True,
        tags=tags,
        opts=opts,
    )
    ecr.LifecyclePolicy(
        f"{name}-lifecycle",
        repository=made.name,
        policy=json.dumps({"rules": [EXPIRE_UNTAGGED]}),
        opts=pulumi.ResourceOptions(parent=opts.parent),
    )
    return made
