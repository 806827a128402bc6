"""Clusters, machines and load balancers of Google Cloud that are right by its documentation and seldom seen."""

from __future__ import annotations

import pulumi
import pulumi_gcp as gcp


def a_cluster_reached_by_its_identity() -> None:
    """<https://cloud.google.com/kubernetes-engine/docs/how-to/workload-identity>."""
    me = gcp.organizations.get_client_config()
    project = gcp.organizations.get_project(project_id=me.project)
    account = gcp.serviceaccount.Account("app", account_id="app-123456")
    gcp.serviceaccount.IAMBinding(
        "app",
        service_account_id=account.name,
        role="roles/iam.workloadIdentityUser",
        members=[f"serviceAccount:{me.project}.svc.id.goog[team-a/app]"],
    )
    gcp.storage.BucketIAMMember(
        "app",
        bucket="acme-models",
        role="roles/storage.objectUser",
        member=f"principal://iam.googleapis.com/projects/{project.number}/locations/global/workloadIdentityPools/{me.project}.svc.id.goog/subject/ns/team-a/sa/app",
    )
    gcp.projects.IAMMember(
        "all",
        project=project.project_id,
        role="roles/monitoring.viewer",
        member=f"principalSet://iam.googleapis.com/projects/{project.number}/locations/global/workloadIdentityPools/{me.project}.svc.id.goog/namespace/team-a",
    )


def a_cluster_with_private_nodes_and_authorised_names() -> None:
    """<https://cloud.google.com/kubernetes-engine/docs/how-to/latest/network-isolation>."""
    network = gcp.compute.Network("gke", auto_create_subnetworks=False)
    subnet = gcp.compute.Subnetwork(
        "gke",
        network=network.id,
        region="us-central1",
        ip_cidr_range="10.4.0.0/22",
        private_ip_google_access=True,
        secondary_ip_ranges=[
            {"range_name": "pods", "ip_cidr_range": "10.8.0.0/14"},
            {"range_name": "services", "ip_cidr_range": "34.118.224.0/20"},
        ],
    )
    gcp.container.Cluster(
        "private",
        location="us-central1",
        network=network.id,
        subnetwork=subnet.id,
        remove_default_node_pool=True,
        initial_node_count=1,
        deletion_protection=False,
        ip_allocation_policy={
            "cluster_secondary_range_name": "pods",
            "services_secondary_range_name": "services",
            "stack_type": "IPV4",
        },
        private_cluster_config={
            "enable_private_nodes": True,
            "private_endpoint_subnetwork": subnet.name,
            "master_global_access_config": {"enabled": True},
        },
        master_authorized_networks_config={
            "cidr_blocks": [{"cidr_block": "203.0.113.7/32", "display_name": ""}],
            "private_endpoint_enforcement_enabled": True,
        },
        default_max_pods_per_node=110,
        addons_config={
            "http_load_balancing": {"disabled": True},
            "gcs_fuse_csi_driver_config": {"enabled": True},
            "ray_operator_configs": [{"enabled": True}],
        },
        node_pool_auto_config={"resource_manager_tags": {"tagKeys/281478395625645": "tagValues/281479445058375"}},
        fleet={"project": "acme-fleet"},
        gateway_api_config={"channel": "CHANNEL_STANDARD"},
        secret_manager_config={"enabled": True},
        cost_management_config={"enabled": True},
        logging_config={"enable_components": []},
        monitoring_config={"enable_components": ["SYSTEM_COMPONENTS", "DCGM"], "managed_prometheus": {"enabled": True}},
    )


def a_pool_in_a_second_range_and_network() -> None:
    """<https://cloud.google.com/kubernetes-engine/docs/how-to/multi-pod-cidr>."""
    gcp.container.NodePool(
        "ranges",
        cluster="central",
        location="us-central1",
        initial_node_count=1,
        network_config={
            "create_pod_range": True,
            "pod_range": "more-pods",
            "pod_ipv4_cidr_block": "/21",
            "enable_private_nodes": True,
        },
        upgrade_settings={
            "strategy": "BLUE_GREEN",
            "blue_green_settings": {
                "node_pool_soak_duration": "0s",
                "standard_rollout_policy": {"batch_percentage": 0.5, "batch_soak_duration": "3600s"},
            },
        },
    )
    gcp.container.NodePool(
        "surge",
        cluster="central",
        location="us-central1",
        node_count=1,
        upgrade_settings={"max_surge": 0, "max_unavailable": 1},
        name_prefix="p-",
        version="1.33.4-gke.1134000",
        management={"auto_upgrade": False, "auto_repair": True},
        node_config={
            "machine_type": "n2-standard-4",
            "linux_node_config": {"sysctls": {"net.core.somaxconn": "2048"}, "cgroup_mode": "CGROUP_MODE_V2"},
            "kubelet_config": {"cpu_manager_policy": "static", "pod_pids_limit": 1024, "cpu_cfs_quota": True},
            "ephemeral_storage_local_ssd_config": {"local_ssd_count": 1},
            "metadata": {"disable-legacy-endpoints": "true"},
            "gvnic": {"enabled": True},
            "shielded_instance_config": {"enable_secure_boot": True},
        },
    )


def machines_in_a_sole_tenant_group() -> None:
    """<https://cloud.google.com/compute/docs/nodes/provisioning-sole-tenant-vms>."""
    template = gcp.compute.NodeTemplate(
        "soles",
        region="us-central1",
        node_type="n1-node-96-624",
        node_affinity_labels={"team": "ml"},
        cpu_overcommit_type="ENABLED",
    )
    group = gcp.compute.NodeGroup(
        "soles",
        zone="us-central1-a",
        node_template=template.id,
        autoscaling_policy={"mode": "ONLY_SCALE_OUT", "min_nodes": 0, "max_nodes": 2},
        maintenance_policy="RESTART_IN_PLACE",
        initial_size=0,
    )
    gcp.compute.Instance(
        "soles",
        zone="us-central1-a",
        machine_type="n1-standard-2",
        boot_disk={"initialize_params": {"image": "debian-cloud/debian-12"}},
        network_interfaces=[{"network": "default"}],
        min_cpu_platform="Intel Skylake",
        scheduling={
            "min_node_cpus": 2,
            "node_affinities": [
                {"key": "compute.googleapis.com/node-group-name", "operator": "IN", "values": [group.name]}
            ],
        },
    )


def machines_that_keep_secrets() -> None:
    """<https://cloud.google.com/confidential-computing/confidential-vm/docs/create-a-confidential-vm-instance>."""
    for name, machine, kind, host, image in (
        ("sev", "n2d-standard-2", "SEV", "MIGRATE", "ubuntu-2204-lts"),
        ("snp", "n2d-standard-2", "SEV_SNP", "TERMINATE", "ubuntu-2204-lts"),
        ("tdx", "c3-standard-4", "TDX", "TERMINATE", "ubuntu-2204-lts"),
    ):
        gcp.compute.Instance(
            name,
            zone="us-central1-a",
            machine_type=machine,
            min_cpu_platform="AMD Milan" if kind == "SEV_SNP" else None,
            boot_disk={"initialize_params": {"image": f"ubuntu-os-cloud/{image}"}},
            network_interfaces=[{"network": "default", "nic_type": "GVNIC"}],
            confidential_instance_config={"confidential_instance_type": kind, "enable_confidential_compute": True},
            scheduling={"on_host_maintenance": host},
        )


def machines_with_several_networks() -> None:
    """<https://cloud.google.com/vpc/docs/create-use-multiple-interfaces>."""
    subnets = [
        gcp.compute.Subnetwork(
            f"n{n}",
            network=gcp.compute.Network(f"n{n}", auto_create_subnetworks=False, mtu=1500).id,
            region="us-central1",
            ip_cidr_range=f"10.{n}.0.0/24",
        )
        for n in range(3)
    ]
    address = gcp.compute.Address(
        "inside", address_type="INTERNAL", subnetwork=subnets[0].id, region="us-central1", address="10.0.0.42"
    )
    gcp.compute.Instance(
        "router",
        zone="us-central1-a",
        machine_type="n2-standard-4",
        can_ip_forward=True,
        boot_disk={"initialize_params": {"image": "debian-cloud/debian-12", "labels": {"a": ""}}},
        network_interfaces=[
            {"subnetwork": subnets[0].id, "network_ip": address.address, "alias_ip_ranges": [{"ip_cidr_range": "/30"}]},
            {"subnetwork": subnets[1].self_link},
            {"subnetwork": subnets[2].name, "queue_count": 2},
        ],
        shielded_instance_config={"enable_secure_boot": False},
        network_performance_config={"total_egress_bandwidth_tier": "DEFAULT"},
        key_revocation_action_type="NONE",
        desired_status="TERMINATED",
    )


def an_internal_balancer_of_a_group() -> None:
    """<https://cloud.google.com/load-balancing/docs/internal/setting-up-internal>."""
    network = gcp.compute.Network("lb", auto_create_subnetworks=False)
    subnet = gcp.compute.Subnetwork("lb", network=network.id, ip_cidr_range="10.1.2.0/24", region="us-west1")
    check = gcp.compute.RegionHealthCheck(
        "lb", region="us-west1", grpc_health_check={"port_specification": "USE_SERVING_PORT"}, healthy_threshold=1
    )
    backend = gcp.compute.RegionBackendService(
        "lb",
        region="us-west1",
        protocol="UNSPECIFIED",
        load_balancing_scheme="INTERNAL",
        health_checks=check.self_link,
        connection_draining_timeout_sec=0,
        session_affinity="CLIENT_IP_NO_DESTINATION",
        backends=[
            {
                "group": "projects/acme-ml-prod/zones/us-west1-a/instanceGroups/g",
                "balancing_mode": "CONNECTION",
                "failover": True,
            }
        ],
        failover_policy={"failover_ratio": 0.1, "drop_traffic_if_unhealthy": True},
    )
    gcp.compute.ForwardingRule(
        "lb",
        region="us-west1",
        load_balancing_scheme="INTERNAL",
        backend_service=backend.self_link,
        ip_protocol="L3_DEFAULT",
        all_ports=True,
        network=network.name,
        subnetwork=subnet.name,
        allow_global_access=True,
        service_label="api",
    )
    gcp.compute.ForwardingRule(
        "ports",
        region="us-west1",
        load_balancing_scheme="INTERNAL",
        backend_service=backend.id,
        ip_protocol="UDP",
        ports=["53", "853"],
        subnetwork=subnet.id,
        network=network.id,
        ip_address="10.1.2.99",
        is_mirroring_collector=False,
    )


def a_balancer_of_packets_from_outside() -> None:
    """<https://cloud.google.com/load-balancing/docs/network/setting-up-network-backend-service>."""
    check = gcp.compute.RegionHealthCheck(
        "out",
        region="us-central1",
        https_health_check={"port": 443, "request_path": "/healthz", "host": "a.example.com"},
        check_interval_sec=300,
        timeout_sec=300,
    )
    backend = gcp.compute.RegionBackendService(
        "out", region="us-central1", protocol="TCP", load_balancing_scheme="EXTERNAL", health_checks=check.id
    )
    gcp.compute.ForwardingRule(
        "out",
        region="us-central1",
        load_balancing_scheme="EXTERNAL",
        backend_service=backend.id,
        port_range="1-65535",
        ip_protocol="TCP",
        network_tier="PREMIUM",
    )
    pool = gcp.compute.TargetPool(
        "old", region="us-central1", instances=["us-central1-a/web-1"], session_affinity="CLIENT_IP_PROTO"
    )
    gcp.compute.ForwardingRule(
        "old", region="us-central1", target=pool.self_link, port_range="8080", network_tier="STANDARD"
    )
    gcp.compute.GlobalAddress("six", ip_version="IPV6")


def a_regional_balancer_with_its_proxies() -> None:
    """<https://cloud.google.com/load-balancing/docs/l7-internal/setting-up-l7-internal>."""
    network = gcp.compute.Network("l7", auto_create_subnetworks=False)
    proxies = gcp.compute.Subnetwork(
        "proxies",
        network=network.id,
        ip_cidr_range="10.129.0.0/26",
        region="europe-west1",
        purpose="REGIONAL_MANAGED_PROXY",
        role="ACTIVE",
    )
    front = gcp.compute.Subnetwork("front", network=network.id, ip_cidr_range="10.2.0.0/28", region="europe-west1")
    group = gcp.compute.RegionNetworkEndpointGroup(
        "psc",
        region="europe-west1",
        network_endpoint_type="PRIVATE_SERVICE_CONNECT",
        psc_target_service="europe-west1-cloudkms.googleapis.com",
    )
    backend = gcp.compute.RegionBackendService(
        "l7",
        region="europe-west1",
        protocol="HTTPS",
        load_balancing_scheme="INTERNAL_MANAGED",
        backends=[{"group": group.self_link, "balancing_mode": "UTILIZATION", "capacity_scaler": 1.0}],
    )
    urls = gcp.compute.RegionUrlMap("l7", region="europe-west1", default_service=backend.id)
    proxy = gcp.compute.RegionTargetHttpProxy("l7", region="europe-west1", url_map=urls.id)
    gcp.compute.ForwardingRule(
        "l7",
        region="europe-west1",
        load_balancing_scheme="INTERNAL_MANAGED",
        target=proxy.id,
        port_range="80",
        ip_protocol="TCP",
        network=network.id,
        subnetwork=front.id,
        opts=pulumi.ResourceOptions(depends_on=[proxies]),
    )


def shields_against_floods() -> None:
    """<https://cloud.google.com/armor/docs/configure-security-policies>."""
    gcp.compute.SecurityPolicy(
        "edge",
        adaptive_protection_config={"layer7_ddos_defense_config": {"enable": True}},
        rules=[
            {
                "action": "deny(403)",
                "priority": 0,
                "match": {
                    "expr": {"expression": "origin.region_code == 'XX' && evaluatePreconfiguredWaf('sqli-v33-stable')"}
                },
            },
            {
                "action": "throttle",
                "priority": 1000,
                "match": {"versioned_expr": "SRC_IPS_V1", "config": {"src_ip_ranges": ["*"]}},
                "rate_limit_options": {
                    "conform_action": "allow",
                    "exceed_action": "deny(429)",
                    "enforce_on_key": "",
                    "enforce_on_key_configs": [{"enforce_on_key_type": "IP"}],
                    "rate_limit_threshold": {"count": 100, "interval_sec": 60},
                },
            },
            {
                "action": "allow",
                "priority": 2147483647,
                "match": {"versioned_expr": "SRC_IPS_V1", "config": {"src_ip_ranges": ["*"]}},
            },
        ],
    )
    gcp.compute.SecurityPolicy(
        "backend",
        type="CLOUD_ARMOR_EDGE",
        rules=[
            {
                "action": "allow",
                "priority": 2147483647,
                "match": {"versioned_expr": "SRC_IPS_V1", "config": {"src_ip_ranges": ["*"]}},
            }
        ],
    )
