"""Services and stores of Google Cloud that are right by its documentation and seldom seen."""

from __future__ import annotations

import json

import pulumi
import pulumi_gcp as gcp


def services_without_machines() -> None:
    """<https://cloud.google.com/run/docs/configuring/services/cpu>."""
    gcp.cloudrunv2.Service(
        "small",
        location="us-central1",
        deletion_protection=False,
        template={
            "max_instance_request_concurrency": 1,
            "timeout": "3600s",
            "containers": [
                {
                    "image": "us-docker.pkg.dev/p/r/i@sha256:" + "0f" * 32,
                    "resources": {"limits": {"cpu": "0.08", "memory": "128Mi"}, "cpu_idle": True},
                    "ports": {"container_port": 8080, "name": "h2c"},
                }
            ],
        },
    )
    gcp.cloudrunv2.Service(
        "gpu",
        location="us-central1",
        deletion_protection=False,
        launch_stage="GA",
        template={
            "node_selector": {"accelerator": "nvidia-l4"},
            "gpu_zonal_redundancy_disabled": True,
            "scaling": {"min_instance_count": 0, "max_instance_count": 1},
            "containers": [
                {
                    "image": "gcr.io/cloudrun/hello",
                    "resources": {
                        "limits": {"cpu": "4", "memory": "16Gi", "nvidia.com/gpu": "1"},
                        "startup_cpu_boost": True,
                        "cpu_idle": False,
                    },
                }
            ],
        },
    )
    gcp.cloudrunv2.Service(
        "sidecar",
        location="us-central1",
        deletion_protection=False,
        template={
            "execution_environment": "EXECUTION_ENVIRONMENT_GEN2",
            "containers": [
                {
                    "name": "app",
                    "image": "gcr.io/cloudrun/hello",
                    "ports": {"container_port": 8080},
                    "depends_ons": ["proxy"],
                    "volume_mounts": [{"name": "b", "mount_path": "/data"}],
                },
                {"name": "proxy", "image": "envoyproxy/envoy:v1.32.1", "startup_probe": {"tcp_socket": {"port": 9901}}},
            ],
            "volumes": [{"name": "b", "gcs": {"bucket": "acme-data", "read_only": True}}],
        },
        traffics=[
            {"type": "TRAFFIC_TARGET_ALLOCATION_TYPE_LATEST", "percent": 100},
            {"type": "TRAFFIC_TARGET_ALLOCATION_TYPE_REVISION", "revision": "sidecar-1", "tag": "old"},
        ],
    )
    gcp.cloudrunv2.Job(
        "job",
        location="us-central1",
        deletion_protection=False,
        template={
            "task_count": 10000,
            "parallelism": 0,
            "template": {
                "max_retries": 0,
                "timeout": "604800s",
                "containers": [{"image": "gcr.io/cloudrun/job", "args": ["$(CLOUD_RUN_TASK_INDEX)"]}],
            },
        },
    )


def functions_triggered_by_events() -> None:
    """<https://cloud.google.com/functions/docs/calling/eventarc>."""
    bucket = gcp.storage.Bucket("code", location="US", uniform_bucket_level_access=True)
    source = gcp.storage.BucketObject(
        "code",
        bucket=bucket.name,
        name=pulumi.Output.concat("code-", bucket.name, ".zip"),
        source=pulumi.AssetArchive({"main.py": pulumi.StringAsset("x = 1")}),
    )
    gcp.cloudfunctionsv2.Function(
        "f",
        location="us-central1",
        build_config={
            "runtime": "python312",
            "entry_point": "main",
            "source": {"storage_source": {"bucket": bucket.name, "object": source.name}},
        },
        service_config={
            "available_memory": "256M",
            "available_cpu": "0.1666",
            "max_instance_request_concurrency": 1,
            "timeout_seconds": 540,
        },
        event_trigger={
            "event_type": "google.cloud.storage.object.v1.finalized",
            "trigger_region": "us",
            "event_filters": [{"attribute": "bucket", "value": bucket.name}],
        },
    )
    gcp.cloudscheduler.Job(
        "s",
        schedule="*/7 9-17 * jan-mar mon-fri",
        time_zone="Asia/Kathmandu",
        attempt_deadline="15s",
        http_target={
            "uri": "https://example.com/",
            "http_method": "POST",
            "body": "e30=",
            "oidc_token": {"service_account_email": "a@acme-ml-prod.iam.gserviceaccount.com"},
        },
    )
    gcp.cloudscheduler.Job(
        "w", schedule="every 12 hours", pubsub_target={"topic_name": "projects/acme-ml-prod/topics/t", "data": "aGk="}
    )


def models_trained_and_served() -> None:
    """<https://cloud.google.com/vertex-ai/docs/predictions/use-private-endpoints>."""
    gcp.vertex.AiEndpoint(
        "private",
        name="1234567890",
        display_name="private",
        location="us-central1",
        network="projects/123456789012/global/networks/default",
    )
    gcp.vertex.AiEndpoint(
        "psc",
        name="psc-endpoint",
        display_name="psc",
        location="us-central1",
        private_service_connect_config={"enable_private_service_connect": True, "project_allowlists": ["acme-other"]},
    )
    gcp.vertex.AiIndex(
        "i",
        display_name="i",
        region="us-central1",
        metadata={
            "contents_delta_uri": "gs://acme-data/c",
            "config": {
                "dimensions": 2,
                "approximate_neighbors_count": 150,
                "distance_measure_type": "DOT_PRODUCT_DISTANCE",
                "algorithm_config": {
                    "tree_ah_config": {"leaf_node_embedding_count": 500, "leaf_nodes_to_search_percent": 7}
                },
            },
        },
        index_update_method="BATCH_UPDATE",
    )
    gcp.workbench.Instance(
        "w",
        location="us-central1-a",
        gce_setup={
            "machine_type": "n1-standard-1",
            "accelerator_configs": [{"type": "NVIDIA_TESLA_T4", "core_count": "1"}],
            "vm_image": {"project": "cloud-notebooks-managed", "family": "workbench-instances"},
        },
    )


def tables_with_schemas_as_json() -> None:
    """<https://cloud.google.com/bigquery/docs/partitioned-tables>."""
    data = gcp.bigquery.Dataset(
        "d",
        dataset_id="a_1",
        location="EU",
        default_table_expiration_ms=3600000,
        accesses=[{"role": "OWNER", "special_group": "projectOwners"}, {"role": "READER", "domain": "example.com"}],
        max_time_travel_hours="48",
    )
    gcp.bigquery.Table(
        "t",
        dataset_id=data.dataset_id,
        table_id="events_x",
        deletion_protection=False,
        schema=json.dumps(
            [
                {"name": "at", "type": "TIMESTAMP", "mode": "REQUIRED"},
                {"name": "id", "type": "INT64"},
                {"name": "r", "type": "RECORD", "mode": "REPEATED", "fields": [{"name": "v", "type": "FLOAT"}]},
            ]
        ),
        time_partitioning={"type": "HOUR", "field": "at", "expiration_ms": 3600000},
        clusterings=["id"],
        require_partition_filter=True,
    )
    gcp.bigquery.Table(
        "v",
        dataset_id=data.dataset_id,
        table_id="v",
        deletion_protection=False,
        view={"query": "SELECT 1 AS x", "use_legacy_sql": False},
    )
    gcp.bigquery.Table(
        "x",
        dataset_id=data.dataset_id,
        table_id="x",
        deletion_protection=False,
        external_data_configuration={
            "autodetect": True,
            "source_format": "CSV",
            "source_uris": ["gs://acme-data/*.csv"],
            "csv_options": {"quote": "", "skip_leading_rows": 1},
        },
    )


def buckets_in_unusual_places() -> None:
    """<https://cloud.google.com/storage/docs/locations>."""
    me = gcp.organizations.get_project()
    gcp.storage.Bucket(
        "pair",
        name=f"{me.project_id}-pair",
        location="US",
        custom_placement_config={"data_locations": ["US-EAST1", "us-west1"]},
        rpo="ASYNC_TURBO",
    )
    gcp.storage.Bucket(
        "named",
        location="nam4",
        storage_class="ARCHIVE",
        name="www.example.com",
        website={"main_page_suffix": "index.html"},
    )
    gcp.storage.Bucket(
        "tree",
        location="europe-west4",
        hierarchical_namespace={"enabled": True},
        uniform_bucket_level_access=True,
        soft_delete_policy={"retention_duration_seconds": 0},
    )
    gcp.storage.Bucket(
        "auto",
        location="us-central1",
        autoclass={"enabled": True, "terminal_storage_class": "ARCHIVE"},
        public_access_prevention="inherited",
        lifecycle_rules=[
            {"action": {"type": "AbortIncompleteMultipartUpload"}, "condition": {"age": 1}},
            {
                "action": {"type": "Delete"},
                "condition": {"num_newer_versions": 3, "with_state": "ARCHIVED", "matches_suffixes": [".tmp"]},
            },
        ],
    )
    gcp.storage.Bucket(
        "locked",
        location="asia",
        retention_policy={"retention_period": "3155760000", "is_locked": False},
        versioning={"enabled": False},
        labels={"a-b_c": "1"},
    )


def keys_kept_in_hardware() -> None:
    """<https://cloud.google.com/kms/docs/create-key>."""
    ring = gcp.kms.KeyRing("ring", location="europe", name="Ring_1-a")
    key = gcp.kms.CryptoKey(
        "hsm",
        key_ring=ring.id,
        rotation_period="86400s",
        version_template={"algorithm": "GOOGLE_SYMMETRIC_ENCRYPTION", "protection_level": "HSM"},
        destroy_scheduled_duration="86400s",
    )
    gcp.kms.CryptoKey(
        "sign", key_ring=ring.id, purpose="ASYMMETRIC_SIGN", version_template={"algorithm": "EC_SIGN_P384_SHA384"}
    )
    agent = gcp.storage.get_project_service_account()
    given = gcp.kms.CryptoKeyIAMMember(
        "agent",
        crypto_key_id=key.id,
        role="roles/cloudkms.cryptoKeyEncrypterDecrypter",
        member=f"serviceAccount:{agent.email_address}",
    )
    gcp.storage.Bucket(
        "own",
        location="EU",
        encryption={"default_kms_key_name": key.id},
        opts=pulumi.ResourceOptions(depends_on=[given]),
    )
    secret = gcp.secretmanager.Secret(
        "s",
        secret_id="A_b-1",
        replication={"user_managed": {"replicas": [{"location": "us-east1"}, {"location": "us-west1"}]}},
        ttl="3600s",
    )
    gcp.secretmanager.SecretVersion(
        "s",
        secret=secret.id,
        secret_data=pulumi.Output.secret("x").apply(lambda text: json.dumps({"p": text})),
        is_secret_data_base64=False,
    )


def files_and_caches() -> None:
    """<https://cloud.google.com/filestore/docs/service-tiers>."""
    gcp.filestore.Instance(
        "zonal",
        location="us-central1-b",
        tier="ZONAL",
        file_shares={"capacity_gb": 1024, "name": "vol_1"},
        networks=[{"network": "default", "modes": ["MODE_IPV4"], "connect_mode": "DIRECT_PEERING"}],
        protocol="NFS_V4_1",
    )
    gcp.filestore.Instance(
        "regional",
        location="us-central1",
        tier="REGIONAL",
        file_shares={
            "capacity_gb": 1280,
            "name": "share1",
            "nfs_export_options": [
                {
                    "ip_ranges": ["10.0.0.0/24"],
                    "access_mode": "READ_WRITE",
                    "squash_mode": "ROOT_SQUASH",
                    "anon_uid": 123,
                    "anon_gid": 456,
                }
            ],
        },
        networks=[
            {
                "network": "projects/acme-host/global/networks/shared",
                "modes": ["MODE_IPV4"],
                "connect_mode": "PRIVATE_SERVICE_ACCESS",
            }
        ],
    )
    gcp.redis.Instance(
        "r",
        memory_size_gb=1,
        tier="BASIC",
        redis_version="REDIS_7_2",
        redis_configs={"maxmemory-policy": "allkeys-lru", "notify-keyspace-events": "Ex"},
        reserved_ip_range="192.168.0.0/29",
    )
    gcp.redis.Cluster(
        "c",
        shard_count=3,
        replica_count=0,
        node_type="REDIS_SHARED_CORE_NANO",
        psc_configs=[{"network": "projects/acme-ml-prod/global/networks/default"}],
        region="us-central1",
        deletion_protection_enabled=False,
    )
    gcp.parallelstore.Instance(
        "p",
        instance_id="p-1",
        location="us-central1-a",
        capacity_gib="12000",
        network="default",
        file_stripe_level="FILE_STRIPE_LEVEL_MIN",
        directory_stripe_level="DIRECTORY_STRIPE_LEVEL_MIN",
    )


def images_in_repositories() -> None:
    """<https://cloud.google.com/artifact-registry/docs/repositories/remote-repo>."""
    remote = gcp.artifactregistry.Repository(
        "hub",
        repository_id="hub",
        location="us",
        format="DOCKER",
        mode="REMOTE_REPOSITORY",
        remote_repository_config={"docker_repository": {"public_repository": "DOCKER_HUB"}},
    )
    own = gcp.artifactregistry.Repository(
        "own",
        repository_id="own-1",
        location="us",
        format="docker",
        docker_config={"immutable_tags": True},
        cleanup_policies=[
            {"id": "old", "action": "DELETE", "condition": {"tag_state": "UNTAGGED", "older_than": "30d"}},
            {"id": "keep", "action": "KEEP", "most_recent_versions": {"keep_count": 5}},
        ],
        cleanup_policy_dry_run=True,
    )
    gcp.artifactregistry.Repository(
        "all",
        repository_id="all",
        location="us",
        format="DOCKER",
        mode="VIRTUAL_REPOSITORY",
        virtual_repository_config={
            "upstream_policies": [
                {"id": "a", "repository": own.id, "priority": 20},
                {"id": "b", "repository": remote.id, "priority": 10},
            ]
        },
    )


def alerts_and_logs_written_as_filters() -> None:
    """<https://cloud.google.com/logging/docs/export/configure_export_v2>."""
    gcp.logging.ProjectSink(
        "s",
        destination="storage.googleapis.com/acme-logs",
        filter='resource.type = gce_instance AND severity >= "WARNING"',
        unique_writer_identity=True,
        exclusions=[{"name": "x", "filter": "sample(insertId, 0.99)"}],
    )
    gcp.logging.ProjectBucketConfig(
        "b", project="acme-ml-prod", location="global", bucket_id="_Default", retention_days=3650
    )
    gcp.logging.Metric(
        "m",
        filter="severity>=ERROR",
        name="a/b",
        label_extractors={"u": "EXTRACT(jsonPayload.u)"},
        metric_descriptor={"metric_kind": "DELTA", "value_type": "INT64", "labels": [{"key": "u"}]},
    )
    gcp.monitoring.AlertPolicy(
        "a",
        display_name="a",
        combiner="AND_WITH_MATCHING_RESOURCE",
        conditions=[
            {
                "display_name": "q",
                "condition_prometheus_query_language": {
                    "query": "up == 0",
                    "duration": "0s",
                    "evaluation_interval": "30s",
                },
            }
        ],
    )
    gcp.monitoring.Dashboard(
        "d", dashboard_json=json.dumps({"displayName": "d", "gridLayout": {"widgets": [{"blank": {}}]}})
    )
    gcp.billing.Budget(
        "g",
        billing_account="012345-6789AB-CDEF01",
        amount={"last_period_amount": True},
        threshold_rules=[{"threshold_percent": 1.5, "spend_basis": "FORECASTED_SPEND"}],
        budget_filter={"projects": ["projects/123456789012"]},
    )
