"""Databases, queues, keys and identities of AWS that are right by its documentation and seldom seen."""

from __future__ import annotations

import json

import pulumi
import pulumi_aws as aws
import pulumi_random as random


def aurora_that_sleeps() -> None:
    """<https://docs.aws.amazon.com/AmazonRDS/latest/AuroraUserGuide/aurora-serverless-v2-auto-pause.html>."""
    cluster = aws.rds.Cluster(
        "idle",
        engine=aws.rds.EngineType.AURORA_POSTGRESQL,
        engine_mode="provisioned",
        engine_version="16.4",
        database_name="app",
        master_username="app",
        manage_master_user_password=True,
        storage_type="aurora-iopt1",
        serverlessv2_scaling_configuration={"min_capacity": 0, "max_capacity": 256, "seconds_until_auto_pause": 3600},
        enable_http_endpoint=True,
        skip_final_snapshot=True,
    )
    aws.rds.ClusterInstance(
        "idle",
        cluster_identifier=cluster.id,
        instance_class="db.serverless",
        engine=cluster.engine.apply(aws.rds.EngineType),
        engine_version=cluster.engine_version,
    )
    aws.rds.ClusterInstance(
        "steady", cluster_identifier=cluster.id, instance_class="db.r7g.large", engine="aurora-postgresql"
    )


def a_cluster_of_three_zones_without_aurora() -> None:
    """<https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/create-multi-az-db-cluster.html>."""
    aws.rds.Cluster(
        "three",
        engine="mysql",
        db_cluster_instance_class="db.m6gd.large",
        storage_type="io1",
        iops=1000,
        allocated_storage=100,
        master_username="admin",
        manage_master_user_password=True,
        skip_final_snapshot=True,
    )


def databases_out_of_others() -> None:
    """<https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/USER_ReadRepl.html>."""
    first = aws.rds.Instance(
        "first",
        engine="mariadb",
        engine_version="10.11",
        instance_class="db.t4g.small",
        allocated_storage=100,
        max_allocated_storage=1000,
        storage_type="gp3",
        username="root",
        password=random.RandomPassword("p", length=20, special=False).result,
        backup_retention_period=7,
        final_snapshot_identifier="first-last",
    )
    aws.rds.Instance(
        "replica", replicate_source_db=first.identifier, instance_class="db.t4g.small", skip_final_snapshot=True
    )
    aws.rds.Instance(
        "restored",
        snapshot_identifier="arn:aws:rds:us-east-1:111122223333:snapshot:rds:first-2025-01-01-00-00",
        instance_class="db.m7g.large",
        skip_final_snapshot=True,
    )
    aws.rds.Instance(
        "earlier",
        instance_class="db.m7g.large",
        skip_final_snapshot=True,
        restore_to_point_in_time={
            "source_db_instance_identifier": first.identifier,
            "use_latest_restorable_time": True,
        },
    )


def a_table_with_keys_of_indexes() -> None:
    """<https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html>."""
    aws.dynamodb.Table(
        "games",
        name="Game.Scores_v2-x",
        hash_key="UserId",
        range_key="GameTitle",
        billing_mode="PAY_PER_REQUEST",
        attributes=[
            {"name": "UserId", "type": "S"},
            {"name": "GameTitle", "type": "S"},
            {"name": "TopScore", "type": "N"},
        ],
        global_secondary_indexes=[
            {
                "name": "TopScores",
                "hash_key": "GameTitle",
                "range_key": "TopScore",
                "projection_type": "INCLUDE",
                "non_key_attributes": ["UserId2"],
            }
        ],
        local_secondary_indexes=[{"name": "ByScore", "range_key": "TopScore", "projection_type": "KEYS_ONLY"}],
        ttl={"attribute_name": "expires", "enabled": True},
        stream_enabled=True,
        stream_view_type="NEW_AND_OLD_IMAGES",
        replicas=[{"region_name": "eu-west-1"}, {"region_name": "us-west-2", "point_in_time_recovery": True}],
        on_demand_throughput={"max_read_request_units": 100, "max_write_request_units": -1},
    )


def queues_in_order_with_dead_letters() -> None:
    """<https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/high-throughput-fifo.html>."""
    dead = aws.sqs.Queue("dead", name="dead.fifo", fifo_queue=True, message_retention_seconds=1209600)
    queue = aws.sqs.Queue(
        "orders",
        fifo_queue=True,
        content_based_deduplication=True,
        deduplication_scope="messageGroup",
        fifo_throughput_limit="perMessageGroupId",
        delay_seconds=0,
        receive_wait_time_seconds=20,
        max_message_size=1048576,
        visibility_timeout_seconds=0,
        redrive_policy=pulumi.Output.json_dumps({"deadLetterTargetArn": dead.arn, "maxReceiveCount": 1000}),
    )
    aws.sqs.RedriveAllowPolicy(
        "dead",
        queue_url=dead.id,
        redrive_allow_policy=queue.arn.apply(
            lambda arn: json.dumps({"redrivePermission": "byQueue", "sourceQueueArns": [arn]})
        ),
    )
    topic = aws.sns.Topic(
        "orders", name="orders.fifo", fifo_topic=True, archive_policy=json.dumps({"MessageRetentionPeriod": "30"})
    )
    aws.sns.TopicSubscription("orders", topic=topic.arn, protocol="sqs", endpoint=queue.arn, raw_message_delivery=True)


def a_function_by_image_and_one_without_code_here() -> None:
    """<https://docs.aws.amazon.com/lambda/latest/dg/images-create.html>."""
    role = aws.iam.get_role(name="lambda-basic")
    digest = "sha256:" + "0123456789abcdef" * 4
    aws.lambda_.Function(
        "image",
        package_type="Image",
        image_uri=f"111122223333.dkr.ecr.us-east-1.amazonaws.com/team/app@{digest}",
        role=role.arn,
        memory_size=10240,
        timeout=900,
        ephemeral_storage={"size": 10240},
        architectures=["arm64"],
        image_config={"commands": ["app.handler"], "entry_points": []},
    )
    aws.lambda_.Function(
        "zip",
        runtime="provided.al2023",
        handler="bootstrap",
        role=role.arn,
        s3_bucket="artifacts-111122223333",
        s3_key="builds/42.zip",
        memory_size=129,
        reserved_concurrent_executions=0,
        publish=True,
        snap_start={"apply_on": "None"},
        logging_config={"log_format": "JSON", "application_log_level": "WARN"},
    )
    function = aws.lambda_.Function(
        "inline",
        runtime="python3.13",
        handler="index.handler",
        role=role.arn,
        code=pulumi.AssetArchive({"index.py": pulumi.StringAsset("def handler(event, context): return 1")}),
        environment={"variables": {"_X": "", "A__B": "1"}},
        dead_letter_config={"target_arn": "arn:aws:sns:us-east-1:111122223333:dead"},
    )
    aws.lambda_.FunctionUrl(
        "inline", function_name=function.name, authorization_type="AWS_IAM", invoke_mode="RESPONSE_STREAM"
    )
    aws.lambda_.Permission(
        "inline", function=function.arn, action="lambda:InvokeFunction", principal="*", principal_org_id="o-a1b2c3d4e5"
    )


def a_document_with_overrides() -> None:
    """<https://www.pulumi.com/registry/packages/aws/api-docs/iam/getpolicydocument/>."""
    source = aws.iam.get_policy_document(
        statements=[{"sid": "SidToOverride", "actions": ["ec2:*"], "resources": ["*"]}]
    )
    merged = aws.iam.get_policy_document(
        source_policy_documents=[source.json],
        override_policy_documents=[
            json.dumps(
                {
                    "Version": "2012-10-17",
                    "Statement": [{"Sid": "SidToOverride", "Effect": "Deny", "NotAction": "iam:*", "Resource": "*"}],
                }
            )
        ],
        statements=[
            {
                "sid": "",
                "actions": ["s3:Get*", "s3:List*"],
                "resources": ["arn:aws:s3:::a/${aws:username}/*"],
                "conditions": [{"test": "ForAllValues:StringLike", "variable": "aws:TagKeys", "values": ["team-*"]}],
            }
        ],
    )
    aws.iam.Policy("merged", path="/teams/ml/", policy=merged.json)


def roles_trusted_in_unusual_ways() -> None:
    """<https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_principal.html>."""
    web = aws.iam.get_open_id_connect_provider(url="https://token.actions.githubusercontent.com")
    trusts = {
        "github": {
            "Effect": "Allow",
            "Principal": {"Federated": web.arn},
            "Action": "sts:AssumeRoleWithWebIdentity",
            "Condition": {
                "StringLike": {"token.actions.githubusercontent.com:sub": "repo:acme/*:*"},
                "StringEquals": {"token.actions.githubusercontent.com:aud": "sts.amazonaws.com"},
            },
        },
        "saml": {
            "Effect": "Allow",
            "Principal": {"Federated": "arn:aws:iam::111122223333:saml-provider/okta"},
            "Action": "sts:AssumeRoleWithSAML",
            "Condition": {"StringEquals": {"SAML:aud": "https://signin.aws.amazon.com/saml"}},
        },
        "organisation": {
            "Effect": "Allow",
            "Principal": {"AWS": "*"},
            "Action": "sts:AssumeRole",
            "Condition": {"StringEquals": {"aws:PrincipalOrgID": "o-a1b2c3d4e5"}},
        },
        "session": {
            "Effect": "Allow",
            "Principal": {"AWS": ["123456789012", "arn:aws:sts::111122223333:assumed-role/a/b"]},
            "Action": ["sts:AssumeRole", "sts:TagSession", "sts:SetSourceIdentity"],
        },
        "anywhere": {
            "Effect": "Allow",
            "Principal": {"Service": "rolesanywhere.amazonaws.com"},
            "Action": ["sts:AssumeRole", "sts:TagSession", "sts:SetSourceIdentity"],
        },
        "pods": {
            "Effect": "Allow",
            "Principal": {"Service": ["pods.eks.amazonaws.com", "ec2.amazonaws.com"]},
            "Action": ["sts:AssumeRole", "sts:TagSession"],
        },
    }
    for name, statement in trusts.items():
        role = aws.iam.Role(
            name, assume_role_policy={"Version": "2012-10-17", "Statement": statement}, max_session_duration=43200
        )
        aws.iam.RolePolicy(
            f"{name}-in",
            role=role.id,
            policy={
                "Version": "2012-10-17",
                "Statement": [{"Effect": "Allow", "Action": "sts:GetCallerIdentity", "Resource": "*"}],
            },
        )
    aws.iam.Role(
        "linked",
        assume_role_policy=json.dumps(
            {
                "Statement": [
                    {"Effect": "Allow", "Principal": {"Service": "ecs-tasks.amazonaws.com"}, "Action": "sts:AssumeRole"}
                ]
            }
        ),
        path="/a/b/",
        name="Role+=,.@-_1",
        permissions_boundary="arn:aws:iam::aws:policy/PowerUserAccess",
    )


def a_key_with_a_policy_of_its_own() -> None:
    """<https://docs.aws.amazon.com/kms/latest/developerguide/key-policy-default.html>."""
    me, part = aws.get_caller_identity(), aws.get_partition()
    policy = {
        "Version": "2012-10-17",
        "Id": "key-default-1",
        "Statement": [
            {
                "Sid": "Enable IAM User Permissions",
                "Effect": "Allow",
                "Principal": {"AWS": f"arn:{part.partition}:iam::{me.account_id}:root"},
                "Action": "kms:*",
                "Resource": "*",
            },
            {
                "Effect": "Allow",
                "Principal": {"Service": "logs.us-east-1.amazonaws.com"},
                "Action": ["kms:Encrypt*", "kms:Decrypt*", "kms:ReEncrypt*", "kms:GenerateDataKey*", "kms:Describe*"],
                "Resource": "*",
                "Condition": {
                    "ArnLike": {"kms:EncryptionContext:aws:logs:arn": f"arn:aws:logs:us-east-1:{me.account_id}:*"}
                },
            },
        ],
    }
    key = aws.kms.Key(
        "own",
        policy=json.dumps(policy),
        multi_region=True,
        enable_key_rotation=True,
        rotation_period_in_days=90,
        deletion_window_in_days=7,
    )
    aws.kms.Alias("own", name="alias/team/own-1", target_key_id=key.key_id)
    aws.kms.ReplicaKey(
        "own", primary_key_arn=key.arn, opts=pulumi.ResourceOptions(provider=aws.Provider("e", region="eu-central-1"))
    )
    aws.kms.Key("sign", customer_master_key_spec="ECC_NIST_P256", key_usage="SIGN_VERIFY")
    aws.kms.Key("mac", customer_master_key_spec="HMAC_256", key_usage="GENERATE_VERIFY_MAC")
    aws.cloudwatch.LogGroup("own", name="/aws/own/#1.x_y-z", kms_key_id=key.arn, retention_in_days=3653)


def another_account_by_a_role() -> None:
    """<https://www.pulumi.com/registry/packages/aws/installation-configuration/>."""
    other = aws.Provider(
        "other",
        region="eu-central-2",
        assume_roles=[{"role_arn": "arn:aws:iam::444455556666:role/deploy", "session_name": "ci"}],
        default_tags={"tags": {"owner": "ml"}},
        allowed_account_ids=["444455556666"],
        ignore_tags={"key_prefixes": ["kubernetes.io/"]},
    )
    there = pulumi.ResourceOptions(provider=other)
    identity = aws.get_caller_identity(opts=pulumi.InvokeOptions(provider=other))
    key = aws.kms.Key("there", opts=there)
    secret = aws.secretsmanager.Secret(
        "there", name="prod/db+x=1@y", kms_key_id=key.arn, recovery_window_in_days=0, opts=there
    )
    aws.secretsmanager.SecretPolicy(
        "there",
        secret_arn=secret.arn,
        policy=json.dumps(
            {
                "Version": "2012-10-17",
                "Statement": [
                    {
                        "Effect": "Allow",
                        "Principal": {"AWS": f"arn:aws:iam::{identity.account_id}:root"},
                        "Action": "secretsmanager:GetSecretValue",
                        "Resource": "*",
                    }
                ],
            }
        ),
        opts=there,
    )
    aws.sns.Topic("by-region", region="ap-southeast-4")


def caches_of_two_kinds() -> None:
    """<https://docs.aws.amazon.com/AmazonElastiCache/latest/dg/WhatIs.deployment.html>."""
    aws.elasticache.ServerlessCache(
        "free",
        engine="valkey",
        name="free",
        cache_usage_limits={"data_storage": {"maximum": 10, "unit": "GB"}, "ecpu_per_seconds": [{"maximum": 5000}]},
    )
    aws.elasticache.ReplicationGroup(
        "sharded",
        description="of shards",
        node_type="cache.r7g.large",
        engine="valkey",
        engine_version="8.0",
        num_node_groups=2,
        replicas_per_node_group=0,
        parameter_group_name="default.valkey8.cluster.on",
        automatic_failover_enabled=True,
        transit_encryption_enabled=True,
        transit_encryption_mode="preferred",
    )
    aws.elasticache.Cluster(
        "plain", engine="memcached", node_type="cache.t4g.micro", num_cache_nodes=40, az_mode="cross-az"
    )


def files_of_several_kinds() -> None:
    """<https://docs.aws.amazon.com/fsx/latest/LustreGuide/using-fsx-lustre.html>."""
    vpc = aws.ec2.Vpc("files", cidr_block="10.0.0.0/16")
    subnet = aws.ec2.Subnet("files", vpc_id=vpc.id, cidr_block="10.0.1.0/24")
    aws.fsx.LustreFileSystem("scratch", deployment_type="SCRATCH_2", storage_capacity=4800, subnet_ids=subnet.id)
    aws.fsx.LustreFileSystem(
        "hdd",
        deployment_type="PERSISTENT_1",
        storage_type="HDD",
        storage_capacity=6000,
        per_unit_storage_throughput=12,
        drive_cache_type="READ",
        subnet_ids=subnet.id,
    )
    aws.fsx.LustreFileSystem(
        "tier",
        deployment_type="PERSISTENT_2",
        storage_type="INTELLIGENT_TIERING",
        subnet_ids=subnet.id,
        throughput_capacity=4000,
        metadata_configuration={"mode": "USER_PROVISIONED", "iops": 6000},
        data_read_cache_configuration={"sizing_mode": "PROPORTIONAL_TO_THROUGHPUT_CAPACITY"},
    )
    aws.fsx.OpenZfsFileSystem(
        "zfs", deployment_type="SINGLE_AZ_HA_2", storage_capacity=64, throughput_capacity=160, subnet_ids=[subnet.id]
    )
    drive = aws.efs.FileSystem(
        "zone",
        availability_zone_name="us-east-1a",
        throughput_mode="elastic",
        lifecycle_policies=[
            {"transition_to_ia": "AFTER_1_DAY"},
            {"transition_to_primary_storage_class": "AFTER_1_ACCESS"},
        ],
    )
    aws.efs.AccessPoint(
        "zone",
        file_system_id=drive.id,
        posix_user={"uid": 0, "gid": 4294967295},
        root_directory={"path": "/a/b", "creation_info": {"owner_uid": 0, "owner_gid": 0, "permissions": "0755"}},
    )
