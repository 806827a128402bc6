"""The cost of what Azure bills by what it holds or takes in: storage accounts, key vaults, keys, logs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from penstock.azure.model import places
from penstock.azure.types import (
    KEYVAULT_KEY,
    KEYVAULT_VAULT,
    OPERATIONALINSIGHTS_WORKSPACE,
    STORAGE_ACCOUNT,
    STORAGE_TABLE,
)
from penstock.catalog import prices
from penstock.cost.bill import Line, Unpriced, by_use, line
from penstock.cost.declared import path_of
from penstock.cost.stored import Held, declared_amount, stored_items
from penstock.cost.words import described
from penstock.graph.verdict import NotKnown
from penstock.graph.view import View

_Items = Iterator[Line | Unpriced]

_FILES: Final = "FileStorage"


def service(view: View, name: str, item: str) -> prices.Price | None:
    """Return the price of an item of a service in the region of a resource."""
    try:
        region = places.region(view)
    except NotKnown:
        region = ""
    return prices.service("azure", name, item, region if region != "global" else "")


def sku_of(view: View, key: str = "name") -> str | None:
    """Return a field of the SKU of a resource; None where it has none."""
    sku = view.block("sku")
    return sku.text(key) if sku is not None else None


def _account(view: View) -> _Items:
    """Blobs of an account; its file shares are billed by themselves."""
    sku = sku_of(view) or ""
    if view.text("kind") == _FILES:
        return
    tier = _tier_of(view, sku)
    stored = service(view, "blob", f"{sku} {tier}")
    of_tier = "" if tier == "hot" else f"{tier} "
    writes, reads = service(view, "blob", f"{sku} {of_tier}writes"), service(view, "blob", f"{of_tier}reads")
    yield from stored_items(
        view,
        (
            Held("gb", described("blobs", sku, of_tier.strip()), stored, optional=False),
            Held("old_versions_gb", "old versions of blobs", stored),
            Held("deleted_gb", "blobs that soft delete keeps", stored),
            Held("writes", "requests that write or list", writes, per=10_000),
            Held("reads", "requests that read", reads, per=10_000),
        ),
    )
    if tier != "hot":
        read = service(view, "blob", f"{tier} retrieval")
        unit, usd = (read.unit, read.usd) if read is not None else ("", None)
        yield Unpriced(view.urn, f"blobs read of {tier}, by use", "GB read", unit, usd, missing="use")


def _tier_of(view: View, sku: str) -> str:
    """The access tier that blobs of an account have; premium accounts have one only, whatever they say."""
    return "hot" if sku.startswith("Premium") else (view.text("accessTier") or "Hot").lower()


def _vault(view: View) -> _Items:
    price = service(view, "key-vault", "operations")
    given = declared_amount(view, "requests", "requests")
    if given is not None:
        yield line(view.resource, "operations", given * (1 / 10_000), price)
    else:
        yield by_use(view.resource, "operations, by use", path_of(view, "requests", "requests"), price)


def _key(view: View) -> _Items:
    """A key in hardware is paid by the month; others by their operations only."""
    properties = view.block("properties")
    kind = properties.text("kty") if properties is not None else None
    if kind is not None and kind.endswith("-HSM"):
        yield line(view.resource, "key in hardware", 1, prices.service("azure", "key-vault", "hardware key"))


def _workspace(view: View) -> _Items:
    for field, what, item in (("gb", "logs taken in", "data written"), ("kept_gb", "logs kept", "data kept")):
        price = service(view, "log-analytics", item)
        given = declared_amount(view, "logs", field)
        if given is not None:
            yield line(view.resource, what, given, price)
        elif field == "gb":
            yield by_use(view.resource, f"{what}, by use", path_of(view, "logs", field), price)


def _queue(view: View) -> _Items:
    yield from _of_account(view, "queues", "messages")


def _table(view: View) -> _Items:
    yield from _of_account(view, "tables", "entities")


def _of_account(view: View, name: str, what: str) -> _Items:
    """The content of a queue or a table, at the price of its account's redundancy."""
    account = view.one("accountName", STORAGE_ACCOUNT)
    sku = sku_of(account) if account is not None else None
    operations = service(view, name, "operations")
    yield from stored_items(
        view,
        (
            Held("gb", described(what, sku), service(view, name, sku or ""), optional=False),
            Held("writes", "operations that write", operations, per=10_000),
            Held("reads", "operations that read", operations, per=10_000),
        ),
    )


STORED: Final[Mapping[str, Callable[[View], _Items]]] = {
    KEYVAULT_KEY: _key,
    KEYVAULT_VAULT: _vault,
    OPERATIONALINSIGHTS_WORKSPACE: _workspace,
    "azure-native:storage:Queue": _queue,
    STORAGE_TABLE: _table,
    STORAGE_ACCOUNT: _account,
}
"""The functions that price them, by type token."""
