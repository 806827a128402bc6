"""The ports that network policies must open for addresses of a description."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit

from penstock.kubernetes.components.namespace import OPEN_PORTS

_SCHEMES: Final = {"https": 443, "ssh": 22}


def url_ports(*urls: str) -> list[int]:
    """Return the ports of URLs, without those that every namespace may reach."""
    parts = [urlsplit(url) for url in urls]
    return _further(part.port or _SCHEMES[part.scheme] for part in parts)


def registry_ports(*images: str) -> list[int]:
    """Return the ports of the registries of images, without those that every namespace may reach."""
    hosts = (image.partition("/")[0] for image in images if "/" in image)
    return _further(int(port) for host in hosts if (port := host.partition(":")[2]).isdecimal())


def _further(ports: Iterable[int]) -> list[int]:
    return sorted({*ports} - {*OPEN_PORTS})
