"""Clusters of EKS: version, network, access and encryption."""

from __future__ import annotations

from ipaddress import ip_network

from penstock.aws.facts import eks_zones
from penstock.aws.model.ec2 import zone_of
from penstock.aws.model.launch_templates import inside
from penstock.aws.rules import firewalls
from penstock.aws.types import EC2_SUBNET, EC2_VPC, EKS_ACCESS_ENTRY, EKS_CLUSTER
from penstock.catalog import kubernetes_versions
from penstock.catalog.kubernetes_versions import KubernetesVersion
from penstock.core.cidr import RFC_1918, first_overlap, ipv4_range, is_inside
from penstock.core.errors import UnknownFact
from penstock.core.versions import find_minor, minor
from penstock.core.wording import listed, plural
from penstock.graph.verdict import NOT_APPLICABLE, PASS, NotKnown, Verdict, allow, each, fail
from penstock.graph.view import Block, View
from penstock.rules.checks import Matches
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_LOGS = ("api", "audit", "authenticator", "controllerManager", "scheduler")
_LEAST_ZONES = 2
_SERVICE_PREFIXES = range(12, 25)


@RULES.rule(
    on=EKS_CLUSTER,
    severity=HIGH,
    rationale="CreateCluster refuses subnets that are all in one zone.",
    fix="Add a subnet in another availability zone to vpcConfig.subnetIds.",
    joins=True,
    sources=("EKS user guide, network requirements for VPC and subnets",),
)
def aws_eks_subnets_two_zones(cluster: View) -> Verdict:
    """The subnets of an EKS cluster are in at least two availability zones."""
    place = cluster.block("vpcConfig")
    if place is None or "outpostConfig" in cluster:
        return NOT_APPLICABLE
    count = place.count("subnetIds")
    if count < _LEAST_ZONES:
        message = f"EKS requires subnets in two zones; the cluster has {plural(count, 'subnet')}"
        return fail(message, hint="Add a subnet in another zone.", path=place.at("subnetIds"))
    zones = {zone_of(subnet) for subnet in _subnets(place)}
    message = f"EKS requires subnets in two zones; all of the cluster's are in {listed(zones)}"
    return allow(len(zones) >= _LEAST_ZONES, message, hint="Add a subnet in another zone.", path=place.at("subnetIds"))


@RULES.rule(
    on=EKS_CLUSTER,
    severity=HIGH,
    rationale="CreateCluster refuses subnets in these zones.",
    fix="Replace the subnet in vpcConfig.subnetIds with one in another availability zone.",
    joins=True,
    sources=("EKS user guide, network requirements for VPC and subnets",),
)
def aws_eks_unsupported_zones(cluster: View) -> Verdict:
    """No subnet of an EKS cluster is in a zone without EKS control planes (use1-az3, usw1-az2, cac1-az3)."""
    place = cluster.block("vpcConfig")
    if place is None:
        return NOT_APPLICABLE

    def check(subnet: View) -> Verdict:
        zone_id = subnet.text("availabilityZoneId")
        if not zone_id:
            raise NotKnown  # which id a name means differs by account
        message = f"subnet {subnet.name} is in {zone_id}, where EKS has no control planes"
        good = not eks_zones.eks_refuses(zone_id)
        return allow(good, message, hint="Use a subnet in another zone.", path=place.at("subnetIds"))

    return each(_subnets(place), check)


@RULES.rule(
    on=EKS_CLUSTER,
    severity=HIGH,
    rationale="CreateCluster rejects a service CIDR that is public, of another size, or overlaps the VPC.",
    fix=(
        "Set kubernetesNetworkConfig.serviceIpv4Cidr to 10.100.0.0/16 or 172.20.0.0/16, whichever the VPC does not use."
    ),
    joins=True,
    sources=("EKS API model in botocore 1.44, KubernetesNetworkConfigRequest",),
)
def aws_eks_service_cidr(cluster: View) -> Verdict:
    """The service CIDR of an EKS cluster is a private range of /12 to /24 that does not overlap the cluster's VPC."""
    network = cluster.block("kubernetesNetworkConfig")
    given = network.text("serviceIpv4Cidr") if network is not None else None
    if network is None or given is None:
        return NOT_APPLICABLE
    path, hint = network.at("serviceIpv4Cidr"), "Use 172.20.0.0/16."
    services = ipv4_range(given)
    if services is None:
        return fail(f"{given!r} is not an IPv4 CIDR range", hint=hint, path=path)
    if services.prefixlen not in _SERVICE_PREFIXES:
        return fail(f"{services} is not a /12 to /24", hint=hint, path=path)
    if not is_inside(services, RFC_1918):
        return fail(f"{services} is not a private range (RFC 1918)", hint=hint, path=path)
    taken = (ipv4_range(vpc.text("cidrBlock")) for vpc in _networks(cluster))
    overlap = first_overlap(services, filter(None, taken))
    hint = "Use 10.100.0.0/16 or 172.20.0.0/16, whichever is free."
    return allow(
        overlap is None, f"{services} overlaps {overlap}, the range of the cluster's VPC", hint=hint, path=path
    )


@RULES.rule(
    on=EKS_CLUSTER,
    severity=HIGH,
    rationale="EKS rejects versions that it no longer offers or does not offer yet.",
    fix="Set version to a minor version that EKS offers.",
    sources=("EKS user guide, Kubernetes versions (catalogue, aws_kubernetes_versions)",),
)
def aws_eks_version_offered(cluster: View) -> Verdict:
    """The Kubernetes version of an EKS cluster is a minor version that EKS offers."""
    version = cluster.text("version")
    if version is None:
        return NOT_APPLICABLE
    offered = kubernetes_versions.supported_versions("aws", cluster.site.today)
    found, hint = find_minor(version), f"Offered: {listed(offered)}."
    if found is None or str(found) != version:
        return fail(f"{version!r} is not a minor version of Kubernetes", hint=hint, path="version")
    if found > minor(offered[-1]).later(1):
        return fail(f"Kubernetes {version} does not exist yet", hint=hint, path="version")
    return allow(found >= minor(offered[0]), f"EKS no longer offers Kubernetes {version}", hint=hint, path="version")


@RULES.rule(
    on=EKS_CLUSTER,
    severity=MEDIUM,
    rationale="The cluster runs, but extended support costs extra for each hour.",
    fix="Set version to one under standard support.",
    sources=("endoflife.date/amazon-eks, at the date of the catalogue",),
)
def aws_eks_version_standard_support(cluster: View) -> Verdict:
    """The Kubernetes version of an EKS cluster is known, and is under standard support today."""
    version = cluster.text("version")
    if version is None:
        return NOT_APPLICABLE
    supported = kubernetes_versions.supported_versions("aws", cluster.site.today)
    facts, found = _version(version), find_minor(version)
    if found is None or found < minor(supported[0]):
        return NOT_APPLICABLE  # one that EKS refuses is another rule's
    if facts is None:
        return fail(
            f"Penstock does not know Kubernetes {version} on EKS",
            hint=f"Known: {listed(supported)}.",
            path="version",
        )
    until = facts.standard_until
    return allow(
        until is None or until >= cluster.site.today,
        f"standard support of Kubernetes {version} ended on {until}, and extended support costs extra",
        hint=f"Use {kubernetes_versions.default_version('aws')}.",
        path="version",
    )


@RULES.rule(
    on=EKS_CLUSTER,
    severity=HIGH,
    rationale="EKS encrypts only secrets by this setting, and rejects any other resource.",
    fix='Set encryptionConfig.resources to ["secrets"].',
    sources=("EKS API model in botocore 1.44, EncryptionConfig",),
)
def aws_eks_encryption_resources(cluster: View) -> Verdict:
    """The encryption config of an EKS cluster lists secrets as its only resource."""
    encryption = cluster.block("encryptionConfig")
    if encryption is None:
        return NOT_APPLICABLE
    resources = encryption.texts("resources")
    message = f"EKS encrypts secrets only; resources lists {listed(resources) or 'nothing'}"
    return allow(resources == ["secrets"], message, hint='Use ["secrets"].', path=encryption.at("resources"))


@RULES.rule(
    on=EKS_CLUSTER,
    severity=HIGH,
    rationale="EKS rejects a cluster with both endpoints disabled.",
    fix="Set vpcConfig.endpointPublicAccess or vpcConfig.endpointPrivateAccess to true.",
    sources=("EKS API model in botocore 1.44, VpcConfigRequest",),
)
def aws_eks_endpoint_enabled(cluster: View) -> Verdict:
    """The API server of an EKS cluster has a public or a private endpoint."""
    place = cluster.block("vpcConfig")
    public = place.flag("endpointPublicAccess") if place is not None else None
    if place is None or public is None:
        return NOT_APPLICABLE
    private = place.flag("endpointPrivateAccess")
    message = "neither the public nor the private endpoint of the API server is enabled"
    return allow(public or private, message, hint="Set one to true.", path=place.at("endpointPublicAccess"))


@RULES.rule(
    on=EKS_CLUSTER,
    severity=HIGH,
    rationale="EKS refuses private ranges there, since private addresses never reach the public endpoint.",
    fix=(
        "Set vpcConfig.publicAccessCidrs to public ranges, and set endpointPrivateAccess to true for clients inside "
        "the VPC."
    ),
    sources=("EKS API model in botocore 1.44, VpcConfigRequest", "EKS user guide, cluster endpoint"),
)
def aws_eks_public_access_ranges(cluster: View) -> Verdict:
    """The public access CIDRs of an EKS cluster are IPv4 or IPv6 ranges of the internet."""
    place = cluster.block("vpcConfig")
    if place is None:
        return NOT_APPLICABLE

    def check(item: tuple[int, str]) -> Verdict:
        path = f"{place.at('publicAccessCidrs')}[{item[0]}]"
        try:
            network = ip_network(item[1])
        except ValueError:
            return fail(f"{item[1]!r} is not a CIDR range", hint="Such as 203.0.113.0/24.", path=path)
        inner = is_inside(network, RFC_1918)
        hint = "Set endpointPrivateAccess to true for private clients, and list public ranges here."
        return allow(
            not inner, f"{network} is a private range, which EKS refuses in publicAccessCidrs", hint=hint, path=path
        )

    return each(enumerate(place.texts("publicAccessCidrs")), check)


@RULES.rule(
    on=EKS_CLUSTER,
    severity=MEDIUM,
    rationale=(
        "Nodes reach the API server only if the public access CIDRs include the addresses of their NAT gateways; "
        "otherwise they do not join."
    ),
    fix="Set vpcConfig.endpointPrivateAccess to true.",
    sources=("EKS user guide, cluster endpoint",),
)
def aws_eks_restricted_private_endpoint(cluster: View) -> Verdict:
    """An EKS cluster whose public endpoint is restricted has a private endpoint too."""
    place = cluster.block("vpcConfig")
    if place is None or place.flag("endpointPublicAccess") is False or not place.count("publicAccessCidrs"):
        return NOT_APPLICABLE
    if {"0.0.0.0/0"} & set(place.texts("publicAccessCidrs")):
        return PASS
    message = (
        "nodes reach the API server by its public endpoint only, and only if publicAccessCidrs has their NAT addresses"
    )
    hint = "Set endpointPrivateAccess to true."
    return allow(place.flag("endpointPrivateAccess"), message, hint=hint, path=place.at("endpointPrivateAccess"))


RULES.row(
    "aws-eks-log-types",
    "EKS log types are among api, audit, authenticator, controllerManager and scheduler.",
    on=EKS_CLUSTER,
    check=Matches("enabledClusterLogTypes[]", "|".join(_LOGS)),
    severity=HIGH,
    rationale="EKS rejects any other log type.",
    fix="Set enabledClusterLogTypes to names from api, audit, authenticator, controllerManager and scheduler.",
    sources=("EKS API model in botocore 1.44, LogType",),
)


@RULES.rule(
    on=EKS_ACCESS_ENTRY,
    severity=HIGH,
    rationale="CreateAccessEntry fails on a cluster with the authentication mode CONFIG_MAP.",
    fix="Set accessConfig.authenticationMode of the cluster to API.",
    joins=True,
    sources=("EKS user guide, access entries", "EKS API, CreateAccessEntry"),
)
def aws_eks_access_entry_mode(entry: View) -> Verdict:
    """The cluster of an access entry has the authentication mode API or API_AND_CONFIG_MAP, not the default."""
    cluster = entry.one("clusterName", EKS_CLUSTER)
    if cluster is None:
        return NOT_APPLICABLE
    access = inside(cluster).block("accessConfig")
    mode = access.text("authenticationMode") if access is not None else None
    if mode in ("API", "API_AND_CONFIG_MAP"):
        return PASS
    message = f"the cluster {cluster.name} does not accept access entries: authenticationMode is {mode or 'CONFIG_MAP'}"
    hint = "Set accessConfig.authenticationMode to API."
    return fail(message, hint=hint, path="accessConfig.authenticationMode", urn=cluster.urn)


@RULES.rule(
    on=EKS_CLUSTER,
    severity=MEDIUM,
    rationale="The cluster is created, but nobody has Kubernetes permissions in it.",
    fix=(
        "Create an AccessEntry with an AccessPolicyAssociation, or leave "
        "accessConfig.bootstrapClusterCreatorAdminPermissions true."
    ),
    joins=True,
    sources=("EKS user guide, grant IAM users access to Kubernetes",),
)
def aws_eks_cluster_admin(cluster: View) -> Verdict:
    """An EKS cluster grants admin rights to its creator, or has an access entry."""
    access = cluster.block("accessConfig")
    if access is None or access.flag("bootstrapClusterCreatorAdminPermissions") is not False:
        return NOT_APPLICABLE
    message = "the cluster's creator gets no permissions in it, and no access entry of the program grants any"
    return allow(
        cluster.referrers(EKS_ACCESS_ENTRY, "clusterName"),
        message,
        hint="Create an access entry with an access policy association.",
        path=access.at("bootstrapClusterCreatorAdminPermissions"),
    )


@RULES.rule(
    on=EKS_CLUSTER,
    severity=HIGH,
    rationale="CreateCluster rejects subnets of different VPCs with InvalidParameterException.",
    fix="Set vpcConfig.subnetIds to subnets of one VPC.",
    joins=True,
    sources=(
        "EKS user guide, network requirements for VPC and subnets",
        "EKS API, CreateCluster: InvalidParameterException",
    ),
)
def aws_eks_subnets_one_vpc(cluster: View) -> Verdict:
    """The subnets of an EKS cluster are all in one VPC."""
    place = cluster.block("vpcConfig")
    homes = {firewalls.network(subnet) for subnet in _subnets(place)} if place is not None else set()
    if place is None or not homes:
        return NOT_APPLICABLE
    message = f"the subnets are in {len(homes)} VPCs"
    return allow(len(homes) == 1, message, hint="Use subnets of one VPC.", path=place.at("subnetIds"))


def _subnets(place: Block) -> list[View]:
    return [inside(subnet) for subnet in place.many("subnetIds", EC2_SUBNET)]


def _networks(cluster: View) -> list[View]:
    place = cluster.block("vpcConfig")
    found = (subnet.one("vpcId", EC2_VPC) for subnet in _subnets(place)) if place is not None else ()
    return list({vpc.urn: inside(vpc) for vpc in found if vpc is not None}.values())


def _version(version: str) -> KubernetesVersion | None:
    try:
        return kubernetes_versions.find_version(version, "aws")
    except UnknownFact:
        return None
