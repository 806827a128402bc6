"""Relations between resources that exempt one of them from a rule: groups that EFA needs, networks of accelerators."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from penstock.aws.model.openings import AwsOpening
from penstock.aws.policies.security_groups import is_of_fabric, judge_openings
from penstock.graph.values import Secret, Unknown
from penstock.graph.verdict import NotKnown, Outcome, TypeMismatch, Verdict, allow
from penstock.graph.view import Site, View
from penstock.model.openings.addresses import is_private, networks_of
from penstock.model.openings.reach import ALL
from penstock.rules.checks import Custom, values

_GCP_NETWORK: Final = "gcp:compute/network:Network"
_GCP_SUBNETWORK: Final = "gcp:compute/subnetwork:Subnetwork"
_NODE_POOL: Final = "gcp:container/nodePool:NodePool"
_GCP_MACHINES: Final = (
    "gcp:compute/instanceTemplate:InstanceTemplate",
    "gcp:compute/regionInstanceTemplate:RegionInstanceTemplate",
    "gcp:compute/instance:Instance",
)

_GATEWAYS: Final = (
    ("aws:ec2/natGateway:NatGateway", "subnetId"),
    ("aws:lb/loadBalancer:LoadBalancer", "subnets"),
    ("aws:lb/loadBalancer:LoadBalancer", "subnetMappings[].subnetId"),
    ("aws:alb/loadBalancer:LoadBalancer", "subnets"),
    ("aws:alb/loadBalancer:LoadBalancer", "subnetMappings[].subnetId"),
    ("aws:elb/loadBalancer:LoadBalancer", "subnets"),
)
_LOGGED: Final = (
    ("aws:s3/bucketLogging:BucketLogging", "targetBucket"),
    ("aws:s3/bucket:Bucket", "logging.targetBucket"),
    ("aws:lb/loadBalancer:LoadBalancer", "accessLogs.bucket"),
    ("aws:alb/loadBalancer:LoadBalancer", "accessLogs.bucket"),
)
_BUCKET_ACL: Final = "aws:s3/bucketAcl:BucketAcl"
_BUCKET_POLICY: Final = "aws:s3/bucketPolicy:BucketPolicy"
_GRANTEE: Final = "accessControlPolicy.grants[].grantee.uri"
_LOG_ACL: Final = "log-delivery-write"
_LOG_GROUP: Final = "http://acs.amazonaws.com/groups/s3/LogDelivery"
_LOG_SERVICES: Final = ("logging.s3.amazonaws.com", "logdelivery.elasticloadbalancing.amazonaws.com")
"""Services whose logs need a bucket without a customer's key (S3 and Elastic Load Balancing user guides)."""
_LAUNCHERS: Final = (
    ("aws:ec2/instance:Instance", "subnetId"),
    ("aws:ec2/launchTemplate:LaunchTemplate", "networkInterfaces[].subnetId"),
    ("aws:autoscaling/group:Group", "vpcZoneIdentifiers"),
    ("aws:eks/nodeGroup:NodeGroup", "subnetIds"),
    ("aws:batch/computeEnvironment:ComputeEnvironment", "computeResources.subnets"),
)

_CONTAINER: Final = "azure-native:storage:BlobContainer"
_FILE_SYSTEM: Final = "azure-native:storagecache:AmlFilesystem"

_WITHOUT_MACHINES: Final = frozenset(
    {
        "gatewaysubnet",
        "azurefirewallsubnet",
        "azurefirewallmanagementsubnet",
        "azurebastionsubnet",
        "routeserversubnet",
    }
)
"""Names of subnets that Azure keeps for its own gateways; it knows them by these names alone."""


def is_of_another_stack(path: str, type_: str) -> Custom:
    """A check that the resource which a property points at is not in the program, so that no rule judges it there."""
    return Custom(
        (path,), lambda it, _: allow(not it.found(path, type_), f"{path} is judged with its resource"), others=True
    )


def is_of_one_fabric(it: View) -> bool:
    """Return whether every rule that lets all protocols in is between groups of a fabric, named by their ids."""

    def one(opening: AwsOpening) -> Verdict:
        return allow(opening.reach.protocol != ALL or is_of_fabric(opening), "")

    return judge_openings(it, one, "ingress").outcome is Outcome.PASS


def holds_only_gateways(it: View) -> bool:
    """Return whether a subnet has NAT gateways or load balancers, and nothing launches machines in it."""
    return any(it.referrers(*by) for by in _GATEWAYS) and not any(it.referrers(*by) for by in _LAUNCHERS)


def is_of_accelerators(it: View) -> bool:
    """Return whether a network, a subnet or a private firewall rule carries what accelerators send each other."""
    if not all(is_private(network) for text in values(it, "sourceRanges[]") for network in networks_of(text)):
        return False
    network = it if it.type == _GCP_NETWORK else it.one("network", _GCP_NETWORK)
    if network is None:
        return False
    return "networkProfile" in network or network.urn in network.site.once(_second_networks)


def holds_no_machines(it: View) -> bool:
    """Return whether the subnets without a group of their own are those of Azure's gateways."""
    if it.type.endswith(":VirtualNetwork"):
        names = [subnet.text("name") for subnet in it.blocks("subnets") if "networkSecurityGroup" not in subnet]
    else:
        names = [it.text("subnetName") or it.text("name")]
    return bool(names) and all(name is not None and name.casefold() in _WITHOUT_MACHINES for name in names)


def _second_networks(site: Site) -> frozenset[str]:
    """URNs of networks that machines have on further interfaces, beside the one that they are reached by."""
    found: set[str] = set()
    for pool in site.of_type(_NODE_POOL):
        found |= _added_by(pool)
    for machine in site.of_type(*_GCP_MACHINES):
        try:
            found |= _beside_first(machine)
        except (NotKnown, TypeMismatch):
            continue
    return frozenset(found)


def _added_by(pool: View) -> set[str]:
    try:
        return {view.urn for view in pool.found("networkConfig.additionalNodeNetworkConfigs[].network", _GCP_NETWORK)}
    except NotKnown:  # a preview: networkConfig names no other networks than these
        return {view.urn for view in pool.sources("networkConfig", _GCP_NETWORK)}


def _beside_first(machine: View) -> set[str]:
    further = machine.blocks("networkInterfaces")[1:]
    subnets = [subnet for interface in further for subnet in interface.found("subnetwork", _GCP_SUBNETWORK)]
    return {view.urn for holder in (*further, *subnets) for view in holder.found("network", _GCP_NETWORK)}


def takes_logs(it: View) -> bool:
    """Return whether S3 or a load balancer of AWS writes its logs into a bucket, from the program or elsewhere."""
    if any(it.referrers(type_, path) for type_, path in _LOGGED) or _LOG_ACL in (it.given("acl"), *_acls(it)):
        return True
    acls = it.referrers(_BUCKET_ACL, "bucket")
    grantees = [*values(it, "grants[].uri"), *(uri for acl in acls for uri in values(acl, _GRANTEE))]
    return _LOG_GROUP in grantees or any(_admits_logs(policy) for policy in it.referrers(_BUCKET_POLICY, "bucket"))


def admits_service(it: View, service: str) -> bool:
    """Return whether a policy of a bucket, its own or one beside it, names a service of AWS.

    Raises:
        NotKnown: no known policy does, and another is not known.
    """
    policies = [it.given("policy"), *(policy.given("policy") for policy in it.referrers(_BUCKET_POLICY, "bucket"))]
    if any(re.search(rf"""['"]{re.escape(service)}['"]""", str(policy)) for policy in policies):
        return True
    if any(isinstance(policy, Unknown | Secret) for policy in policies):
        raise NotKnown
    return False


def _acls(it: View) -> Iterator[Any]:
    return (acl.given("acl") for acl in it.referrers(_BUCKET_ACL, "bucket"))


def _admits_logs(policy: View) -> bool:
    document = policy.value("policy")
    return any(service in str(document) for service in _LOG_SERVICES)


def feeds_a_file_system(it: View) -> bool:
    """Return whether a file system of Managed Lustre imports from a container of a storage account."""
    containers = {container.urn for container in it.referrers(_CONTAINER, "accountName")}
    imported = (each for lustre in it.site.of_type(_FILE_SYSTEM) for each in lustre.sources("hsm", _CONTAINER))
    return any(container.urn in containers for container in imported)
