"""Ways to endpoints of clusters that the Internet does not reach."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.preconditions.endpoints import any_object, way_to
from penstock.preconditions.gcp.places import project_for
from penstock.preconditions.kind import Kinds
from penstock.preconditions.precondition import Precondition
from penstock.resources.view import View
from penstock.rules.gcp.types import CLUSTER, NETWORK

KINDS = Kinds()

_HOW = (
    "Run Pulumi inside the network, or through a tunnel: gcloud compute ssh INSTANCE --tunnel-through-iap "
    "--project={project} -- -N -L 8443:ENDPOINT:443"
)


@KINDS.kind("gcp-endpoint", on=CLUSTER, sources=("GKE documentation, network isolation",))
def a_way_to_a_private_endpoint(cluster: View) -> Iterator[Precondition]:
    """A way from where Pulumi runs to the private endpoint of a cluster in a network that is already there."""
    private = cluster.block("privateClusterConfig")
    if private is None or not private.flag("enablePrivateEndpoint") or not any_object(cluster.site):
        return
    outside = [
        place.value for place in cluster.locations("controlPlaneEndpointsConfig.dnsEndpointConfig.allowExternalTraffic")
    ]
    if True in outside or cluster.found("network", NETWORK):
        return
    yield way_to(f"cluster {cluster.name}", _HOW.format(project=project_for(cluster.site, cluster.urn)), cluster.urn)
