"""Networks of AWS that are right by its documentation and seldom seen."""

from __future__ import annotations

import json

import pulumi
import pulumi_aws as aws


def a_security_group_by_prefix_lists() -> None:
    """<https://docs.aws.amazon.com/vpc/latest/userguide/managed-prefix-lists.html>."""
    vpc = aws.ec2.get_vpc(default=True)
    cloudfront = aws.ec2.get_managed_prefix_list(name="com.amazonaws.global.cloudfront.origin-facing")
    own = aws.ec2.ManagedPrefixList(
        "offices",
        name="offices",
        address_family="IPv4",
        max_entries=5,
        entries=[{"cidr": "203.0.113.0/24", "description": "Lisbon"}, {"cidr": "198.51.100.7/32"}],
    )
    aws.ec2.SecurityGroup(
        "web",
        vpc_id=vpc.id,
        ingress=[
            {"protocol": "tcp", "from_port": 443, "to_port": 443, "prefix_list_ids": [cloudfront.id]},
            {"protocol": "6", "from_port": 8443, "to_port": 8443, "prefix_list_ids": [own.id]},
            {"protocol": "icmp", "from_port": 3, "to_port": 4, "cidr_blocks": ["0.0.0.0/0"]},
            {"protocol": "icmpv6", "from_port": -1, "to_port": -1, "ipv6_cidr_blocks": ["::/0"]},
        ],
        egress=[{"protocol": "-1", "from_port": 0, "to_port": 0, "prefix_list_ids": [own.id]}],
    )


def subnets_of_ipv6_only() -> None:
    """<https://docs.aws.amazon.com/vpc/latest/userguide/create-subnets.html>."""
    vpc = aws.ec2.Vpc("six", cidr_block="10.0.0.0/24", assign_generated_ipv6_cidr_block=True)
    subnet = aws.ec2.Subnet(
        "six",
        vpc_id=vpc.id,
        ipv6_native=True,
        ipv6_cidr_block=vpc.ipv6_cidr_block.apply(lambda block: block.replace("/56", "/64")),
        assign_ipv6_address_on_creation=True,
        enable_resource_name_dns_aaaa_record_on_launch=True,
        private_dns_hostname_type_on_launch="resource-name",
    )
    out = aws.ec2.EgressOnlyInternetGateway("six", vpc_id=vpc.id)
    table = aws.ec2.RouteTable("six", vpc_id=vpc.id)
    aws.ec2.Route("six", route_table_id=table.id, destination_ipv6_cidr_block="::/0", egress_only_gateway_id=out.id)
    aws.ec2.RouteTableAssociation("six", subnet_id=subnet.id, route_table_id=table.id)


def nat64_for_a_subnet_of_ipv6_only() -> None:
    """<https://docs.aws.amazon.com/vpc/latest/userguide/nat-gateway-nat64-dns64.html>."""
    vpc = aws.ec2.Vpc("dual", cidr_block="10.20.0.0/16", assign_generated_ipv6_cidr_block=True)
    gateway = aws.ec2.InternetGateway("dual", vpc_id=vpc.id)
    public = aws.ec2.Subnet("public", vpc_id=vpc.id, cidr_block="10.20.0.0/28")
    table = aws.ec2.RouteTable("public", vpc_id=vpc.id, routes=[{"cidr_block": "0.0.0.0/0", "gateway_id": gateway.id}])
    aws.ec2.RouteTableAssociation("public", subnet_id=public.id, route_table_id=table.id)
    address = aws.ec2.Eip("nat", domain="vpc")
    nat = aws.ec2.NatGateway(
        "nat", subnet_id=public.id, allocation_id=address.id, opts=pulumi.ResourceOptions(depends_on=[gateway])
    )
    six = aws.ec2.Subnet(
        "six",
        vpc_id=vpc.id,
        ipv6_native=True,
        enable_dns64=True,
        assign_ipv6_address_on_creation=True,
        ipv6_cidr_block=vpc.ipv6_cidr_block.apply(lambda block: f"{block.split('/')[0][:-2]}::/64"),
    )
    routes = aws.ec2.RouteTable(
        "six", vpc_id=vpc.id, routes=[{"ipv6_cidr_block": "64:ff9b::/96", "nat_gateway_id": nat.id}]
    )
    aws.ec2.RouteTableAssociation("six", subnet_id=six.id, route_table_id=routes.id)


def a_local_zone() -> None:
    """<https://docs.aws.amazon.com/local-zones/latest/ug/getting-started.html>."""
    west = aws.Provider("west", region="us-west-2")
    here = pulumi.ResourceOptions(provider=west)
    vpc = aws.ec2.Vpc("edge", cidr_block="172.31.0.0/16", opts=here)
    subnet = aws.ec2.Subnet(
        "edge", vpc_id=vpc.id, cidr_block="172.31.250.0/24", availability_zone="us-west-2-lax-1a", opts=here
    )
    aws.ec2.Eip("edge", domain="vpc", network_border_group="us-west-2-lax-1", opts=here)
    aws.ec2.Instance(
        "edge",
        ami="ami-0abcdef1234567890",
        instance_type="t3.medium",
        subnet_id=subnet.id,
        root_block_device={"volume_type": "gp2", "volume_size": 30},
        opts=here,
    )


def a_wavelength_zone() -> None:
    """<https://docs.aws.amazon.com/wavelength/latest/developerguide/get-started-wavelength.html>."""
    vpc = aws.ec2.Vpc("mobile", cidr_block="10.0.0.0/16")
    carrier = aws.ec2.CarrierGateway("mobile", vpc_id=vpc.id)
    subnet = aws.ec2.Subnet(
        "mobile", vpc_id=vpc.id, cidr_block="10.0.1.0/24", availability_zone="us-east-1-wl1-bos-wlz-1"
    )
    table = aws.ec2.RouteTable("mobile", vpc_id=vpc.id)
    aws.ec2.Route("mobile", route_table_id=table.id, destination_cidr_block="0.0.0.0/0", carrier_gateway_id=carrier.id)
    aws.ec2.RouteTableAssociation("mobile", subnet_id=subnet.id, route_table_id=table.id)


def a_second_range_outside_private_addresses() -> None:
    """<https://docs.aws.amazon.com/vpc/latest/userguide/vpc-cidr-blocks.html>."""
    vpc = aws.ec2.Vpc("pods", cidr_block="10.1.0.0/16")
    second = aws.ec2.VpcIpv4CidrBlockAssociation("pods", vpc_id=vpc.id, cidr_block="100.64.0.0/16")
    aws.ec2.Subnet("pods", vpc_id=second.vpc_id, cidr_block="100.64.0.0/19", availability_zone_id="use1-az4")


def a_range_from_an_address_manager() -> None:
    """<https://docs.aws.amazon.com/vpc/latest/ipam/create-vpc-ipam.html>."""
    ipam = aws.ec2.VpcIpam("own", operating_regions=[{"region_name": "us-east-1"}])
    pool = aws.ec2.VpcIpamPool(
        "own", address_family="ipv4", ipam_scope_id=ipam.private_default_scope_id, locale="us-east-1"
    )
    block = aws.ec2.VpcIpamPoolCidr("own", ipam_pool_id=pool.id, cidr="10.64.0.0/12")
    vpc = aws.ec2.Vpc(
        "own", ipv4_ipam_pool_id=pool.id, ipv4_netmask_length=20, opts=pulumi.ResourceOptions(depends_on=[block])
    )
    aws.ec2.Subnet("own", vpc_id=vpc.id, cidr_block=vpc.cidr_block.apply(lambda whole: f"{whole.split('/')[0]}/24"))


def subnets_of_the_default_network() -> None:
    """<https://docs.aws.amazon.com/vpc/latest/userguide/default-vpc.html>."""
    vpc = aws.ec2.DefaultVpc("default")
    zones = aws.get_availability_zones(state="available")
    subnets = [aws.ec2.DefaultSubnet(zone, availability_zone=zone) for zone in zones.names[:2]]
    aws.ec2.DefaultSecurityGroup("default", vpc_id=vpc.id)
    aws.ec2.DefaultRouteTable("default", default_route_table_id=vpc.default_route_table_id, routes=[])
    aws.lb.LoadBalancer("default", subnets=[subnet.id for subnet in subnets], load_balancer_type="network")


def two_networks_joined_across_regions() -> None:
    """<https://docs.aws.amazon.com/vpc/latest/peering/create-vpc-peering-connection.html>."""
    ireland = pulumi.ResourceOptions(provider=aws.Provider("ireland", region="eu-west-1"))
    here = aws.ec2.Vpc("here", cidr_block="10.0.0.0/16")
    there = aws.ec2.Vpc("there", cidr_block="10.1.0.0/16", opts=ireland)
    peering = aws.ec2.VpcPeeringConnection("pair", vpc_id=here.id, peer_vpc_id=there.id, peer_region="eu-west-1")
    accepted = aws.ec2.VpcPeeringConnectionAccepter(
        "pair", vpc_peering_connection_id=peering.id, auto_accept=True, opts=ireland
    )
    aws.ec2.Route(
        "there",
        route_table_id=here.main_route_table_id,
        destination_cidr_block=there.cidr_block,
        vpc_peering_connection_id=accepted.vpc_peering_connection_id,
    )


def a_group_of_a_peer_network_in_another_account() -> None:
    """<https://docs.aws.amazon.com/vpc/latest/peering/vpc-peering-security-groups.html>."""
    vpc = aws.ec2.Vpc("own", cidr_block="10.9.0.0/16")
    group = aws.ec2.SecurityGroup("own", vpc_id=vpc.id, ingress=[], egress=[])
    aws.vpc.SecurityGroupIngressRule(
        "peer",
        security_group_id=group.id,
        ip_protocol="tcp",
        from_port=5432,
        to_port=5432,
        referenced_security_group_id="111122223333/sg-0a1b2c3d4e5f60718",
    )
    aws.vpc.SecurityGroupEgressRule("all", security_group_id=group.id, ip_protocol="-1", cidr_ipv6="::/0")


def ports_of_groups_that_name_each_other() -> None:
    """<https://docs.aws.amazon.com/vpc/latest/userguide/security-group-rules.html>."""
    first, second = aws.ec2.SecurityGroup("first"), aws.ec2.SecurityGroup("second")
    for name, group, other in (("first", first, second), ("second", second, first)):
        for protocol in ("tcp", "udp"):
            aws.ec2.SecurityGroupRule(
                f"{name}-{protocol}",
                type="ingress",
                protocol=protocol,
                from_port=0,
                to_port=65535,
                security_group_id=group.id,
                source_security_group_id=other.id,
            )
    aws.ec2.SecurityGroupRule(
        "self", type="ingress", protocol="-1", from_port=0, to_port=0, self=True, security_group_id=first.id
    )


def a_network_list_with_rules_of_ipv6_and_icmp() -> None:
    """<https://docs.aws.amazon.com/vpc/latest/userguide/nacl-rules.html>."""
    vpc = aws.ec2.Vpc("listed", cidr_block="10.0.0.0/16", assign_generated_ipv6_cidr_block=True)
    aws.ec2.NetworkAcl(
        "listed",
        vpc_id=vpc.id,
        ingress=[
            {
                "rule_no": 1,
                "action": "allow",
                "protocol": "-1",
                "cidr_block": "10.0.0.0/8",
                "from_port": 0,
                "to_port": 0,
            },
            {
                "rule_no": 32766,
                "action": "deny",
                "protocol": "58",
                "ipv6_cidr_block": "::/0",
                "icmp_type": -1,
                "icmp_code": -1,
                "from_port": 0,
                "to_port": 0,
            },
        ],
        egress=[
            {
                "rule_no": 1,
                "action": "allow",
                "protocol": "all",
                "cidr_block": "0.0.0.0/0",
                "from_port": 0,
                "to_port": 0,
            }
        ],
    )


def an_endpoint_for_buckets_without_route_tables() -> None:
    """<https://docs.aws.amazon.com/AmazonS3/latest/userguide/privatelink-interface-endpoints.html>."""
    vpc = aws.ec2.Vpc("inner", cidr_block="10.0.0.0/16", enable_dns_hostnames=True)
    subnet = aws.ec2.Subnet("inner", vpc_id=vpc.id, cidr_block="10.0.8.0/22")
    region = aws.get_region()
    gateway = aws.ec2.VpcEndpoint("gateway", vpc_id=vpc.id, service_name=f"com.amazonaws.{region.region}.s3")
    aws.ec2.VpcEndpoint(
        "interface",
        vpc_id=vpc.id,
        service_name=f"com.amazonaws.{region.region}.s3",
        vpc_endpoint_type="Interface",
        subnet_ids=[subnet.id],
        private_dns_enabled=True,
        dns_options={"private_dns_only_for_inbound_resolver_endpoint": True},
        opts=pulumi.ResourceOptions(depends_on=[gateway]),
    )


def a_service_offered_to_other_accounts() -> None:
    """<https://docs.aws.amazon.com/vpc/latest/privatelink/create-endpoint-service.html>."""
    vpc = aws.ec2.Vpc("provider", cidr_block="10.4.0.0/16")
    subnet = aws.ec2.Subnet("provider", vpc_id=vpc.id, cidr_block="10.4.1.0/24")
    balancer = aws.lb.LoadBalancer("provider", load_balancer_type="network", internal=True, subnets=[subnet.id])
    service = aws.ec2.VpcEndpointService(
        "provider",
        acceptance_required=True,
        network_load_balancer_arns=[balancer.arn],
        allowed_principals=["arn:aws:iam::444455556666:root", "*"],
        supported_regions=["us-east-1", "eu-central-1"],
    )
    pulumi.export("service", service.service_name)


def a_balancer_of_layers_three_and_four() -> None:
    """<https://docs.aws.amazon.com/elasticloadbalancing/latest/network/target-group-register-targets.html>."""
    vpc = aws.ec2.Vpc("front", cidr_block="10.5.0.0/16")
    subnet = aws.ec2.Subnet("front", vpc_id=vpc.id, cidr_block="10.5.1.0/24")
    balancer = aws.lb.LoadBalancer(
        "front",
        load_balancer_type="network",
        internal=True,
        subnet_mappings=[{"subnet_id": subnet.id, "private_ipv4_address": "10.5.1.10"}],
    )
    group = aws.lb.TargetGroup(
        "front",
        port=53,
        protocol="TCP_UDP",
        target_type="ip",
        vpc_id=vpc.id,
        health_check={"protocol": "TCP", "port": "traffic-port"},
        stickiness={"type": "source_ip", "enabled": True},
    )
    aws.lb.Listener(
        "front",
        load_balancer_arn=balancer.arn,
        port=53,
        protocol="TCP_UDP",
        default_actions=[{"type": "forward", "target_group_arn": group.arn}],
    )
    aws.lb.TargetGroupAttachment(
        "on-premises", target_group_arn=group.arn, target_id="10.200.0.9", availability_zone="all", port=5353
    )


def a_gateway_balancer_for_firewalls() -> None:
    """<https://docs.aws.amazon.com/elasticloadbalancing/latest/gateway/getting-started.html>."""
    vpc = aws.ec2.Vpc("guard", cidr_block="10.6.0.0/16")
    subnet = aws.ec2.Subnet("guard", vpc_id=vpc.id, cidr_block="10.6.1.0/24")
    balancer = aws.lb.LoadBalancer("guard", load_balancer_type="gateway", subnets=[subnet.id])
    group = aws.lb.TargetGroup(
        "guard", port=6081, protocol="GENEVE", vpc_id=vpc.id, health_check={"protocol": "HTTP", "port": "80"}
    )
    aws.lb.Listener(
        "guard", load_balancer_arn=balancer.arn, default_actions=[{"type": "forward", "target_group_arn": group.arn}]
    )
    service = aws.ec2.VpcEndpointService("guard", acceptance_required=False, gateway_load_balancer_arns=[balancer.arn])
    aws.ec2.VpcEndpoint(
        "guard",
        vpc_id=vpc.id,
        service_name=service.service_name,
        vpc_endpoint_type=service.service_type,
        subnet_ids=[subnet.id],
    )


def a_balancer_before_another() -> None:
    """<https://docs.aws.amazon.com/elasticloadbalancing/latest/network/application-load-balancer-target.html>."""
    vpc = aws.ec2.Vpc("pair", cidr_block="10.7.0.0/16")
    subnets = [
        aws.ec2.Subnet(f"pair-{zone}", vpc_id=vpc.id, cidr_block=f"10.7.{n}.0/24", availability_zone=f"us-east-1{zone}")
        for n, zone in enumerate("abc")
    ]
    ids = [each.id for each in subnets]
    inner = aws.lb.LoadBalancer("inner", internal=True, subnets=ids)
    outer = aws.lb.LoadBalancer("outer", internal=True, load_balancer_type="network", subnets=ids)
    listener = aws.lb.Listener(
        "inner",
        load_balancer_arn=inner.arn,
        port=80,
        default_actions=[
            {"type": "fixed-response", "fixed_response": {"content_type": "text/plain", "status_code": "503"}}
        ],
    )
    group = aws.lb.TargetGroup(
        "outer",
        target_type="alb",
        port=80,
        protocol="TCP",
        vpc_id=vpc.id,
        health_check={"protocol": "HTTP", "matcher": "503"},
    )
    aws.lb.TargetGroupAttachment(
        "outer",
        target_group_arn=group.arn,
        target_id=inner.arn,
        port=80,
        opts=pulumi.ResourceOptions(depends_on=[listener]),
    )
    aws.lb.Listener(
        "outer",
        load_balancer_arn=outer.arn,
        port=80,
        protocol="TCP",
        default_actions=[{"type": "forward", "forward": {"target_groups": [{"arn": group.arn}]}}],
    )


def a_transit_gateway_for_several_networks() -> None:
    """<https://docs.aws.amazon.com/vpc/latest/tgw/tgw-vpc-attachments.html>."""
    hub = aws.ec2transitgateway.TransitGateway("hub", amazon_side_asn=4200000001, multicast_support="enable")
    for n in range(2):
        vpc = aws.ec2.Vpc(f"spoke{n}", cidr_block=f"10.{n}.0.0/16")
        subnet = aws.ec2.Subnet(f"spoke{n}", vpc_id=vpc.id, cidr_block=f"10.{n}.255.240/28")
        attached = aws.ec2transitgateway.VpcAttachment(
            f"spoke{n}",
            transit_gateway_id=hub.id,
            vpc_id=vpc.id,
            subnet_ids=[subnet.id],
            appliance_mode_support="enable",
        )
        table = aws.ec2.RouteTable(f"spoke{n}", vpc_id=vpc.id)
        aws.ec2.Route(
            f"spoke{n}",
            route_table_id=table.id,
            destination_cidr_block="10.0.0.0/8",
            transit_gateway_id=hub.id,
            opts=pulumi.ResourceOptions(depends_on=[attached]),
        )


def names_of_one_name_in_two_zones() -> None:
    """<https://docs.aws.amazon.com/Route53/latest/DeveloperGuide/routing-policy-weighted.html>."""
    vpc = aws.ec2.Vpc("split", cidr_block="10.8.0.0/16")
    outside = aws.route53.Zone("outside", name="example.com")
    inside = aws.route53.Zone("inside", name="example.com", vpcs=[{"vpc_id": vpc.id}])
    for side, zone, address in (("outside", outside, "203.0.113.10"), ("inside", inside, "10.8.0.10")):
        for label, weight in (("old", 0), ("new", 255)):
            aws.route53.Record(
                f"{side}-{label}",
                zone_id=zone.id,
                name="",
                type="A",
                ttl=60,
                records=[address],
                set_identifier=label,
                weighted_routing_policies=[{"weight": weight}],
            )
    aws.route53.Record("any", zone_id=outside.id, name="*.dev", type="CNAME", ttl=0, records=["dev.example.net"])
    aws.route53.Record("text", zone_id=outside.id, name="_dmarc", type="TXT", ttl=300, records=["v=DMARC1; p=none"])
    aws.route53.Record(
        "none", zone_id=outside.id, name="www.example.com.", type="CAA", ttl=300, records=['0 issue ";"']
    )


def a_certificate_validated_by_names() -> None:
    """<https://docs.aws.amazon.com/acm/latest/userguide/dns-validation.html>."""
    zone = aws.route53.get_zone(name="example.com")
    certificate = aws.acm.Certificate(
        "site",
        domain_name="example.com",
        subject_alternative_names=["*.example.com"],
        validation_method="DNS",
        key_algorithm="EC_prime256v1",
    )
    option = certificate.domain_validation_options[0]
    record = aws.route53.Record(
        "site",
        zone_id=zone.zone_id,
        name=option.resource_record_name,
        type=option.resource_record_type,
        records=[option.resource_record_value],
        ttl=60,
        allow_overwrite=True,
    )
    valid = aws.acm.CertificateValidation(
        "site", certificate_arn=certificate.arn, validation_record_fqdns=[record.fqdn]
    )
    pulumi.export("tags", valid.certificate_arn.apply(lambda arn: json.dumps({"arn": arn})))


def ways_between_regions_by_one_provider() -> None:
    """<https://www.pulumi.com/registry/packages/aws/how-to-guides/enhanced-region-support/>."""
    for n, region in enumerate(("us-east-1", "eu-south-2", "ap-southeast-5")):
        vpc = aws.ec2.Vpc(f"world{n}", region=region, cidr_block=f"10.{n}.0.0/16")
        aws.ec2.Subnet(
            f"world{n}", region=region, vpc_id=vpc.id, cidr_block=f"10.{n}.1.0/24", availability_zone=f"{region}b"
        )
        aws.s3.Bucket(f"world{n}", region=region)
    aws.ec2.Vpc(
        "shared", cidr_block="10.0.0.0/16", instance_tenancy="default", enable_network_address_usage_metrics=True
    )
