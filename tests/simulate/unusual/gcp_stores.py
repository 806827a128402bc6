"""Databases, pipelines and organisations of Google Cloud, right by its documentation and seldom seen."""

from __future__ import annotations

import json

import pulumi
import pulumi_gcp as gcp
import pulumi_random as random


def groups_of_databases_that_never_stop() -> None:
    """<https://cloud.google.com/alloydb/docs/cluster-create>."""
    cluster = gcp.alloydb.Cluster(
        "a",
        cluster_id="a-1",
        location="us-central1",
        psc_config={"psc_enabled": True},
        initial_user={"user": "postgres", "password": "change-me"},
        deletion_protection=False,
        database_version="POSTGRES_16",
        continuous_backup_config={"enabled": True, "recovery_window_days": 35},
        automated_backup_policy={"enabled": False},
    )
    first = gcp.alloydb.Instance(
        "a",
        cluster=cluster.name,
        instance_id="a-primary",
        instance_type="PRIMARY",
        machine_config={"cpu_count": 1, "machine_type": "c4a-highmem-1"},
        availability_type="ZONAL",
        database_flags={"alloydb.enable_auto_explain": "on"},
    )
    gcp.alloydb.Instance(
        "b",
        cluster=cluster.name,
        instance_id="a-reads",
        instance_type="READ_POOL",
        read_pool_config={"node_count": 20},
        machine_config={"cpu_count": 2},
        opts=pulumi.ResourceOptions(depends_on=[first]),
    )
    spanner = gcp.spanner.Instance(
        "s",
        config="regional-us-central1",
        display_name="four",
        processing_units=100,
        edition="STANDARD",
        force_destroy=True,
    )
    gcp.spanner.Database(
        "s",
        instance=spanner.name,
        name="db_1-a",
        version_retention_period="7d",
        ddls=["CREATE TABLE t (id INT64) PRIMARY KEY(id)"],
        deletion_protection=False,
        enable_drop_protection=False,
    )
    gcp.spanner.Instance(
        "m",
        config="nam3",
        display_name="Many",
        autoscaling_config={
            "autoscaling_limits": {"min_processing_units": 1000, "max_processing_units": 3000},
            "autoscaling_targets": {"high_priority_cpu_utilization_percent": 75, "storage_utilization_percent": 90},
        },
        edition="ENTERPRISE_PLUS",
    )


def documents_and_wide_tables() -> None:
    """<https://cloud.google.com/firestore/native/docs/manage-databases>."""
    gcp.firestore.Database(
        "default",
        name="(default)",
        location_id="nam5",
        type="FIRESTORE_NATIVE",
        concurrency_mode="OPTIMISTIC",
        delete_protection_state="DELETE_PROTECTION_DISABLED",
        deletion_policy="ABANDON",
    )
    gcp.firestore.Index(
        "i",
        database="(default)",
        collection="chats",
        query_scope="COLLECTION_GROUP",
        fields=[
            {"field_path": "a", "order": "ASCENDING"},
            {"field_path": "v", "vector_config": {"dimension": 768, "flat": {}}},
        ],
    )
    wide = gcp.bigtable.Instance(
        "w",
        name="wide-tables",
        deletion_protection=False,
        clusters=[
            {
                "cluster_id": "wide-1",
                "zone": "us-central1-b",
                "storage_type": "HDD",
                "autoscaling_config": {"min_nodes": 1, "max_nodes": 3, "cpu_target": 80},
            },
            {"cluster_id": "wide-2", "zone": "europe-west1-c", "num_nodes": 1, "storage_type": "HDD"},
        ],
    )
    gcp.bigtable.Table(
        "w",
        instance_name=wide.name,
        column_families=[{"family": "f-1"}],
        split_keys=["a", "b"],
        change_stream_retention="0",
        deletion_protection="UNPROTECTED",
    )


def pipelines_of_data() -> None:
    """<https://cloud.google.com/dataproc/docs/concepts/configuring-clusters/flex>."""
    gcp.dataproc.Cluster(
        "one",
        region="us-central1",
        cluster_config={
            "master_config": {"num_instances": 1, "machine_type": "n1-standard-2"},
            "software_config": {
                "image_version": "2.2-debian12",
                "override_properties": {"dataproc:dataproc.allow.zero.workers": "true"},
            },
            "gce_cluster_config": {
                "zone": "",
                "internal_ip_only": True,
                "subnetwork": "default",
                "service_account_scopes": ["cloud-platform"],
            },
            "lifecycle_config": {"idle_delete_ttl": "300s"},
        },
    )
    gcp.dataproc.Batch(
        "batch",
        batch_id="b-1",
        location="us-central1",
        spark_batch={
            "main_class": "org.apache.spark.examples.SparkPi",
            "args": ["10"],
            "jar_file_uris": ["file:///usr/lib/spark/examples/jars/spark-examples.jar"],
        },
        runtime_config={"version": "2.2", "properties": {"spark.executor.instances": "2"}},
    )
    gcp.dataflow.FlexTemplateJob(
        "flow",
        name="flow-1",
        container_spec_gcs_path="gs://dataflow-templates/latest/flex/PubSub_to_Avro_Flex",
        region="us-central1",
        parameters={"inputTopic": "projects/p/topics/t"},
        on_delete="cancel",
        skip_wait_on_job_termination=True,
    )
    gcp.composer.Environment(
        "air",
        region="us-central1",
        config={
            "software_config": {
                "image_version": "composer-3-airflow-2.10.5",
                "pypi_packages": {"numpy": "", "scipy": "==1.1.0"},
                "airflow_config_overrides": {"core-dags_are_paused_at_creation": "True"},
            },
            "environment_size": "ENVIRONMENT_SIZE_SMALL",
        },
    )


def lakes_of_models_and_features() -> None:
    """<https://cloud.google.com/vertex-ai/docs/featurestore/latest/create-onlinestore>."""
    gcp.vertex.AiFeatureOnlineStore(
        "f",
        name="store_1",
        region="us-central1",
        optimized={},
        dedicated_serving_endpoint={
            "private_service_connect_config": {
                "enable_private_service_connect": True,
                "project_allowlists": ["123456789012"],
            }
        },
    )
    gcp.vertex.AiFeatureOnlineStore(
        "b",
        name="store_2",
        region="us-central1",
        bigtable={"auto_scaling": {"min_node_count": 1, "max_node_count": 3, "cpu_utilization_target": 80}},
        force_destroy=True,
    )
    gcp.vertex.AiMetadataStore("m", name="default", region="us-central1")
    gcp.vertex.AiTensorboard(
        "t",
        display_name="t",
        region="us-central1",
        encryption_spec={"kms_key_name": "projects/p-1/locations/us-central1/keyRings/r/cryptoKeys/k"},
    )
    gcp.colab.RuntimeTemplate(
        "c",
        location="us-central1",
        display_name="c",
        machine_spec={"machine_type": "a2-highgpu-1g", "accelerator_type": "NVIDIA_TESLA_A100", "accelerator_count": 1},
        idle_shutdown_config={"idle_timeout": "3600s"},
    )


def tasks_and_flows() -> None:
    """<https://cloud.google.com/workflows/docs/create-workflow>."""
    gcp.workflows.Workflow(
        "w",
        region="us-central1",
        deletion_protection=False,
        source_contents='main:\n  steps:\n    - done:\n        return: ${sys.get_env("GOOGLE_CLOUD_PROJECT_ID")}\n',
        user_env_vars={"A": "b"},
    )
    gcp.cloudtasks.Queue(
        "q",
        location="us-central1",
        rate_limits={"max_dispatches_per_second": 0.1, "max_concurrent_dispatches": 1},
        retry_config={"max_attempts": -1, "max_backoff": "3s", "min_backoff": "2s", "max_doublings": 1},
        stackdriver_logging_config={"sampling_ratio": 0.9},
    )
    gcp.eventarc.Trigger(
        "e",
        location="us-central1",
        matching_criterias=[
            {"attribute": "type", "value": "google.cloud.audit.log.v1.written"},
            {"attribute": "serviceName", "value": "storage.googleapis.com"},
            {"attribute": "methodName", "value": "storage.objects.create"},
        ],
        destination={"cloud_run_service": {"service": "web", "region": "us-central1", "path": "/x"}},
        service_account="a@acme-ml-prod.iam.gserviceaccount.com",
    )
    topic = gcp.pubsub.Topic("t", schema_settings={"schema": "_deleted-schema_", "encoding": "JSON"})
    gcp.pubsub.Subscription(
        "push",
        topic=topic.name,
        push_config={
            "push_endpoint": "https://example.com/push",
            "oidc_token": {"service_account_email": "a@acme-ml-prod.iam.gserviceaccount.com"},
            "attributes": {"x-goog-version": "v1"},
        },
        enable_message_ordering=True,
        dead_letter_policy={"dead_letter_topic": topic.id, "max_delivery_attempts": 100},
    )


def builds_from_sources() -> None:
    """<https://cloud.google.com/build/docs/automating-builds/create-manage-triggers>."""
    gcp.cloudbuild.Trigger(
        "push",
        location="global",
        github={"owner": "acme", "name": "app", "push": {"branch": "^main$|^release/.*", "invert_regex": False}},
        filename="ci/cloudbuild.yaml",
        included_files=["src/**"],
        substitutions={"_A": "b", "_IMAGE": "$REPO_NAME:$SHORT_SHA"},
    )
    gcp.cloudbuild.Trigger(
        "steps",
        location="us-central1",
        source_to_build={
            "uri": "https://hashicorp/terraform-provider-google-beta",
            "ref": "refs/heads/main",
            "repo_type": "GITHUB",
        },
        service_account="projects/acme-ml-prod/serviceAccounts/ci@acme-ml-prod.iam.gserviceaccount.com",
        build={
            "steps": [
                {
                    "name": "gcr.io/cloud-builders/docker",
                    "args": ["build", "-t", "gcr.io/$PROJECT_ID/$REPO_NAME:$COMMIT_SHA", "."],
                    "timeout": "120s",
                    "wait_fors": ["-"],
                }
            ],
            "timeout": "3600s",
            "options": {"machine_type": "E2_HIGHCPU_8", "logging": "CLOUD_LOGGING_ONLY"},
        },
    )
    gcp.cloudbuild.WorkerPool(
        "own",
        location="europe-west1",
        worker_config={"disk_size_gb": 100, "machine_type": "e2-standard-4", "no_external_ip": True},
        network_config={
            "peered_network": "projects/123456789012/global/networks/default",
            "peered_network_ip_range": "/29",
        },
    )


def keys_and_names_of_an_organisation() -> None:
    """<https://cloud.google.com/resource-manager/docs/tags/tags-creating-and-managing>."""
    key = gcp.tags.TagKey(
        "k",
        parent="organizations/123456789012",
        short_name="env.type_1-a",
        purpose="GCE_FIREWALL",
        purpose_data={"network": "acme-ml-prod/default"},
    )
    value = gcp.tags.TagValue("v", parent=key.id, short_name="prod")
    gcp.tags.LocationTagBinding(
        "b",
        parent="//compute.googleapis.com/projects/123456789012/zones/us-central1-a/instances/123",
        tag_value=value.id,
        location="us-central1-a",
    )
    gcp.orgpolicy.Policy(
        "p",
        name="projects/acme-ml-prod/policies/gcp.resourceLocations",
        parent="projects/acme-ml-prod",
        spec={
            "inherit_from_parent": True,
            "rules": [
                {
                    "values": {"allowed_values": ["in:eu-locations", "is:us-east1"], "denied_values": ["europe-west6"]},
                    "condition": {"expression": "resource.matchTag('123456789012/env', 'prod')"},
                },
                {"values": {"allowed_values": ["in:eu-locations"]}},
            ],
        },
    )
    gcp.iam.DenyPolicy(
        "d",
        parent="cloudresourcemanager.googleapis.com%2Fprojects%2Facme-ml-prod",
        name="d-1",
        rules=[
            {
                "deny_rule": {
                    "denied_principals": ["principalSet://goog/public:all"],
                    "denied_permissions": ["iam.googleapis.com/roles.delete"],
                    "exception_principals": ["principal://goog/subject/a@example.com"],
                }
            }
        ],
    )
    gcp.projects.IAMCustomRole(
        "r",
        role_id="My.Role_1",
        title="t",
        stage="ALPHA",
        permissions=["compute.instances.get", "resourcemanager.projects.get"],
    )
    gcp.projects.IAMAuditConfig(
        "a",
        project="acme-ml-prod",
        service="allServices",
        audit_log_configs=[{"log_type": "DATA_READ", "exempted_members": ["user:a@example.com"]}],
    )


def values_of_other_stacks_and_secrets() -> None:
    """<https://www.pulumi.com/docs/iac/concepts/stacks/#stackreferences>."""
    base = pulumi.StackReference("organization/network/prod")
    subnet, number = base.get_output("subnet"), base.get_output("nodes")
    secret = gcp.secretmanager.get_secret_version_output(secret="db-password")
    gcp.sql.User("u", instance="central", name="app", password=secret.secret_data)
    gcp.container.Cluster(
        "late",
        location="us-central1",
        subnetwork=subnet,
        network=base.get_output("network"),
        initial_node_count=number,
        deletion_protection=False,
        name=base.get_output("name").apply(lambda name: f"{name}-gke"),
    )
    gcp.compute.Instance(
        "late",
        zone="us-central1-a",
        machine_type=base.get_output("machine"),
        boot_disk={"initialize_params": {"image": base.get_output("image")}},
        network_interfaces=[{"subnetwork": subnet}],
        metadata_startup_script=pulumi.Output.all(subnet, number).apply(lambda both: f"echo {json.dumps(both)}"),
    )


def things_taken_over_as_they_are() -> None:
    """<https://www.pulumi.com/docs/iac/guides/migration/import/>."""
    gcp.storage.Bucket(
        "old",
        name="acme_old.data",
        location="EU",
        opts=pulumi.ResourceOptions(import_="acme_old.data", protect=True, ignore_changes=["labels", "lifecycleRules"]),
    )
    gcp.compute.Network(
        "default",
        name="default",
        description="Default network for the project",
        opts=pulumi.ResourceOptions(import_="projects/acme-ml-prod/global/networks/default"),
    )
    found = gcp.compute.Instance.get("found", "projects/acme-ml-prod/zones/us-central1-a/instances/web-1")
    gcp.compute.InstanceGroup(
        "found", zone="us-central1-a", instances=[found.self_link], named_ports=[{"name": "http", "port": 80}]
    )
    group = random.RandomPet("group")
    gcp.compute.Disk(
        "named",
        name=group.id.apply(lambda name: f"{name}-data"),
        zone=found.zone,
        size=10,
        opts=pulumi.ResourceOptions(retain_on_delete=True, delete_before_replace=True),
    )


def files_of_other_tiers() -> None:
    """<https://cloud.google.com/managed-lustre/docs/create-instance>."""
    gcp.lustre.Instance(
        "l",
        instance_id="l-1",
        location="us-central1-a",
        capacity_gib="18000",
        filesystem="lustrefs",
        network="projects/acme-ml-prod/global/networks/default",
        per_unit_storage_throughput="1000",
        gke_support_enabled=False,
    )
    pool = gcp.netapp.StoragePool(
        "n",
        name="pool-1",
        location="us-central1",
        service_level="PREMIUM",
        capacity_gib="2048",
        network="projects/acme-ml-prod/global/networks/default",
    )
    gcp.netapp.Volume(
        "n",
        name="vol-1",
        location="us-central1",
        capacity_gib="100",
        share_name="vol-1",
        storage_pool=pool.name,
        protocols=["NFSV3", "NFSV4"],
    )
    gcp.backupdisasterrecovery.BackupVault(
        "v",
        location="us-central1",
        backup_vault_id="v-1",
        backup_minimum_enforced_retention_duration="100000s",
        force_update=True,
        ignore_inactive_datasources=True,
    )
