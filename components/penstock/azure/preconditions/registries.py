"""Registries whose key is in a vault with a firewall."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.azure.rules.vault_access import admits_all, vault_of
from penstock.azure.types import CONTAINERREGISTRY_REGISTRY
from penstock.graph.view import View
from penstock.preconditions.kind import Kinds
from penstock.preconditions.precondition import Precondition

KINDS = Kinds()


@KINDS.kind(
    "az-registry-vault",
    on=(CONTAINERREGISTRY_REGISTRY,),
    sources=(
        "Azure Container Registry documentation, enable a customer-managed key",
        "[?] MicrosoftDocs/azure-docs issue 61064: creation fails with a firewall",
    ),
)
def registries_that_read_a_closed_vault(registry: View) -> Iterator[Precondition]:
    """A first try of a registry that reads its key, as an identity of the user's own, through a vault's firewall."""
    identity = registry.block("identity")
    vault = vault_of(registry, "encryption")
    if vault is None or admits_all(vault) or identity is None:
        return
    if "userassigned" not in (identity.text("type") or "").casefold():
        return
    yield Precondition(
        f"A first try: registry {registry.name} reads its key through the firewall of vault {vault.name}",
        "Microsoft documents that trusted services may; people reported that Azure refused the registry for such an "
        "identity (Failed to access KeyId).",
        "If Azure refuses it, create the registry with a key of a vault without a firewall, and then change the key "
        "with az acr encryption rotate-key.",
        registry.urn,
    )
