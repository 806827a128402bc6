"""Secrets Manager: named places for secrets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import pulumi
from pulumi_aws import secretsmanager

from penstock.addons.secrets.block import SecretStoreSpec
from penstock.aws.components import policy_documents
from penstock.aws.components.handles import KeyHandle

RECOVERY_DAYS = 30
"""How long a deleted secret can be brought back; 30 is the most that AWS allows."""

_DECIDED_BY: Final = {
    "policy Secret SecretPolicy": ".names",
}


class SecretStore(pulumi.ComponentResource):
    """A secret for each name, empty until a person puts a value in: no value ever passes through Pulumi's state.

    `arns` maps the names of the description to ARNs. Pods read them by `WorkloadRoles`. Nobody outside `account` reads
    them, whatever their own rights say.
    """

    arns: Mapping[str, pulumi.Output[str]]

    def __init__(
        self,
        name: str,
        spec: SecretStoreSpec,
        *,
        key: KeyHandle,
        account: pulumi.Input[str],
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        super().__init__("penstock:aws:SecretStore", name, spec.inputs(_DECIDED_BY), opts)

        self.arns = {secret: self._secret(f"{name}-{secret}", spec, key, account) for secret in spec.names}
        self.register_outputs({"arns": self.arns})

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
