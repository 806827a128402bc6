"""Routes: route tables, NAT gateways and the nodes' way to the cluster and the registries."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.aws.model.ec2 import subnets_of
from penstock.aws.model.launch_templates import inside
from penstock.aws.rules import firewalls
from penstock.aws.rules.vpc_endpoints import endpoint_type
from penstock.aws.types import (
    EC2_DEFAULT_ROUTE_TABLE,
    EC2_EIP,
    EC2_INTERNET_GATEWAY,
    EC2_INTERNET_GATEWAY_ATTACHMENT,
    EC2_MAIN_ROUTE_TABLE_ASSOCIATION,
    EC2_NAT_GATEWAY,
    EC2_ROUTE,
    EC2_ROUTE_TABLE,
    EC2_ROUTE_TABLE_ASSOCIATION,
    EC2_SUBNET,
    EC2_VPC,
    EC2_VPC_ENDPOINT,
    EC2_VPN_GATEWAY_ROUTE_PROPAGATION,
    EKS_NODE_GROUP,
)
from penstock.graph.verdict import NOT_APPLICABLE, PASS, Failure, NotKnown, Outcome, Verdict, allow, each, fail
from penstock.graph.view import Block, Site, View
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_EVERYWHERE = "0.0.0.0/0"
_TABLES = (EC2_ROUTE_TABLE, EC2_DEFAULT_ROUTE_TABLE)
_DESTINATIONS = ("destinationCidrBlock", "destinationIpv6CidrBlock", "destinationPrefixListId")
_INLINE_DESTINATIONS = ("cidrBlock", "ipv6CidrBlock", "destinationPrefixListId")
_TARGETS = (
    "carrierGatewayId",
    "coreNetworkArn",
    "egressOnlyGatewayId",
    "gatewayId",
    "localGatewayId",
    "natGatewayId",
    "networkInterfaceId",
    "odbNetworkArn",
    "transitGatewayId",
    "vpcEndpointId",
    "vpcPeeringConnectionId",
)
"""Where a route may lead (Pulumi AWS 7.51, Route)."""

_OUTWARD = ("gatewayId", "networkInterfaceId", "vpcEndpointId")
"""Where the way to the internet may begin: at its gateway, or at a firewall in front of that."""


@RULES.rule(
    on=EC2_NAT_GATEWAY,
    severity=HIGH,
    rationale="EC2 fails the NAT gateway with Gateway.NotAttached, or no traffic passes through.",
    fix="Set subnetId to a subnet whose route table has a route 0.0.0.0/0 to an internet gateway.",
    joins=True,
    sources=("VPC user guide, NAT gateway troubleshooting", "EC2 API: Gateway.NotAttached"),
)
def aws_nat_internet_route(gateway: View) -> Verdict:
    """A public NAT gateway is in a subnet whose route table has a route to an internet gateway."""
    if _is_private(gateway) or _is_regional(gateway):
        return NOT_APPLICABLE
    subnet = gateway.one("subnetId", EC2_SUBNET)
    if subnet is None:
        return NOT_APPLICABLE
    table = _table(inside(subnet))
    ways = [way for way in _ways(table) if _destination(way) == _EVERYWHERE] if table is not None else []
    return allow(
        any(key in way for way in ways for key in _OUTWARD),
        f"the route table of {subnet.name} has no route to an internet gateway, so the NAT gateway reaches nothing",
        hint="Put the NAT gateway into a subnet whose route table has a route 0.0.0.0/0 to an internet gateway.",
        path="subnetId",
    )


@RULES.rule(
    on=EC2_NAT_GATEWAY,
    severity=HIGH,
    rationale="CreateNatGateway rejects a public gateway without an address, and a private one with an address.",
    fix="Set allocationId to that of an Eip, or set connectivityType to private and leave allocationId out.",
    sources=("EC2 API model in botocore 1.44, CreateNatGateway",),
)
def aws_nat_elastic_ip(gateway: View) -> Verdict:
    """A public NAT gateway has an Elastic IP address, and a private one has none."""
    if _is_regional(gateway):
        return NOT_APPLICABLE
    private, given = _is_private(gateway), "allocationId" in gateway
    message = (
        "a private NAT gateway has an Elastic IP address"
        if private
        else "a public NAT gateway has no Elastic IP address"
    )
    hint = (
        "Leave allocationId out." if private else "Set allocationId to that of an Eip, or connectivityType to private."
    )
    return allow(private != given, message, hint=hint, path="allocationId")


@RULES.rule(
    on=EC2_NAT_GATEWAY,
    severity=HIGH,
    rationale="CreateNatGateway refuses an address that another gateway has.",
    fix="Create an Eip for each NAT gateway, and set allocationId to its id.",
    joins=True,
    sources=("EC2 API model in botocore 1.44, CreateNatGateway",),
)
def aws_nat_elastic_ip_unique(gateway: View) -> Verdict:
    """No two NAT gateways share an Elastic IP address."""
    if "allocationId" not in gateway:
        return NOT_APPLICABLE
    address = gateway.found("allocationId", EC2_EIP)
    if not address:
        return PASS
    users = [user.urn for user in address[0].referrers(EC2_NAT_GATEWAY, "allocationId")]
    return allow(
        users[0] == gateway.urn,
        f"{address[0].name} is already the address of another NAT gateway",
        hint="Create an Eip for each.",
        path="allocationId",
    )


@RULES.rule(
    on=EC2_ROUTE,
    severity=HIGH,
    rationale="The provider rejects a route with none or several of either.",
    fix="Set one destination, such as destinationCidrBlock, and one target, such as gatewayId.",
    sources=("Pulumi AWS 7.51, Route: ExactlyOneOf",),
)
def aws_route_one_target(route: View) -> Verdict:
    """A route has exactly one destination and exactly one target."""
    for keys, what, usual in ((_DESTINATIONS, "destination", _DESTINATIONS[0]), (_TARGETS, "target", "gatewayId")):
        given = [key for key in keys if key in route]
        if len(given) != 1:
            for key in given:
                route.value(key)  # what is not known yet may turn out to be nothing
            hint = f"Set one of {', '.join(keys)}."
            return fail(f"the route does not set exactly one {what}", hint=hint, path=given[-1] if given else usual)
    return PASS


@RULES.rule(
    on=_TABLES,
    severity=HIGH,
    rationale="CreateRoute fails with RouteAlreadyExists for the second one.",
    fix="Leave one of the two routes out.",
    joins=True,
    sources=("EC2 API: RouteAlreadyExists",),
)
def aws_route_destination_unique(table: View) -> Verdict:
    """No two routes of a route table have the same destination."""
    first: dict[str, Block] = {}
    failures = []
    for way in _ways(table):
        destination = _destination(way)
        original = first.setdefault(destination, way)
        if original is not way:
            message = f"the route table already has a route to {destination}"
            holder = way if isinstance(way, View) else table
            path = _DESTINATIONS[0] if isinstance(way, View) else way.at(_INLINE_DESTINATIONS[0])
            failures.append(Failure(message, "Leave one of the two out.", path, holder.urn))
    if failures:
        return Verdict(Outcome.FAIL, tuple(failures))
    return PASS if first else NOT_APPLICABLE


@RULES.rule(
    on=_TABLES,
    severity=HIGH,
    rationale="CreateRoute rejects a gateway of another VPC with InvalidParameterValue.",
    fix="Set gatewayId or natGatewayId to a gateway of the same VPC.",
    joins=True,
    sources=("EC2 API, CreateRoute: InvalidParameterValue, route table and network gateway",),
)
def aws_route_gateway_same_vpc(table: View) -> Verdict:
    """The gateways that a route table routes to are in the VPC of the route table."""

    def check(way: Block) -> Verdict:
        for key, type_ in (("gatewayId", EC2_INTERNET_GATEWAY), ("natGatewayId", EC2_NAT_GATEWAY)):
            found = way.found(key, type_) if key in way else []
            if found:
                good = _home(found[0]) in (None, firewalls.network(table))
                message = f"{found[0].name} is in another VPC than the route table"
                said = allow(good, message, hint="Use a gateway of the same VPC.", path=way.at(key))
                holder = way.urn if isinstance(way, View) else ""
                return _blamed(said, holder)
        return NOT_APPLICABLE

    return each(_ways(table), check)


@RULES.rule(
    on=EC2_SUBNET,
    severity=HIGH,
    rationale="AssociateRouteTable fails with Resource.AlreadyAssociated, or refuses a table of another VPC.",
    fix="Leave one of the associations out, and set routeTableId to a route table of the subnet's VPC.",
    joins=True,
    sources=("EC2 API: Resource.AlreadyAssociated",),
)
def aws_subnet_one_route_table(subnet: View) -> Verdict:
    """A subnet is associated with at most one route table, which is in the same VPC."""
    associations = subnet.referrers(EC2_ROUTE_TABLE_ASSOCIATION, "subnetId")
    if not associations:
        return NOT_APPLICABLE
    if len(associations) > 1:
        message = f"{associations[0].name} already associates the subnet with a route table"
        return Verdict(Outcome.FAIL, (Failure(message, "Leave one of the two out.", "subnetId", associations[1].urn),))
    table = associations[0].one("routeTableId", *_TABLES)
    if table is None:
        return NOT_APPLICABLE
    good = firewalls.network(table) == firewalls.network(subnet)
    said = allow(
        good, f"{table.name} is in another VPC", hint="Use a route table of the same VPC.", path="routeTableId"
    )
    return _blamed(said, associations[0].urn)


@RULES.rule(
    on=EKS_NODE_GROUP,
    each_of=subnets_of,
    severity=HIGH,
    rationale="Nodes start, but cannot reach the EKS API and ECR, and never join the cluster.",
    fix=(
        "Add a route 0.0.0.0/0 to a NAT gateway to the route table, or create interface endpoints for ec2, ecr and eks."
    ),
    joins=True,
    sources=("EKS user guide, private clusters: nodes must reach the cluster and ECR",),
)
def aws_eks_node_egress(subnet: View) -> Verdict:
    """The subnets of a node group have a default route, or their VPC has interface endpoints."""
    if has_way_out(subnet):
        return PASS
    vpc = subnet.one("vpcId", EC2_VPC)
    if vpc is None:
        raise NotKnown
    endpoints = [
        each for each in inside(vpc).referrers(EC2_VPC_ENDPOINT, "vpcId") if endpoint_type(each) == "Interface"
    ]
    return allow(
        endpoints,
        f"{subnet.name} cannot reach EKS and ECR: no default route, and no interface endpoint in the VPC",
        hint="Add a route 0.0.0.0/0 to a NAT gateway, or create endpoints for ec2, ecr and eks.",
        path="subnetIds",
    )


def has_way_out(subnet: View) -> bool:
    """Return whether machines of a subnet reach what lies outside of its VPC.

    Raises:
        NotKnown: the route table lies outside the program, or learns routes from a VPN.
    """
    table = _table(subnet)
    if table is not None and any(_leads_far(way) for way in _ways(table)):
        return True
    if table is not None and _learns_routes(table):
        raise NotKnown
    return False


def _is_private(gateway: View) -> bool:
    return gateway.text("connectivityType") == "private"


def _is_regional(gateway: View) -> bool:
    return gateway.text("availabilityMode") == "regional"


def _table(subnet: View) -> View | None:
    """The route table of a subnet; None where it uses its VPC's main one, and that leads nowhere.

    Raises:
        NotKnown: the table lies outside the program.
    """
    own = subnet.referrers(EC2_ROUTE_TABLE_ASSOCIATION, "subnetId")
    if own:
        return own[0].one("routeTableId", *_TABLES)
    vpc = subnet.one("vpcId", EC2_VPC)
    if vpc is None:
        raise NotKnown
    main = inside(vpc).referrers(EC2_MAIN_ROUTE_TABLE_ASSOCIATION, "vpcId")
    if main:
        return main[0].one("routeTableId", *_TABLES)
    if subnet.site.once(_may_fill_main_tables):
        raise NotKnown
    return None


def _may_fill_main_tables(site: Site) -> bool:
    """Return whether some routes may be in a main table, which only AWS names."""
    return bool(site.of_type(EC2_DEFAULT_ROUTE_TABLE)) or not all(map(_has_table, site.of_type(EC2_ROUTE)))


def _has_table(route: View) -> bool:
    try:
        return bool(route.found("routeTableId", *_TABLES))
    except NotKnown:
        return False


def _ways(table: View) -> Iterator[Block]:
    """The routes of a table, within it and beside it."""
    yield from inside(table).blocks("routes")
    yield from table.referrers(EC2_ROUTE, "routeTableId")


def _destination(way: Block) -> str:
    keys = _DESTINATIONS if isinstance(way, View) else _INLINE_DESTINATIONS
    found = next((text for key in keys if (text := way.text(key))), None)
    if found is None:
        raise NotKnown
    return found


def _leads_far(way: Block) -> bool:
    """Return whether a route is the default one, or leads to a hub or a peer with further routes."""
    hubs = ("transitGatewayId", "coreNetworkArn", "vpcPeeringConnectionId", "networkInterfaceId")
    return _destination(way) in (_EVERYWHERE, "::/0") or any(key in way for key in hubs)


def _learns_routes(table: View) -> bool:
    """Return whether a VPN propagates routes to a table, the default one perhaps among them."""
    return "propagatingVgws" in table or bool(table.referrers(EC2_VPN_GATEWAY_ROUTE_PROPAGATION, "routeTableId"))


def _home(gateway: View) -> str | None:
    """Return the key of a gateway's VPC; None for one that is attached by a resource of its own."""
    if gateway.type == EC2_INTERNET_GATEWAY:
        attached = gateway.referrers(EC2_INTERNET_GATEWAY_ATTACHMENT, "internetGatewayId")
        holder = gateway if "vpcId" in gateway else next(iter(attached), None)
        return None if holder is None else firewalls.network(holder)
    subnet = gateway.one("subnetId", EC2_SUBNET)
    return None if subnet is None else firewalls.network(inside(subnet))


def _blamed(verdict: Verdict, urn: str) -> Verdict:
    """The verdict with its failures on another resource."""
    found = verdict.failures
    return Verdict(verdict.outcome, tuple(Failure(each.message, each.hint, each.path, urn) for each in found))
