"""The precondition that the API of a cluster can be reached."""

from __future__ import annotations

from penstock.graph.view import Site
from penstock.preconditions import need
from penstock.preconditions.precondition import Precondition


def any_object(site: Site) -> bool:
    """Return whether a program creates objects of Kubernetes."""
    return any(resource.type.startswith("kubernetes:") for resource in site.graph)


def way_to(cluster: str, how: str, urn: str, *, exists: bool = False, place: str = "") -> Precondition:
    """Return the precondition that Pulumi reaches the endpoint of a cluster from where it runs.

    `place` is the region or project of one that exists.
    """
    return Precondition(
        f"A way to the endpoint of cluster {cluster} from where Pulumi runs",
        "Objects of Kubernetes are created and deleted through it, and no public address may lead there.",
        how,
        urn,
        need.named("endpoint", {"name": cluster, "place": place} if exists else {}),
    )
