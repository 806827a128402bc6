"""Secrets Manager: named places for secrets, and the role that pods read them with."""

from __future__ import annotations

from collections.abc import Mapping

import pulumi
from pulumi_aws import iam, secretsmanager

from penstock.aws import policy_documents
from penstock.aws.handles import KeyHandle
from penstock.spec.addons import SecretStoreSpec

RECOVERY_DAYS = 30
"""How long a deleted secret can be brought back; 30 is the most that AWS allows."""

POD_IDENTITY_TRUST: policy_documents.Statement = {
    "Sid": "PodIdentity",
    "Effect": "Allow",
    "Principal": {"Service": "pods.eks.amazonaws.com"},
    "Action": ["sts:AssumeRole", "sts:TagSession"],
}
"""Lets EKS Pod Identity assume a role and tag the session with cluster, namespace and service account."""


class SecretStore(pulumi.ComponentResource):
    """A secret for each name, empty until a person puts a value in: no value ever passes through Pulumi's state.

    `arns` maps the names of the description to ARNs. `reader_role_arn` is a role for a Pod Identity association; it
    reads these secrets and no others. Nobody outside `account` reads them, whatever their own rights say.
    """

    arns: Mapping[str, pulumi.Output[str]]
    reader_role_arn: pulumi.Output[str]

    def __init__(
        self,
        name: str,
        spec: SecretStoreSpec,
        *,
        key: KeyHandle,
        account: pulumi.Input[str],
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        super().__init__("penstock:aws:SecretStore", name, spec.inputs(), opts)

        self.arns = {secret: self._secret(f"{name}-{secret}", spec, key, account) for secret in spec.names}
        self.reader_role_arn = self._reader(f"{name}-reader", spec, key)
        self.register_outputs({"arns": self.arns, "reader_role_arn": self.reader_role_arn})

    def _secret(
        self, name: str, spec: SecretStoreSpec, key: KeyHandle, account: pulumi.Input[str]
    ) -> pulumi.Output[str]:
        secret = secretsmanager.Secret(
            name,
            kms_key_id=key.arn,
            recovery_window_in_days=RECOVERY_DAYS,
            tags=spec.tags,
            opts=pulumi.ResourceOptions(parent=self, protect=spec.protect),
        )
        secretsmanager.SecretPolicy(
            f"{name}-policy",
            secret_arn=secret.arn,
            block_public_policy=True,
            policy=policy_documents.document(
                policy_documents.deny_without_tls("secretsmanager:*", secret.arn), _deny_other_accounts(secret, account)
            ),
            opts=pulumi.ResourceOptions(parent=self),
        )
        return secret.arn

    def _reader(self, name: str, spec: SecretStoreSpec, key: KeyHandle) -> pulumi.Output[str]:
        role = iam.Role(
            name,
            assume_role_policy=policy_documents.document(POD_IDENTITY_TRUST),
            tags=spec.tags,
            opts=pulumi.ResourceOptions(parent=self),
        )
        if self.arns:
            secrets = list(self.arns.values())
            iam.RolePolicy(
                f"{name}-policy",
                role=role.name,
                policy=policy_documents.document(
                    {
                        "Sid": "ReadSecrets",
                        "Effect": "Allow",
                        "Action": ["secretsmanager:DescribeSecret", "secretsmanager:GetSecretValue"],
                        "Resource": secrets,
                    },
                    {
                        "Sid": "DecryptSecrets",
                        "Effect": "Allow",
                        "Action": "kms:Decrypt",
                        "Resource": key.arn,
                        # The key guards other data too; Secrets Manager names the secret in each request to it.
                        "Condition": {"StringEquals": {"kms:EncryptionContext:SecretARN": secrets}},
                    },
                ),
                opts=pulumi.ResourceOptions(parent=self),
            )
        return role.arn


def _deny_other_accounts(secret: secretsmanager.Secret, account: pulumi.Input[str]) -> policy_documents.Statement:
    return {
        "Sid": "DenyOtherAccounts",
        "Effect": "Deny",
        "Principal": "*",
        "Action": "secretsmanager:*",
        "Resource": secret.arn,
        "Condition": {
            "StringNotEquals": {"aws:PrincipalAccount": account},
            "BoolIfExists": {"aws:PrincipalIsAWSService": "false"},
        },
    }
