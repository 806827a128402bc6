"""Ways to endpoints of clusters that the Internet does not reach."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.gcp.preconditions.places import project_for
from penstock.gcp.types import COMPUTE_NETWORK, CONTAINER_CLUSTER
from penstock.graph.verdict import NotKnown
from penstock.graph.view import Site, View
from penstock.kubernetes.facts.dns_endpoints import GKE_SUFFIX
from penstock.model.endpoints.kubeconfigs import cluster_entries
from penstock.preconditions.endpoints import any_object, way_to
from penstock.preconditions.kind import Kinds
from penstock.preconditions.precondition import Precondition

KINDS = Kinds()

_KUBERNETES = "pulumi:providers:kubernetes"
_LOOKUP = "gcp:container/getCluster:getCluster"
_HOW = (
    "Run Pulumi inside the network, or through a tunnel: gcloud compute ssh INSTANCE --tunnel-through-iap "
    "--project={project} -- -N -L 8443:ENDPOINT:443"
)


@KINDS.kind("gcp-endpoint", on=CONTAINER_CLUSTER, sources=("GKE documentation, network isolation",))
def a_way_to_a_private_endpoint(cluster: View) -> Iterator[Precondition]:
    """A way from where Pulumi runs to the private endpoint of a cluster in a network that is already there."""
    private = cluster.block("privateClusterConfig")
    if private is None or not private.flag("enablePrivateEndpoint") or not any_object(cluster.site):
        return
    outside = [
        place.value for place in cluster.locations("controlPlaneEndpointsConfig.dnsEndpointConfig.allowExternalTraffic")
    ]
    if True in outside or cluster.found("network", COMPUTE_NETWORK):
        return
    yield way_to(cluster.name, _HOW.format(project=project_for(cluster.site, cluster.urn)), cluster.urn)


@KINDS.kind("gcp-existing-endpoint", sources=("GKE documentation, network isolation",))
def a_way_to_an_existing_cluster(site: Site) -> Iterator[Precondition]:
    """A way from where Pulumi runs to a cluster that the program looks up by its address and creates objects in."""
    if not any_object(site) or any(_uses_name(provider) for provider in site.of_type(_KUBERNETES)):
        return
    for lookup in site.graph.lookups:
        name = lookup.arguments.get("name")
        if lookup.token == _LOOKUP and isinstance(name, str):
            project = project_for(site)
            yield way_to(name, _HOW.format(project=project), "", exists=True, place=project)


def _uses_name(provider: View) -> bool:
    """Return whether a kubeconfig has a DNS endpoint, which is reached from anywhere by whom IAM lets in."""
    try:
        return any(entry.host.endswith(GKE_SUFFIX) for entry in cluster_entries(provider))
    except NotKnown:
        return False
