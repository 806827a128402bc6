"""ECR: repositories for the container images that the platform runs."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pulumi
from pulumi_aws import ecr

from penstock.aws.handles import KeyHandle
from penstock.spec.addons import RegistrySpec

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


class Registry(pulumi.ComponentResource):
    """A private repository for each name: encrypted, scanned on push, with tags that never move to another image.

    `urls` maps the names of the description to what `docker push` wants. The repositories' own names get a random
    suffix, so that two environments can share an account.
    """

    urls: Mapping[str, pulumi.Output[str]]

    def __init__(
        self, name: str, spec: RegistrySpec, *, key: KeyHandle, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        super().__init__("penstock:aws:Registry", name, spec.inputs(), opts)

        self.urls = {
            repository: self._repository(f"{name}-{repository}", spec, key) for repository in spec.repositories
        }
        self.register_outputs({"urls": self.urls})

    def _repository(self, name: str, spec: RegistrySpec, key: KeyHandle) -> pulumi.Output[str]:
        repository = ecr.Repository(
            name,
            image_tag_mutability="IMMUTABLE",
            image_scanning_configuration={"scan_on_push": True},
            encryption_configurations=[{"encryption_type": "KMS", "kms_key": key.arn}],
            tags=spec.tags,
            opts=pulumi.ResourceOptions(parent=self, protect=spec.protect),
        )
        ecr.LifecyclePolicy(
            f"{name}-lifecycle",
            repository=repository.name,
            policy=json.dumps({"rules": [EXPIRE_UNTAGGED]}),
            opts=pulumi.ResourceOptions(parent=self),
        )
        return repository.repository_url
