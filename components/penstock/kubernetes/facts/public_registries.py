"""Registries of images that are on the internet: what a network without a way out does not reach."""

from __future__ import annotations

from functools import cache

from penstock.catalog.tables import rows

DOCKER_HUB = "docker.io"


@cache
def public_registries() -> frozenset[str]:
    """The hosts of well-known public registries."""
    return frozenset(row["host"] for row in rows("kubernetes/public_registries"))


def host_of(image: str) -> str:
    """The registry in a reference to an image, which is Docker's where it names none."""
    host, slash, _ = image.partition("/")
    named = bool(slash) and ("." in host or ":" in host or host == "localhost")
    return host if named else DOCKER_HUB
