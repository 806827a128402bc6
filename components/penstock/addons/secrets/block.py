"""Secrets: their names, who reads them, and where they become Secrets of Kubernetes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Final, Self

from pydantic import Field, StringConstraints

from penstock.description.addon_block import AddonBlock
from penstock.description.block import HoldingSpec, Name, SpecBlock
from penstock.description.forms import Certificates, HttpsUrl, Member, NamespaceName
from penstock.description.storage import DataUser

EXTERNAL_SECRETS: Final = "external-secrets/external-secrets"
"""The service account of the controller that copies secrets into namespaces."""

VaultUrl = Annotated[HttpsUrl, StringConstraints(pattern=r"^https://[^\s/?#@]+$")]
VaultPath = Annotated[str, StringConstraints(pattern=r"^[^\s/]+(/[^\s/]+)*$")]


class VaultSpec(SpecBlock):
    """A HashiCorp Vault that exists, and lets the cluster in by its service accounts."""

    server: VaultUrl = Field(description="Address, such as https://vault.example.com:8200.")
    path: VaultPath = Field(default="secret", description="Mount path of a KV engine of version 2.")
    role: Member = Field(
        description="Role of Vault's Kubernetes login for service account external-secrets of namespace "
        "external-secrets; it reads the secrets under path, and nothing else."
    )
    login: VaultPath = Field(default="kubernetes", description="Mount path of Vault's Kubernetes login.")
    ca: Certificates | None = Field(
        default=None, description="Certificates, in PEM, that Vault's is signed by; by default public ones."
    )


class SecretStoreSpec(AddonBlock, HoldingSpec):
    """Named secrets, whose values people set outside of this description."""

    names: tuple[Name, ...] = Field(default=(), description="A name for each secret.")
    readers: tuple[DataUser, ...] = Field(
        default=(), description="Teams, and service accounts NAMESPACE/NAME, whose pods read all of them."
    )
    delivered_to: tuple[NamespaceName, ...] = Field(
        default=(),
        description="Namespaces in which each becomes a Secret of Kubernetes of its name, with its value under the "
        "key value.",
    )
    vault: VaultSpec | None = Field(
        default=None, description="Where the secrets are for provider kubernetes; clouds have stores of their own."
    )

    def names_once(self) -> Mapping[str, Sequence[str]]:
        """Return the names of the secrets."""
        return {"names": self.names}

    def with_readers(self, named: Callable[[tuple[str, ...]], tuple[str, ...]]) -> Self:
        """Return the block with other names of its readers."""
        return self.model_copy(update={"readers": named(self.readers)})

    def with_own_readers(self) -> Self:
        """Return the block with External Secrets among its readers if it delivers secrets.

        External Secrets gets its rights as the pods of users do: each cloud binds the readers of a store in its way.
        """
        if not self.delivered_to:
            return self
        return self.with_readers(lambda readers: tuple(dict.fromkeys((*readers, EXTERNAL_SECRETS))))
