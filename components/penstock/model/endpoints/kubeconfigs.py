"""What a kubeconfig says of the clusters that it reaches."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

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
    written = _parsed(text)
    clusters = written.get("clusters") if isinstance(written, Mapping) else None
    return [found for each in clusters if (found := _entry(each))] if isinstance(clusters, list) else []


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        pass
    import yaml  # slow to import, and most kubeconfigs of programs are JSON

    try:
        return yaml.safe_load(text)
    except yaml.YAMLError:
        return None


def _entry(written: Any) -> ClusterEntry | None:
    cluster = written.get("cluster") if isinstance(written, Mapping) else None
    server = cluster.get("server") if isinstance(cluster, Mapping) else None
    if not isinstance(server, str):
        return None
    host = urlsplit(server if "//" in server else f"//{server}").hostname or ""
    authority = next((key for key in _AUTHORITIES if cluster.get(key)), "") if isinstance(cluster, Mapping) else ""
    return ClusterEntry(str(written.get("name") or ""), host, authority)
