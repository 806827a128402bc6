"""Clusters and machines of Google Cloud that are right by its documentation and seldom seen."""

from __future__ import annotations

import pulumi
import pulumi_gcp as gcp


def a_slice_of_tpus_in_a_pool() -> None:
    """<https://cloud.google.com/kubernetes-engine/docs/how-to/tpus>."""
    cluster = gcp.container.Cluster(
        "tpu", location="us-east5", initial_node_count=1, remove_default_node_pool=True, deletion_protection=False
    )
    gcp.container.NodePool(
        "single",
        cluster=cluster.name,
        location="us-east5",
        node_locations=["us-east5-a"],
        node_count=0,
        node_config={"machine_type": "ct5p-hightpu-4t"},
        autoscaling={"total_min_node_count": 0, "total_max_node_count": 3},
    )
    gcp.container.NodePool(
        "multi",
        cluster=cluster.name,
        location="us-east5",
        node_locations=["us-east5-a"],
        initial_node_count=4,
        node_config={"machine_type": "ct5p-hightpu-4t", "spot": True},
        placement_policy={"type": "COMPACT", "tpu_topology": "2x2x4"},
    )


def tpu_machines_without_a_cluster() -> None:
    """<https://cloud.google.com/tpu/docs/queued-resources>."""
    versions = gcp.tpu.get_v2_runtime_versions(zone="us-central1-b")
    gcp.tpu.V2Vm("one", zone="us-central1-a", runtime_version="v2-alpha-tpuv5-lite", accelerator_type="v5litepod-4")
    gcp.tpu.V2QueuedResource(
        "queue",
        zone="us-central1-a",
        project="acme-ml-prod",
        tpu={
            "node_specs": [
                {
                    "parent": "projects/acme-ml-prod/locations/us-central1-a",
                    "node_id": "n-1",
                    "node": {"runtime_version": "tpu-vm-tf-2.13.0", "accelerator_type": "v2-8"},
                }
            ]
        },
    )
    pulumi.export("versions", versions.versions)


def a_zonal_cluster_of_one_machine() -> None:
    """<https://cloud.google.com/kubernetes-engine/docs/how-to/creating-a-zonal-cluster>."""
    found = gcp.container.get_engine_versions(location="us-central1-c", version_prefix="1.33.")
    cluster = gcp.container.Cluster(
        "zonal",
        location="us-central1-c",
        node_locations=["us-central1-a", "us-central1-b"],
        initial_node_count=1,
        min_master_version=found.latest_master_version,
        networking_mode="ROUTES",
        cluster_ipv4_cidr="/19",
        node_config={"machine_type": "e2-medium", "disk_size_gb": 15, "disk_type": "pd-standard"},
        deletion_protection=False,
        opts=pulumi.ResourceOptions(ignore_changes=["nodeConfig", "nodeVersion"]),
    )
    gcp.container.NodePool(
        "custom",
        cluster=cluster.id,
        node_count=0,
        max_pods_per_node=8,
        node_config={
            "machine_type": "n2-custom-6-3072",
            "image_type": "UBUNTU_CONTAINERD",
            "preemptible": True,
            "local_ssd_count": 0,
            "oauth_scopes": ["cloud-platform", "https://www.googleapis.com/auth/devstorage.read_only"],
            "taints": [{"key": "k", "value": "", "effect": "NO_SCHEDULE"}],
            "labels": {"acme.com/tier": "cold"},
        },
    )


def a_cluster_that_makes_its_pools() -> None:
    """<https://cloud.google.com/kubernetes-engine/docs/how-to/node-auto-provisioning>."""
    gcp.container.Cluster(
        "nap",
        location="europe-west4-a",
        initial_node_count=1,
        deletion_protection=False,
        cluster_autoscaling={
            "enabled": True,
            "autoscaling_profile": "OPTIMIZE_UTILIZATION",
            "resource_limits": [
                {"resource_type": "cpu", "minimum": 0, "maximum": 1000},
                {"resource_type": "memory", "maximum": 64},
                {"resource_type": "nvidia-tesla-t4", "maximum": 4},
            ],
            "auto_provisioning_defaults": {
                "oauth_scopes": ["https://www.googleapis.com/auth/cloud-platform"],
                "management": {"auto_upgrade": True, "auto_repair": True},
            },
        },
        maintenance_policy={
            "recurring_window": {
                "start_time": "2019-08-01T02:00:00Z",
                "end_time": "2019-08-01T06:00:00Z",
                "recurrence": "FREQ=WEEKLY;BYDAY=SA,SU",
            },
            "maintenance_exclusions": [],
        },
        datapath_provider="ADVANCED_DATAPATH",
        workload_identity_config={"workload_pool": "acme-ml-prod.svc.id.goog"},
        master_authorized_networks_config={"cidr_blocks": [], "gcp_public_cidrs_access_enabled": True},
    )


def pools_of_accelerators_shared_by_time() -> None:
    """<https://cloud.google.com/kubernetes-engine/docs/how-to/timesharing-gpus>."""
    for n, (machine, kind, count, zones) in enumerate(
        [
            ("a2-highgpu-1g", "nvidia-tesla-a100", 1, ["us-central1-c"]),
            ("g2-standard-24", "nvidia-l4", 2, ["us-central1-a", "us-central1-b"]),
            ("n1-standard-2", "nvidia-tesla-t4", 1, ["us-central1-a"]),
        ]
    ):
        gcp.container.NodePool(
            f"gpu{n}",
            cluster="central",
            location="us-central1",
            node_locations=zones,
            initial_node_count=0,
            autoscaling={"min_node_count": 0, "max_node_count": 1, "location_policy": "ANY"},
            node_config={
                "machine_type": machine,
                "guest_accelerators": [
                    {
                        "type": kind,
                        "count": count,
                        "gpu_driver_installation_config": {"gpu_driver_version": "INSTALLATION_DISABLED"},
                        "gpu_sharing_config": {
                            "gpu_sharing_strategy": "TIME_SHARING",
                            "max_shared_clients_per_gpu": 48,
                        },
                    }
                ],
            },
        )
    gcp.container.NodePool(
        "mig",
        cluster="projects/acme-ml-prod/locations/us-central1/clusters/central",
        node_count=1,
        node_locations=["us-central1-c"],
        node_config={
            "machine_type": "a2-highgpu-1g",
            "guest_accelerators": [{"type": "nvidia-tesla-a100", "count": 1, "gpu_partition_size": "1g.5gb"}],
        },
    )


def pools_started_when_capacity_is_there() -> None:
    """<https://cloud.google.com/kubernetes-engine/docs/how-to/dws-flex-start-training>."""
    gcp.container.NodePool(
        "flex",
        cluster="central",
        location="us-central1",
        node_locations=["us-central1-a"],
        node_count=0,
        management={"auto_repair": False, "auto_upgrade": False},
        node_config={
            "machine_type": "a3-highgpu-8g",
            "flex_start": True,
            "max_run_duration": "604800s",
            "reservation_affinity": {"consume_reservation_type": "NO_RESERVATION"},
            "guest_accelerators": [{"type": "nvidia-h100-80gb", "count": 8}],
        },
        autoscaling={"total_min_node_count": 0, "total_max_node_count": 4, "location_policy": "ANY"},
    )
    gcp.container.NodePool(
        "queued",
        cluster="central",
        location="us-central1",
        node_locations=["us-central1-a"],
        initial_node_count=0,
        queued_provisioning={"enabled": True},
        management={"auto_repair": False, "auto_upgrade": False},
        autoscaling={"min_node_count": 0, "max_node_count": 10, "location_policy": "ANY"},
        node_config={
            "machine_type": "g2-standard-4",
            "reservation_affinity": {"consume_reservation_type": "NO_RESERVATION"},
        },
    )


def machines_of_several_sizes() -> None:
    """<https://cloud.google.com/compute/docs/instances/creating-instance-with-custom-machine-type>."""
    image = gcp.compute.get_image(family="ubuntu-2404-lts-amd64", project="ubuntu-os-cloud")
    for n, kind in enumerate(
        ["e2-custom-micro-1024", "n2d-custom-4-12544-ext", "custom-2-2048", "f1-micro", "e2-custom-2-4096"]
    ):
        gcp.compute.Instance(
            f"m{n}",
            machine_type=kind,
            zone="us-central1-a",
            boot_disk={"initialize_params": {"image": image.self_link, "size": 10}},
            network_interfaces=[{"network": "default"}],
            allow_stopping_for_update=True,
            hostname=f"m{n}.example.com",
            scheduling={"preemptible": True, "automatic_restart": False} if n else {},
            tags=["http-server"],
        )
    gcp.compute.Instance(
        "spot",
        machine_type="https://www.googleapis.com/compute/v1/projects/acme-ml-prod/zones/us-central1-a/machineTypes/t2d-standard-1",
        zone="us-central1-a",
        boot_disk={"source": "projects/acme-ml-prod/zones/us-central1-a/disks/d", "auto_delete": False},
        network_interfaces=[
            {"subnetwork": "default", "nic_type": "GVNIC", "stack_type": "IPV4_ONLY", "access_configs": [{}]}
        ],
        scheduling={
            "provisioning_model": "SPOT",
            "preemptible": True,
            "automatic_restart": False,
            "instance_termination_action": "DELETE",
            "max_run_duration": {"seconds": 60},
        },
        service_account={"email": "default", "scopes": ["storage-ro", "https://www.googleapis.com/auth/logging.write"]},
        metadata={"enable-oslogin": "TRUE", "ssh-keys": "a:ssh-ed25519 AAAA a"},
    )


def a_machine_with_accelerators_and_disks() -> None:
    """<https://cloud.google.com/compute/docs/gpus/create-gpu-vm-accelerator-optimized>."""
    boot = {
        "initialize_params": {
            "image": "projects/ml-images/global/images/family/common-cu124-debian-11",
            "type": "pd-ssd",
            "size": 50,
        }
    }
    gcp.compute.Instance(
        "a2",
        machine_type="a2-ultragpu-1g",
        zone="us-central1-c",
        boot_disk=boot,
        network_interfaces=[{"network": "global/networks/default"}],
        scheduling={"on_host_maintenance": "TERMINATE"},
    )
    gcp.compute.Instance(
        "n1",
        machine_type="n1-highmem-8",
        zone="us-central1-a",
        boot_disk=boot,
        network_interfaces=[{"network": "default"}],
        guest_accelerators=[{"type": "nvidia-tesla-t4-vws", "count": 2}],
        scheduling={"on_host_maintenance": "TERMINATE", "automatic_restart": True},
        scratch_disks=[{"interface": "NVME"} for _ in range(8)],
    )
    gcp.compute.Instance(
        "local",
        machine_type="c3-standard-8-lssd",
        zone="us-central1-a",
        network_interfaces=[{"network": "default"}],
        boot_disk={
            "initialize_params": {
                "image": "debian-12",
                "type": "hyperdisk-balanced",
                "provisioned_iops": 3000,
                "provisioned_throughput": 140,
            }
        },
    )


def disks_of_every_kind() -> None:
    """<https://cloud.google.com/compute/docs/disks>."""
    gcp.compute.Disk("extreme", type="pd-extreme", size=500, provisioned_iops=10000, zone="us-central1-a")
    gcp.compute.Disk(
        "balanced",
        type="hyperdisk-balanced",
        size=4,
        provisioned_iops=2000,
        provisioned_throughput=140,
        zone="us-central1-a",
        access_mode="READ_WRITE_MANY",
    )
    gcp.compute.Disk(
        "models",
        type="hyperdisk-ml",
        size=100,
        access_mode="READ_ONLY_MANY",
        zone="us-central1-a",
        image="debian-cloud/debian-12",
    )
    gcp.compute.Disk(
        "throughput", type="hyperdisk-throughput", size=2048, provisioned_throughput=20, zone="us-central1-a"
    )
    gcp.compute.Disk(
        "sized",
        image="family/debian-12",
        zone="us-central1-f",
        type="projects/acme-ml-prod/zones/us-central1-f/diskTypes/pd-standard",
    )
    gcp.compute.RegionDisk(
        "two",
        replica_zones=["us-central1-a", "projects/acme-ml-prod/zones/us-central1-f"],
        size=10,
        region="us-central1",
        type="pd-balanced",
    )
    gcp.compute.Snapshot(
        "kept",
        source_disk="projects/acme-ml-prod/zones/us-central1-a/disks/d",
        chain_name="a",
        storage_locations=["eu"],
    )


def groups_of_machines_by_templates() -> None:
    """<https://cloud.google.com/compute/docs/instance-groups/rolling-out-updates-to-managed-instance-groups>."""
    template = gcp.compute.RegionInstanceTemplate(
        "t",
        region="us-central1",
        machine_type="e2-small",
        network_interfaces=[{"network": "default"}],
        disks=[{"source_image": "cos-cloud/cos-stable", "boot": True, "auto_delete": True, "disk_type": "pd-ssd"}],
        name_prefix="canary-",
        opts=pulumi.ResourceOptions(delete_before_replace=False),
    )
    gcp.compute.RegionInstanceGroupManager(
        "g",
        region="us-central1",
        base_instance_name="a",
        versions=[
            {"instance_template": template.id, "name": "main"},
            {
                "instance_template": "projects/acme-ml-prod/global/instanceTemplates/next",
                "name": "canary",
                "target_size": {"percent": 20},
            },
        ],
        target_size=0,
        update_policy={
            "type": "OPPORTUNISTIC",
            "minimal_action": "REFRESH",
            "max_surge_fixed": 0,
            "max_unavailable_percent": 100,
            "replacement_method": "RECREATE",
        },
        named_ports=[{"name": "http", "port": 8080}],
        distribution_policy_target_shape="ANY",
    )
    gcp.compute.InstanceGroupManager(
        "z",
        zone="us-central1-a",
        base_instance_name="b-####",
        versions=[{"instance_template": template.self_link}],
        update_policy={
            "type": "PROACTIVE",
            "minimal_action": "REPLACE",
            "max_surge_percent": 20,
            "max_unavailable_fixed": 0,
        },
    )
    gcp.compute.RegionAutoscaler(
        "s",
        region="us-central1",
        target="projects/acme-ml-prod/regions/us-central1/instanceGroupManagers/g",
        autoscaling_policy={
            "min_replicas": 0,
            "max_replicas": 5,
            "cooldown_period": 0,
            "metrics": [
                {
                    "name": "pubsub.googleapis.com/subscription/num_undelivered_messages",
                    "filter": 'resource.type = "pubsub_subscription"',
                    "single_instance_assignment": 0.5,
                }
            ],
        },
    )


def reservations_and_placements() -> None:
    """<https://cloud.google.com/compute/docs/instances/reservations-shared>."""
    gcp.compute.Reservation(
        "shared",
        zone="us-central1-a",
        specific_reservation_required=True,
        share_settings={
            "share_type": "SPECIFIC_PROJECTS",
            "project_maps": [{"id": "acme-other", "project_id": "acme-other"}],
        },
        specific_reservation={
            "count": 1,
            "instance_properties": {
                "machine_type": "n1-standard-4",
                "min_cpu_platform": "Intel Skylake",
                "guest_accelerators": [{"accelerator_type": "nvidia-tesla-t4", "accelerator_count": 1}],
            },
        },
    )
    near = gcp.compute.ResourcePolicy(
        "near", region="us-central1", group_placement_policy={"collocation": "COLLOCATED", "vm_count": 2}
    )
    gcp.compute.ResourcePolicy("far", region="us-central1", group_placement_policy={"availability_domain_count": 8})
    gcp.compute.ResourcePolicy(
        "nightly",
        region="us-central1",
        snapshot_schedule_policy={"schedule": {"hourly_schedule": {"hours_in_cycle": 20, "start_time": "23:00"}}},
    )
    gcp.compute.Instance(
        "c2",
        machine_type="c2-standard-4",
        zone="us-central1-a",
        resource_policies=near.id,
        boot_disk={"initialize_params": {"image": "debian-cloud/debian-12"}},
        network_interfaces=[{"network": "default"}],
        scheduling={"on_host_maintenance": "TERMINATE", "automatic_restart": False},
        reservation_affinity={
            "type": "SPECIFIC_RESERVATION",
            "specific_reservation": {
                "key": "compute.googleapis.com/reservation-name",
                "values": ["projects/acme-other/reservations/r"],
            },
        },
    )
