"""Key Vault: named places for secrets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import pulumi

from penstock.addons.secrets.block import SecretStoreSpec
from penstock.azure.components.endpoints import private_endpoint
from penstock.azure.components.handles import GroupHandle, IdentityHandle, NetworkHandle
from penstock.azure.components.roles import grant
from penstock.azure.components.vault import vault

_DECIDED_BY: Final = {
    "RoleAssignment": ".readers",
    "Secret": ".names",
}


class SecretStore(pulumi.ComponentResource):
    """A vault into which people put secrets: no value ever passes through Pulumi's state.

    Azure has no secret without a value, so that a name of the description is where one is put, from inside the network:
    `az keyvault secret set --vault-name VAULT --name NAME`. The pods of `spec.readers` read all of the vault. `ids`
    maps the names of the description to https://VAULT.vault.azure.net/secrets/NAME.
    """

    ids: Mapping[str, pulumi.Output[str]]
    url: pulumi.Output[str]

    def __init__(
        self,
        name: str,
        spec: SecretStoreSpec,
        *,
        group: GroupHandle,
        network: NetworkHandle,
        identities: Mapping[str, IdentityHandle] | None = None,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Build the vault; `identities` are those of the service accounts in `spec.readers`.

        Raises:
            KeyError: a reader has none.
        """
        super().__init__("penstock:azure:SecretStore", name, spec.inputs(_DECIDED_BY), opts)
        child = pulumi.ResourceOptions(parent=self)
        store = vault(name, spec, group=group, opts=child)
        private_endpoint(name, "vault", of=store.id, at=network, group=group, tags=spec.tags, opts=child)
        for account in dict.fromkeys(spec.readers):
            grant(
                f"{name}/{account}",
                "Key Vault Secrets User",
                scope=store.id,
                to=(identities or {})[account].principal,
                group=group,
                opts=child,
            )
        self.url = store.properties.vault_uri
        self.ids = {secret: pulumi.Output.concat(self.url, "secrets/", secret) for secret in spec.names}
        self.register_outputs({"ids": self.ids, "url": self.url})
