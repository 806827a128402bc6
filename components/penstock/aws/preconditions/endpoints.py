"""Ways to endpoints of clusters that the Internet does not reach."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.aws.preconditions.places import region_of
from penstock.aws.types import EC2_SUBNET, EKS_CLUSTER
from penstock.graph.view import Site, View
from penstock.preconditions.endpoints import any_object, way_to
from penstock.preconditions.kind import Kinds
from penstock.preconditions.precondition import Precondition

KINDS = Kinds()

_LOOKUP = "aws:eks/getCluster:getCluster"
_HOW = (
    "Run Pulumi inside the network, or through a tunnel: aws ssm start-session --target INSTANCE --document-name "
    "AWS-StartPortForwardingSessionToRemoteHost --parameters host=ENDPOINT,portNumber=443,localPortNumber=8443 "
    "--region {region}"
)


@KINDS.kind("aws-endpoint", on=EKS_CLUSTER, sources=("EKS user guide, cluster endpoint access",))
def a_way_to_a_private_endpoint(cluster: View) -> Iterator[Precondition]:
    """A way from where Pulumi runs to the private endpoint of a cluster in a network that is already there."""
    network = cluster.block("vpcConfig")
    if network is None or network.flag("endpointPublicAccess") is not False or not any_object(cluster.site):
        return
    if not network.found("subnetIds", EC2_SUBNET):
        yield way_to(cluster.name, _HOW.format(region=region_of(cluster.site, cluster.urn)), cluster.urn)


@KINDS.kind("aws-existing-endpoint", sources=("EKS user guide, cluster endpoint access",))
def a_way_to_an_existing_cluster(site: Site) -> Iterator[Precondition]:
    """A way from where Pulumi runs to a cluster that the program looks up and creates objects in."""
    for lookup in site.graph.lookups:
        name = lookup.arguments.get("name")
        if lookup.token == _LOOKUP and isinstance(name, str) and any_object(site):
            region = region_of(site, "")
            yield way_to(name, _HOW.format(region=region), "", exists=True, place=region)
