"""Platforms with all add-ons that may stand beside each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tests.descriptions import GCP_TRAINING, ONPREM_TRAINING, TRAINING
from tests.kubernetes.clusters import with_addons

from penstock.testing import Rehearsal, rehearse

QUEUED: Mapping[str, Any] = {
    "training": {},
    "queueing": {"teams": [{"name": "vision"}]},
    "ray": {},
    "notebooks": {
        "login": {
            "client_id": "hub",
            "client_from": "oidc/client",
            "authorize_url": "https://idp.example.com/authorize",
            "token_url": "https://idp.example.com/token",
            "userdata_url": "https://idp.example.com/userinfo",
        },
        "users": ["me@example.com"],
    },
    "observability": {},
    "health": {},
    "cost": {},
}
"""Those that share accelerators in queues."""

DESCRIPTIONS: Mapping[str, Mapping[str, Any]] = {
    "aws": TRAINING,
    "gcp": GCP_TRAINING,
    "kubernetes": ONPREM_TRAINING,
}


def with_every_addon(provider: str, **changed: Any) -> Iterator[dict[str, Any]]:
    """Descriptions that together have each add-on: Slurm and queues hand out the same nodes, and so stand apart."""
    priced = {"cost": {"accelerator_hour_usd": 2.5}} if provider == "kubernetes" else {}
    yield with_addons(DESCRIPTIONS[provider], {**QUEUED, **priced}, **changed)
    yield with_addons(DESCRIPTIONS[provider], {"slurm": {}, "observability": {}}, **changed)


def built(provider: str, **changed: Any) -> list[Rehearsal]:
    """What they build."""
    return [rehearse(described) for described in with_every_addon(provider, **changed)]
