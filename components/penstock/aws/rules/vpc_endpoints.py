"""VPC endpoints: private connections to AWS services."""

from __future__ import annotations

from penstock.aws.model.ec2 import zone_of
from penstock.aws.model.launch_templates import inside
from penstock.aws.model.openings import GROUPS, openings
from penstock.aws.types import EC2_SUBNET, EC2_VPC_ENDPOINT, EC2_VPC_ENDPOINT_ROUTE_TABLE_ASSOCIATION
from penstock.graph.verdict import NOT_APPLICABLE, Verdict, allow
from penstock.graph.view import View
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_GATEWAY_SERVICES = ("s3", "dynamodb", "s3express")
"""What a gateway endpoint leads to (VPC user guide, gateway endpoints)."""

_OTHER_PORTS = ("cassandra", "email-smtp", "transfer")
"""Services of AWS that one does not reach over HTTPS (VPC user guide, services that integrate with PrivateLink)."""

_PRIVATE_LINK_ONLY = ("subnetIds", "securityGroupIds", "privateDnsEnabled")


@RULES.rule(
    on=EC2_VPC_ENDPOINT,
    severity=HIGH,
    rationale="Other services have no gateway endpoint, and CreateVpcEndpoint refuses to create one.",
    fix="Set vpcEndpointType to Interface, and set subnetIds and securityGroupIds.",
    sources=("VPC user guide, gateway endpoints", "Pulumi AWS 7.51, VpcEndpoint"),
)
def aws_endpoint_gateway_service(endpoint: View) -> Verdict:
    """A VPC endpoint of the type Gateway, which is the default, is for S3, S3 Express One Zone or DynamoDB."""
    service = _service(endpoint)
    if service is None or endpoint_type(endpoint) != "Gateway":
        return NOT_APPLICABLE
    return allow(
        service in _GATEWAY_SERVICES,
        f"{service} has no gateway endpoint",
        hint='Set vpcEndpointType to "Interface", and name subnets and a security group.',
        path="vpcEndpointType",
    )


@RULES.rule(
    on=EC2_VPC_ENDPOINT,
    severity=HIGH,
    rationale="CreateVpcEndpoint rejects properties of the other endpoint type.",
    fix="Leave the properties of the other type out, or change vpcEndpointType.",
    sources=("EC2 API model in botocore 1.44, CreateVpcEndpoint",),
)
def aws_endpoint_type_fields(endpoint: View) -> Verdict:
    """Only a gateway endpoint has route tables; only an interface endpoint has subnets, groups and private DNS."""
    kind = endpoint_type(endpoint)
    if kind not in ("Gateway", "Interface"):
        return NOT_APPLICABLE
    keys = _PRIVATE_LINK_ONLY if kind == "Gateway" else ("routeTableIds",)
    wrong = [key for key in keys if key in endpoint and endpoint.resource.inputs[key] not in (False, [], ())]
    return allow(
        not wrong,
        f"an endpoint of type {kind} does not accept {wrong[0] if wrong else ''}",
        hint=f"Leave {', '.join(wrong)} out, or set the other vpcEndpointType.",
        path=wrong[0] if wrong else "",
    )


@RULES.rule(
    on=EC2_VPC_ENDPOINT,
    severity=HIGH,
    rationale="The endpoint is created, but no client reaches the service through it.",
    fix="Add an ingress rule for TCP 443 from the nodes' security group or the VPC's CIDR block.",
    joins=True,
    sources=("SageMaker HyperPod Terraform README: closed networks",),
)
def aws_endpoint_https_ingress(endpoint: View) -> Verdict:
    """At least one security group of an interface endpoint for an AWS service admits TCP 443."""
    service = _service(endpoint) if "securityGroupIds" in endpoint and endpoint_type(endpoint) == "Interface" else None
    if service is None or service.split(".")[0] in _OTHER_PORTS:
        return NOT_APPLICABLE
    groups = endpoint.many("securityGroupIds", *GROUPS)
    return allow(
        any(opening.reach.touches((443,)) for group in groups for opening in openings(group, "ingress")),
        "no security group of the endpoint admits TCP 443",
        hint="Admit TCP 443 from the nodes' group or the VPC's range.",
        path="securityGroupIds",
    )


@RULES.rule(
    on=EC2_VPC_ENDPOINT,
    severity=MEDIUM,
    rationale="The endpoint is created, but no traffic takes it.",
    fix="Set routeTableIds to the nodes' route tables.",
    joins=True,
    sources=("VPC user guide, gateway endpoints",),
)
def aws_endpoint_gateway_route_table(endpoint: View) -> Verdict:
    """A gateway endpoint is associated with at least one route table."""
    if endpoint_type(endpoint) != "Gateway":
        return NOT_APPLICABLE
    return allow(
        endpoint.count("routeTableIds")
        or endpoint.referrers(EC2_VPC_ENDPOINT_ROUTE_TABLE_ASSOCIATION, "vpcEndpointId"),
        "the gateway endpoint is not in a route table, so no traffic uses it",
        hint="List the nodes' route tables in routeTableIds.",
        path="routeTableIds",
    )


@RULES.rule(
    on=EC2_VPC_ENDPOINT,
    severity=HIGH,
    rationale="CreateVpcEndpoint fails with DuplicateSubnetsInSameZone.",
    fix="Keep one subnet for each availability zone in subnetIds.",
    joins=True,
    sources=("EC2 API, CreateVpcEndpoint: DuplicateSubnetsInSameZone",),
)
def aws_endpoint_subnet_per_zone(endpoint: View) -> Verdict:
    """The subnets of an interface endpoint are each in a different availability zone."""
    if "subnetIds" not in endpoint:
        return NOT_APPLICABLE
    zones = [zone_of(inside(subnet)) for subnet in endpoint.many("subnetIds", EC2_SUBNET)]
    twice = sorted({zone for zone in zones if zones.count(zone) > 1})
    return allow(
        not twice, f"two subnets of the endpoint are in {', '.join(twice)}", hint="Keep one of them.", path="subnetIds"
    )


def endpoint_type(endpoint: View) -> str:
    """Return the type of a VPC endpoint, with EC2's default."""
    return endpoint.text("vpcEndpointType") or "Gateway"


def _service(endpoint: View) -> str | None:
    """The service of AWS that an endpoint leads to, such as ecr.api; None for somebody else's."""
    name = endpoint.text("serviceName")
    parts = name.split(".", 3) if name is not None else []
    of_aws = len(parts) > 3 and parts[:2] == ["com", "amazonaws"] and parts[2] != "vpce"  # noqa: PLR2004 - com.amazonaws.REGION.SERVICE
    return parts[3] if of_aws else None
