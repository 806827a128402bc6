"""The services that encrypt their data with a customer's key on Google Cloud, and in whose name the key is used."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.records import records


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyUser:
    """A property that names a key: its resource type, its path through objects and lists, and the service behind it.

    The service's agent (`penstock.gcp.facts.service_agents`) needs the right to encrypt and decrypt with the key. The
    key may be `anywhere` for a resource that has no location itself.
    """

    type: str
    path: str
    service: str
    anywhere: bool
    unverified: tuple[str, ...]
    source: str
    as_of: str


def all_key_users() -> tuple[KeyUser, ...]:
    """Every property that names a key, in the order of the table."""
    return records(KeyUser, "gcp/key_users")


def of_type(type_: str) -> tuple[KeyUser, ...]:
    """The properties of one resource type that name a key."""
    return tuple(user for user in all_key_users() if user.type == type_)
