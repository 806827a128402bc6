"""Networks of Google Cloud that are right by its documentation and seldom seen."""

from __future__ import annotations

import pulumi
import pulumi_gcp as gcp
import pulumi_random as random


def a_network_shared_by_a_host_project() -> None:
    """<https://cloud.google.com/vpc/docs/provisioning-shared-vpc>."""
    host = gcp.compute.SharedVPCHostProject("host", project="acme-host")
    attached = gcp.compute.SharedVPCServiceProject("service", host_project=host.project, service_project="acme-ml-prod")
    network = gcp.compute.Network("shared", project=host.project, auto_create_subnetworks=False)
    subnet = gcp.compute.Subnetwork(
        "shared",
        project=host.project,
        network=network.id,
        region="europe-west4",
        ip_cidr_range="10.0.0.0/29",
        name="a" * 63,
    )
    gcp.compute.SubnetworkIAMMember(
        "shared",
        project=host.project,
        region=subnet.region,
        subnetwork=subnet.name,
        role="roles/compute.networkUser",
        member="serviceAccount:service-42@container-engine-robot.iam.gserviceaccount.com",
    )
    gcp.compute.Instance(
        "shared",
        zone="europe-west4-b",
        machine_type="e2-micro",
        boot_disk={"initialize_params": {"image": "debian-cloud/debian-12"}},
        network_interfaces=[{"subnetwork": subnet.self_link, "subnetwork_project": "acme-host"}],
        opts=pulumi.ResourceOptions(depends_on=[attached]),
    )


def a_private_cluster_in_a_shared_network() -> None:
    """<https://cloud.google.com/kubernetes-engine/docs/how-to/cluster-shared-vpc>."""
    path = "projects/acme-host/regions/us-central1/subnetworks/tier-1"
    gcp.container.Cluster(
        "tenant",
        location="us-central1",
        network="projects/acme-host/global/networks/shared-net",
        subnetwork=path,
        initial_node_count=1,
        ip_allocation_policy={
            "cluster_secondary_range_name": "tier-1-pods",
            "services_secondary_range_name": "tier-1-services",
        },
        private_cluster_config={"enable_private_nodes": True, "master_ipv4_cidr_block": "172.16.0.16/28"},
        deletion_protection=False,
    )


def an_autopilot_cluster() -> None:
    """<https://cloud.google.com/kubernetes-engine/docs/how-to/creating-an-autopilot-cluster>."""
    me = gcp.organizations.get_project()
    account = gcp.serviceaccount.Account("auto", account_id="autopilot-nodes")
    gcp.projects.IAMMember(
        "auto",
        project=me.project_id,
        role="roles/container.defaultNodeServiceAccount",
        member=account.email.apply(lambda email: f"serviceAccount:{email}"),
    )
    gcp.container.Cluster(
        "auto",
        location="europe-north1",
        enable_autopilot=True,
        release_channel={"channel": "RAPID"},
        deletion_protection=False,
        cluster_autoscaling={"auto_provisioning_defaults": {"service_account": account.email}},
        ip_allocation_policy={},
        control_plane_endpoints_config={
            "dns_endpoint_config": {"allow_external_traffic": True},
            "ip_endpoints_config": {"enabled": False},
        },
    )


def a_private_service_connection_to_google() -> None:
    """<https://cloud.google.com/vpc/docs/configure-private-service-connect-apis>."""
    network = gcp.compute.Network("apis", auto_create_subnetworks=False, mtu=8896, routing_mode="GLOBAL")
    gcp.compute.Subnetwork("apis", network=network.id, ip_cidr_range="240.0.0.0/24", private_ip_google_access=True)
    address = gcp.compute.GlobalAddress(
        "apis", address_type="INTERNAL", purpose="PRIVATE_SERVICE_CONNECT", network=network.id, address="10.3.0.5"
    )
    gcp.compute.GlobalForwardingRule(
        "apis",
        name="pscgoogleapis",
        target="all-apis",
        network=network.id,
        ip_address=address.id,
        load_balancing_scheme="",
    )


def a_service_published_and_consumed() -> None:
    """<https://cloud.google.com/vpc/docs/configure-private-service-connect-producer>."""
    network = gcp.compute.Network("producer", auto_create_subnetworks=False)
    front = gcp.compute.Subnetwork("front", network=network.id, ip_cidr_range="10.0.0.0/16")
    nat = gcp.compute.Subnetwork(
        "nat", network=network.id, ip_cidr_range="10.1.0.0/22", purpose="PRIVATE_SERVICE_CONNECT"
    )
    check = gcp.compute.HealthCheck("check", tcp_health_check={"port": 80}, check_interval_sec=1, timeout_sec=1)
    backend = gcp.compute.RegionBackendService(
        "backend", health_checks=check.id, load_balancing_scheme="INTERNAL", protocol="TCP"
    )
    rule = gcp.compute.ForwardingRule(
        "rule",
        load_balancing_scheme="INTERNAL",
        backend_service=backend.id,
        all_ports=True,
        network=network.id,
        subnetwork=front.id,
    )
    attachment = gcp.compute.ServiceAttachment(
        "service",
        connection_preference="ACCEPT_MANUAL",
        enable_proxy_protocol=False,
        nat_subnets=[nat.id],
        target_service=rule.id,
        consumer_accept_lists=[{"project_id_or_num": "123456789012", "connection_limit": 1}],
    )
    address = gcp.compute.Address(
        "consumer", subnetwork="projects/p-1/regions/us-central1/subnetworks/default", address_type="INTERNAL"
    )
    gcp.compute.ForwardingRule(
        "consumer", target=attachment.id, load_balancing_scheme="", ip_address=address.id, network="default"
    )


def a_private_address_of_a_database() -> None:
    """<https://cloud.google.com/sql/docs/postgres/configure-private-services-access>."""
    network = gcp.compute.get_network(name="default")
    block = gcp.compute.GlobalAddress(
        "block", purpose="VPC_PEERING", address_type="INTERNAL", prefix_length=16, network=network.id
    )
    joined = gcp.servicenetworking.Connection(
        "joined",
        network=network.id,
        service="servicenetworking.googleapis.com",
        reserved_peering_ranges=[block.name],
        deletion_policy="ABANDON",
    )
    suffix = random.RandomId("suffix", byte_length=3)
    gcp.sql.DatabaseInstance(
        "db",
        name=suffix.hex.apply(lambda end: f"private-{end}"),
        database_version="POSTGRES_17",
        deletion_protection=False,
        settings={
            "tier": "db-perf-optimized-N-2",
            "edition": "ENTERPRISE_PLUS",
            "disk_size": 10,
            "ip_configuration": {
                "ipv4_enabled": False,
                "private_network": network.self_link,
                "ssl_mode": "ENCRYPTED_ONLY",
            },
        },
        opts=pulumi.ResourceOptions(depends_on=[joined]),
    )


def a_database_reached_by_private_service_connect() -> None:
    """<https://cloud.google.com/sql/docs/mysql/configure-private-service-connect>."""
    main = gcp.sql.DatabaseInstance(
        "psc",
        database_version="MYSQL_8_0_31",
        region="us-central1",
        root_password="change-me-1",
        deletion_protection=False,
        settings={
            "tier": "db-custom-2-3840",
            "availability_type": "REGIONAL",
            "backup_configuration": {"enabled": True, "binary_log_enabled": True},
            "ip_configuration": {
                "ipv4_enabled": False,
                "psc_configs": [{"psc_enabled": True, "allowed_consumer_projects": ["acme-ml-prod"]}],
            },
        },
    )
    gcp.sql.DatabaseInstance(
        "replica",
        database_version="MYSQL_8_0_31",
        region="europe-west1",
        master_instance_name=main.name,
        deletion_protection=False,
        settings={"tier": "db-custom-2-3840", "deletion_protection_enabled": False},
    )
    gcp.sql.User("cloud", instance=main.name, name="app", host="10.0.0.%", type="BUILT_IN", password="x" * 32)


def a_subnet_of_two_families() -> None:
    """<https://cloud.google.com/vpc/docs/subnets#ipv6-ranges>."""
    network = gcp.compute.Network(
        "dual", auto_create_subnetworks=False, enable_ula_internal_ipv6=True, internal_ipv6_range="fd20:1:2::/48"
    )
    gcp.compute.Subnetwork(
        "dual", network=network.id, ip_cidr_range="192.168.0.0/24", stack_type="IPV4_IPV6", ipv6_access_type="INTERNAL"
    )
    gcp.compute.Subnetwork("six", network=network.id, stack_type="IPV6_ONLY", ipv6_access_type="INTERNAL")
    gcp.compute.Subnetwork(
        "public",
        network=network.id,
        ip_cidr_range="172.16.0.0/12",
        ipv6_access_type="EXTERNAL",
        stack_type="IPV4_IPV6",
        secondary_ip_ranges=[{"range_name": "pods", "ip_cidr_range": "100.64.0.0/10"}],
    )


def subnets_of_proxies() -> None:
    """<https://cloud.google.com/load-balancing/docs/proxy-only-subnets>."""
    network = gcp.compute.Network("proxies", auto_create_subnetworks=False)
    gcp.compute.Subnetwork(
        "regional", network=network.id, ip_cidr_range="10.129.0.0/23", purpose="REGIONAL_MANAGED_PROXY", role="ACTIVE"
    )
    gcp.compute.Subnetwork(
        "global",
        network=network.id,
        ip_cidr_range="10.130.0.0/26",
        purpose="GLOBAL_MANAGED_PROXY",
        role="ACTIVE",
        region="asia-east1",
    )
    gcp.compute.Subnetwork("nat", network=network.id, ip_cidr_range="10.131.0.0/24", purpose="PRIVATE_NAT")
    gcp.compute.Subnetwork("moved", network=network.id, ip_cidr_range="10.132.0.0/24", purpose="PEER_MIGRATION")


def firewalls_in_unusual_words() -> None:
    """<https://cloud.google.com/firewall/docs/firewalls>."""
    network = gcp.compute.Network("guarded")
    gcp.compute.Firewall(
        "protocols",
        network=network.name,
        allows=[
            {"protocol": "esp"},
            {"protocol": "47"},
            {"protocol": "sctp", "ports": ["1-65535"]},
            {"protocol": "icmp"},
            {"protocol": "tcp", "ports": ["22", "8000-9000"]},
        ],
        source_ranges=["10.0.0.0/8", "192.168.1.1"],
        priority=0,
    )
    gcp.compute.Firewall(
        "all",
        network=network.name,
        denies=[{"protocol": "all"}],
        direction="EGRESS",
        destination_ranges=["::/0"],
        priority=65535,
    )
    gcp.compute.Firewall(
        "tags",
        network=network.self_link,
        allows=[{"protocol": "udp"}],
        source_tags=["a-1"],
        target_tags=["b"],
        disabled=True,
    )
    gcp.compute.Firewall(
        "accounts",
        network=network.id,
        allows=[{"protocol": "tcp"}],
        source_service_accounts=["a@acme-ml-prod.iam.gserviceaccount.com"],
        target_service_accounts=["b@other-project.iam.gserviceaccount.com"],
    )
    policy = gcp.compute.NetworkFirewallPolicy("global", name="global-policy")
    gcp.compute.NetworkFirewallPolicyRule(
        "geo",
        firewall_policy=policy.name,
        priority=1,
        action="goto_next",
        direction="INGRESS",
        match={"src_region_codes": ["US"], "layer4_configs": [{"ip_protocol": "all"}]},
    )
    gcp.compute.NetworkFirewallPolicyAssociation(
        "global", name="assoc", firewall_policy=policy.id, attachment_target=network.id
    )


def translation_of_addresses_between_networks() -> None:
    """<https://cloud.google.com/nat/docs/private-nat>."""
    network = gcp.compute.Network("inner", auto_create_subnetworks=False)
    subnet = gcp.compute.Subnetwork("inner", network=network.id, ip_cidr_range="10.0.0.0/24")
    router = gcp.compute.Router(
        "inner", network=network.id, bgp={"asn": 64512, "advertise_mode": "CUSTOM", "advertised_groups": []}
    )
    gcp.compute.RouterNat(
        "public",
        router=router.name,
        nat_ip_allocate_option="AUTO_ONLY",
        source_subnetwork_ip_ranges_to_nat="LIST_OF_SUBNETWORKS",
        subnetworks=[{"name": subnet.id, "source_ip_ranges_to_nats": ["PRIMARY_IP_RANGE"]}],
        min_ports_per_vm=64,
        max_ports_per_vm=128,
        enable_dynamic_port_allocation=True,
        log_config={"enable": True, "filter": "ERRORS_ONLY"},
    )
    other = gcp.compute.Router("west", network=network.id, region="us-west1")
    addresses = [gcp.compute.Address(f"nat{n}", region="us-west1") for n in range(2)]
    gcp.compute.RouterNat(
        "manual",
        router=other.name,
        region="us-west1",
        nat_ips=[each.self_link for each in addresses],
        nat_ip_allocate_option="MANUAL_ONLY",
        source_subnetwork_ip_ranges_to_nat="ALL_SUBNETWORKS_ALL_IP_RANGES",
        drain_nat_ips=[],
    )


def two_ends_of_a_peering() -> None:
    """<https://cloud.google.com/vpc/docs/using-vpc-peering>."""
    here, there = (
        gcp.compute.Network("here", auto_create_subnetworks=False),
        gcp.compute.Network("there", project="acme-other"),
    )
    first = gcp.compute.NetworkPeering(
        "first", network=here.self_link, peer_network=there.self_link, export_custom_routes=True
    )
    gcp.compute.NetworkPeering(
        "second",
        network=there.self_link,
        peer_network=here.self_link,
        import_custom_routes=True,
        stack_type="IPV4_IPV6",
        opts=pulumi.ResourceOptions(depends_on=[first]),
    )


def routes_to_several_hops() -> None:
    """<https://cloud.google.com/vpc/docs/routes>."""
    network = gcp.compute.Network("routed", auto_create_subnetworks=False, delete_default_routes_on_create=True)
    gcp.compute.Route(
        "out", network=network.name, dest_range="0.0.0.0/0", next_hop_gateway="default-internet-gateway", priority=0
    )
    gcp.compute.Route(
        "google",
        network=network.name,
        dest_range="199.36.153.8/30",
        next_hop_gateway="global/gateways/default-internet-gateway",
    )
    gcp.compute.Route("balancer", network=network.id, dest_range="10.9.0.0/16", next_hop_ilb="10.128.0.56", tags=["a"])
    gcp.compute.Route(
        "machine",
        network=network.id,
        dest_range="10.8.0.0/16",
        next_hop_instance="router",
        next_hop_instance_zone="us-central1-f",
    )


def names_inside_and_outside() -> None:
    """<https://cloud.google.com/dns/docs/zones>."""
    network = gcp.compute.get_network(name="default")
    zone = gcp.dns.ManagedZone(
        "inner",
        dns_name="googleapis.com.",
        description="to the restricted address",
        visibility="private",
        private_visibility_config={"networks": [{"network_url": network.self_link}]},
    )
    gcp.dns.RecordSet(
        "any",
        managed_zone=zone.name,
        name="*.googleapis.com.",
        type="CNAME",
        ttl=300,
        rrdatas=["restricted.googleapis.com."],
    )
    gcp.dns.RecordSet(
        "four",
        managed_zone=zone.name,
        name=zone.dns_name.apply(lambda end: f"restricted.{end}"),
        type="A",
        ttl=0,
        rrdatas=[f"199.36.153.{n}" for n in range(4, 8)],
    )
    gcp.dns.RecordSet(
        "text",
        managed_zone=zone.name,
        name="_x._tcp.googleapis.com.",
        type="TXT",
        ttl=60,
        rrdatas=['"v=spf1 -all"', '"a b"'],
    )
    gcp.dns.ManagedZone(
        "forward",
        dns_name="corp.",
        visibility="private",
        forwarding_config={"target_name_servers": [{"ipv4_address": "10.0.0.53", "forwarding_path": "private"}]},
        private_visibility_config={"networks": [{"network_url": network.id}]},
    )


def a_balancer_of_everything() -> None:
    """<https://cloud.google.com/load-balancing/docs/https/setup-global-ext-https-serverless>."""
    service = gcp.cloudrunv2.Service(
        "web",
        location="us-central1",
        ingress="INGRESS_TRAFFIC_INTERNAL_LOAD_BALANCER",
        deletion_protection=False,
        template={"containers": [{"image": "us-docker.pkg.dev/cloudrun/container/hello"}]},
    )
    group = gcp.compute.RegionNetworkEndpointGroup(
        "web", region="us-central1", network_endpoint_type="SERVERLESS", cloud_run={"service": service.name}
    )
    backend = gcp.compute.BackendService(
        "web", load_balancing_scheme="EXTERNAL_MANAGED", backends=[{"group": group.id}], protocol="HTTPS"
    )
    bucket = gcp.storage.Bucket("static", location="US", uniform_bucket_level_access=True)
    files = gcp.compute.BackendBucket("static", bucket_name=bucket.name, enable_cdn=True)
    urls = gcp.compute.URLMap(
        "web",
        default_service=backend.id,
        host_rules=[{"hosts": ["*"], "path_matcher": "all"}],
        path_matchers=[
            {
                "name": "all",
                "default_service": backend.id,
                "path_rules": [{"paths": ["/static/*"], "service": files.id}],
            }
        ],
    )
    certificate = gcp.compute.ManagedSslCertificate("web", managed={"domains": ["example.com.", "www.example.com"]})
    proxy = gcp.compute.TargetHttpsProxy("web", url_map=urls.id, ssl_certificates=[certificate.id])
    gcp.compute.GlobalForwardingRule("web", target=proxy.id, port_range="443", load_balancing_scheme="EXTERNAL_MANAGED")
