"""What a kubeconfig says of the clusters that it reaches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from penstock.core import kubeconfig
from penstock.graph.values import Secret
from penstock.graph.verdict import NotKnown
from penstock.graph.view import View

_AUTHORITIES = ("certificate-authority-data", "certificate-authority")


class ClusterEntry(NamedTuple):
    """A cluster of a kubeconfig: the host of its server, and the property by which an authority of its own is trusted.

    `authority` is empty where the authorities of the machine are.
    """

    name: str
    host: str
    authority: str


def cluster_entries(provider: View) -> list[ClusterEntry]:
    """Return the clusters of the kubeconfig of a provider of Kubernetes objects; none where it is the path of a file.

    Raises:
        NotKnown: it is not known yet.
    """
    given = provider.given("kubeconfig")
    text = given.value if isinstance(given, Secret) else given
    if text is None:
        return []
    if not isinstance(text, str):
        raise NotKnown
    clusters = kubeconfig.entries(kubeconfig.parsed(text), "clusters")
    return [found for name, cluster in clusters if (found := _entry(name, cluster))]


def _entry(name: str, cluster: Mapping[str, Any]) -> ClusterEntry | None:
    server = cluster.get("server")
    if not isinstance(server, str):
        return None
    host = urlsplit(server if "//" in server else f"//{server}").hostname or ""
    authority = next((key for key in _AUTHORITIES if cluster.get(key)), "")
    return ClusterEntry(name, host, authority)
