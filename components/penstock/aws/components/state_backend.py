"""A self-managed backend of Pulumi in S3."""

from __future__ import annotations

from typing import Final

import pulumi
from pulumi_aws import iam

from penstock.aws.components.bucket import Bucket
from penstock.aws.components.handles import BucketHandle, KeyHandle
from penstock.aws.components.keys import account_by_iam, customer_key
from penstock.aws.components.policy_documents import document
from penstock.aws.components.roles import pipeline_role
from penstock.catalog import regions
from penstock.catalog.regions import Region
from penstock.description.state import StateBackendSpec, init_command, login_command
from penstock.description.storage import BucketSpec

_OBJECTS: Final = ("s3:GetObject", "s3:PutObject", "s3:DeleteObject")
"""With `s3:ListBucket` all that Pulumi's S3 backend needs (Pulumi documentation, Using a DIY Backend, 2026-11)."""

_KEY: Final = ("kms:Decrypt", "kms:Encrypt", "kms:GenerateDataKey")
"""S3 needs a data key for each object that is written; the secrets provider encrypts and decrypts by itself."""

_DECIDED_BY: Final = {
    "assumeRolePolicy Role RolePolicyAttachment": ".pipelines .issuer",
}


class StateBackend(pulumi.ComponentResource):
    """A bucket for the state of Pulumi stacks, and the key that encrypts the bucket and the secrets in the state.

    Pulumi locks a stack with an object in the bucket; it uses neither S3 Object Lock nor a table. Deleting the key
    loses every secret of every stack, so `protect` is on by default. `policy_arn` grants what Pulumi needs, and no
    right to delete earlier versions: attach it to those who deploy. With `pipelines` in the spec, `role_arn` is a role
    for them, which uses the state and nothing else; the account must trust the issuer already.
    """

    backend_url: pulumi.Output[str]
    secrets_provider: pulumi.Output[str]
    login: pulumi.Output[str]
    init: pulumi.Output[str]
    policy_arn: pulumi.Output[str]
    role_arn: pulumi.Output[str] | None
    bucket: BucketHandle
    key: KeyHandle

    def __init__(
        self,
        name: str,
        spec: StateBackendSpec,
        *,
        region: str,
        account: pulumi.Input[str],
        logs: BucketHandle | None = None,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Build the backend; `account` is the id of its account, `logs` records who reads and writes the state."""
        super().__init__("penstock:aws:StateBackend", name, spec.inputs(_DECIDED_BY), opts)
        child = pulumi.ResourceOptions(parent=self)
        place = regions.find_region(region, "aws")

        self.key = customer_key(name, spec, account_by_iam(place, account), opts=child)
        kept = BucketSpec(name="state", retention_days=spec.retention_days, protect=spec.protect, tags=spec.tags)
        self.bucket = Bucket(name, kept, key=self.key, logs=logs, opts=child).handle
        policy = self._policy(name, spec)
        self.policy_arn = policy.arn
        self.role_arn = self._role(name, spec, place, account, policy) if spec.pipelines else None

        self.backend_url = pulumi.Output.concat("s3://", self.bucket.name, f"?region={region}")
        self.secrets_provider = pulumi.Output.concat("awskms:///", self.key.arn, f"?region={region}")
        self.login = self.backend_url.apply(login_command)
        self.init = self.secrets_provider.apply(init_command)
        self.register_outputs(
            {
                "backend_url": self.backend_url,
                "secrets_provider": self.secrets_provider,
                "login": self.login,
                "init": self.init,
                "policy_arn": self.policy_arn,
                "role_arn": self.role_arn,
            }
        )

    def _policy(self, name: str, spec: StateBackendSpec) -> iam.Policy:
        return iam.Policy(
            name,
            description=f"{name}: Pulumi state and secrets",
            policy=document(
                {"Effect": "Allow", "Action": "s3:ListBucket", "Resource": self.bucket.arn},
                {
                    "Effect": "Allow",
                    "Action": list(_OBJECTS),
                    "Resource": pulumi.Output.concat(self.bucket.arn, "/*"),
                },
                {"Effect": "Allow", "Action": list(_KEY), "Resource": self.key.arn},
            ),
            tags=spec.tags,
            opts=pulumi.ResourceOptions(parent=self),
        )

    def _role(
        self, name: str, spec: StateBackendSpec, place: Region, account: pulumi.Input[str], policy: iam.Policy
    ) -> pulumi.Output[str]:
        child = pulumi.ResourceOptions(parent=self)
        role = pipeline_role(
            f"{name}-pipelines",
            spec.pipelines,
            issuer=spec.issuer,
            account=account,
            partition=place.partition,
            tags=spec.tags,
            opts=child,
        )
        iam.RolePolicyAttachment(f"{name}-pipelines", role=role.name, policy_arn=policy.arn, opts=child)
        return role.arn
