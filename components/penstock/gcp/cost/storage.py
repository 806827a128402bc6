"""The cost of what Google Cloud bills by what it holds or takes in: buckets, registries, logs, keys, secrets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import ceil
from typing import Final

from penstock.catalog import prices
from penstock.cost.amounts import Amount
from penstock.cost.bill import Line, Unpriced, by_use, line
from penstock.cost.declared import path_of
from penstock.cost.stored import Held, declared_amount, stored_items
from penstock.gcp.facts import multi_regions
from penstock.gcp.model import places
from penstock.gcp.types import (
    ARTIFACTREGISTRY_REPOSITORY,
    KMS_CRYPTO_KEY,
    PROJECTS_IAM_AUDIT_CONFIG,
    SECRETMANAGER_SECRET,
    STORAGE_BUCKET,
)
from penstock.graph.verdict import NotKnown
from penstock.graph.view import View

_Items = Iterator[Line | Unpriced]

_MONTH_S: Final = 30.4 * 86_400
_FREE_LOGS_GIB: Final = 50
_YEAR_MONTHS: Final = 12
_COLD: Final = ("nearline", "coldline", "archive")


def region_of(view: View) -> str:
    """Return the region of a resource; empty where it is not known."""
    try:
        return places.region(view)
    except NotKnown:
        return ""


def service(view: View, name: str, item: str) -> prices.Price | None:
    """Return the price of an item of a service in the region of a resource."""
    return prices.service("gcp", name, item, region_of(view))


def _bucket(view: View) -> _Items:
    """A bucket by its class: soft delete keeps what is deleted, at the price of what is stored."""
    class_, location = _class_of(view), (view.text("location") or "US").lower()
    stored = _stored(class_, location, dual="customPlacementConfig" in view)
    writes, reads = _operations(class_, "A"), _operations(class_, "B")
    objects = "objects" if class_ == "standard" else f"objects, {class_}"
    yield from stored_items(
        view,
        (
            Held("gb", objects, stored, optional=False),
            Held("old_versions_gb", "old versions of objects", stored),
            Held("deleted_gb", "objects that soft delete keeps", stored),
            Held("writes", "class A operations", writes, per=10_000),
            Held("reads", "class B operations", reads, per=10_000),
        ),
    )
    retrieval = prices.service("gcp", "gcs", f"{class_} retrieval")
    if retrieval is not None:
        confirmed = retrieval.usd if "usd" not in retrieval.unverified else None
        why = f"objects read of {class_}, by use"
        yield Unpriced(view.urn, why, "GB read", retrieval.unit, confirmed, missing="use")


def _class_of(view: View) -> str:
    """The class that objects of a bucket have; those of former names are billed as standard."""
    named = (view.text("storageClass") or "STANDARD").lower()
    return named if named in _COLD else "standard"


def _stored(class_: str, location: str, *, dual: bool) -> prices.Price | None:
    """The price of a GB in a region or a multi-region; None in pairs of regions, and for cold classes elsewhere.

    What is standard differs less between regions than what is cold, which may cost twice as much.
    """
    if "-" not in location:
        spans = location in multi_regions.multi_region_names("storage")
        if dual or not spans or multi_regions.find_multi_region("storage", location).kind == "dual":
            return None
        return prices.service("gcp", "gcs", f"{class_} multi-region")
    own = prices.service("gcp", "gcs", f"{class_} {location}")
    return (
        own if own is not None or class_ != "standard" else prices.service("gcp", "gcs", "standard regional", location)
    )


def _operations(class_: str, kind: str) -> prices.Price | None:
    of_class = "" if class_ == "standard" else f"{class_} "
    return prices.service("gcp", "gcs", f"{of_class}class {kind} operations")


def _registry(view: View) -> _Items:
    stored = service(view, "artifact-registry", "storage")
    yield from stored_items(view, (Held("gb", "images", stored, optional=False),))


def _audit_logs(view: View) -> _Items:
    """Entries that an audit configuration adds; the first 50 GiB of a project are free."""
    price = prices.service("gcp", "logging", "entries")
    given = declared_amount(view, "logs", "gb")
    if given is None:
        yield by_use(view.resource, "entries of logs, by use", path_of(view, "logs", "gb"), price)
    else:
        note = "the first 50 GiB of a project are free"
        yield line(view.resource, "entries of logs", given.beyond(_FREE_LOGS_GIB), price, assumes=note)


def _key(view: View) -> _Items:
    """A key is billed by its versions: one now, and one more for each rotation of the year."""
    template = view.block("versionTemplate")
    hardware = template is not None and template.text("protectionLevel") == "HSM"
    price = service(view, "kms", "hardware key version" if hardware else "software key version")
    rotates = (view.text("rotationPeriod") or "").removesuffix("s")
    most = 1 + ceil(_YEAR_MONTHS * _MONTH_S / float(rotates)) if rotates.replace(".", "").isdigit() else 1
    note = "one version; more after a year of rotations" if most > 1 else ""
    yield line(view.resource, "key", Amount(1, 1, most), price, assumes=note)
    yield from _requests(view, service(view, "kms", "operations"))


def _secret(view: View) -> _Items:
    """A secret is billed by its versions in each place that it is copied to; automatic replication counts as one."""
    replication = view.block("replication")
    chosen = replication.block("userManaged") if replication is not None else None
    places_ = chosen.count("replicas") if chosen is not None else 1
    what = "secret, one version" if places_ == 1 else f"secret, one version in {places_} places"
    yield line(view.resource, what, places_, prices.service("gcp", "secret-manager", "version in a location"))
    yield from _requests(view, prices.service("gcp", "secret-manager", "access"))


def _requests(view: View, price: prices.Price | None) -> _Items:
    given = declared_amount(view, "requests", "requests")
    if given is not None:
        yield line(view.resource, "requests", given * (1 / 10_000), price)


STORED: Final[Mapping[str, Callable[[View], _Items]]] = {
    ARTIFACTREGISTRY_REPOSITORY: _registry,
    KMS_CRYPTO_KEY: _key,
    PROJECTS_IAM_AUDIT_CONFIG: _audit_logs,
    SECRETMANAGER_SECRET: _secret,
    STORAGE_BUCKET: _bucket,
}
"""The functions that price them, by type token."""
