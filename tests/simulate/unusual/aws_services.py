"""Services of AWS that run code, right by its documentation and seldom seen."""

from __future__ import annotations

import json

import pulumi
import pulumi_aws as aws


def _role(name: str, service: str, *actions: str) -> aws.iam.Role:
    statement = {"Effect": "Allow", "Principal": {"Service": service}, "Action": actions or ("sts:AssumeRole",)}
    return aws.iam.Role(name, assume_role_policy=json.dumps({"Version": "2012-10-17", "Statement": [statement]}))


def _subnets(name: str) -> list[pulumi.Output[str]]:
    vpc = aws.ec2.Vpc(name, cidr_block="10.0.0.0/16", enable_dns_hostnames=True)
    return [
        aws.ec2.Subnet(
            f"{name}{n}", vpc_id=vpc.id, cidr_block=f"10.0.{n * 16}.0/20", availability_zone=f"us-east-1{zone}"
        ).id
        for n, zone in enumerate("ab")
    ]


def containers_with_parts_of_a_processor() -> None:
    """<https://docs.aws.amazon.com/AmazonECS/latest/developerguide/fargate-tasks-services.html>."""
    cluster = aws.ecs.Cluster("small", settings=[{"name": "containerInsights", "value": "enhanced"}])
    providers = aws.ecs.ClusterCapacityProviders(
        "small", cluster_name=cluster.name, capacity_providers=["FARGATE", "FARGATE_SPOT"]
    )
    group = aws.cloudwatch.LogGroup("small")
    task = aws.ecs.TaskDefinition(
        "small",
        family="small",
        cpu=".25 vCPU",
        memory="0.5 GB",
        network_mode="awsvpc",
        requires_compatibilities=["FARGATE"],
        runtime_platform={"cpu_architecture": "ARM64", "operating_system_family": "LINUX"},
        execution_role_arn=_role("task", "ecs-tasks.amazonaws.com").arn,
        container_definitions=group.name.apply(
            lambda name: json.dumps(
                [
                    {
                        "name": "web",
                        "image": "public.ecr.aws/nginx/nginx@sha256:" + "ab" * 32,
                        "essential": True,
                        "portMappings": [{"containerPort": 80}],
                        "logConfiguration": {
                            "logDriver": "awslogs",
                            "options": {
                                "awslogs-group": name,
                                "awslogs-region": "us-east-1",
                                "awslogs-stream-prefix": "w",
                            },
                        },
                    }
                ]
            )
        ),
    )
    aws.ecs.Service(
        "small",
        cluster=cluster.arn,
        task_definition=task.arn,
        desired_count=0,
        capacity_provider_strategies=[{"capacity_provider": "FARGATE_SPOT", "weight": 1, "base": 0}],
        network_configuration={"subnets": _subnets("small")},
        deployment_minimum_healthy_percent=0,
        deployment_maximum_percent=100,
        opts=pulumi.ResourceOptions(depends_on=[providers]),
    )


def scaling_by_numbers_of_messages() -> None:
    """<https://docs.aws.amazon.com/autoscaling/application/userguide/application-auto-scaling-target-tracking-metric-math.html>."""
    target = aws.appautoscaling.Target(
        "work",
        min_capacity=0,
        max_capacity=5,
        resource_id="service/central/worker",
        scalable_dimension="ecs:service:DesiredCount",
        service_namespace="ecs",
    )
    aws.appautoscaling.Policy(
        "work",
        policy_type="TargetTrackingScaling",
        resource_id=target.resource_id,
        scalable_dimension=target.scalable_dimension,
        service_namespace=target.service_namespace,
        target_tracking_scaling_policy_configuration={
            "target_value": 100,
            "customized_metric_specification": {
                "metrics": [
                    {
                        "id": "m1",
                        "return_data": False,
                        "metric_stat": {
                            "stat": "Sum",
                            "metric": {
                                "namespace": "AWS/SQS",
                                "metric_name": "ApproximateNumberOfMessagesVisible",
                                "dimensions": [{"name": "QueueName", "value": "q"}],
                            },
                        },
                    },
                    {"id": "e1", "expression": "m1 / 2", "label": "half"},
                ]
            },
        },
    )
    aws.appautoscaling.ScheduledAction(
        "work",
        resource_id=target.resource_id,
        scalable_dimension=target.scalable_dimension,
        service_namespace="ecs",
        schedule="at(2030-01-01T00:00:00)",
        timezone="Europe/Lisbon",
        scalable_target_action={"max_capacity": 0, "min_capacity": 0},
    )


def rules_of_events_and_times() -> None:
    """<https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-scheduled-rule-pattern.html>."""
    for n, when in enumerate(
        (
            "rate(1 minute)",
            "rate(5 minutes)",
            "cron(0 10 * * ? *)",
            "cron(15 12 ? * 6L *)",
            "cron(0/5 8-17 ? * MON-FRI *)",
        )
    ):
        aws.cloudwatch.EventRule(f"at{n}", schedule_expression=when, state="DISABLED")
    rule = aws.cloudwatch.EventRule(
        "any", event_pattern=json.dumps({"source": [{"prefix": ""}], "detail": {"x": [{"numeric": [">", 0, "<=", 5]}]}})
    )
    aws.cloudwatch.EventTarget(
        "any",
        rule=rule.name,
        arn="arn:aws:states:us-east-1:111122223333:stateMachine:m",
        role_arn="arn:aws:iam::111122223333:role/r",
        input_transformer={"input_paths": {"id": "$.detail.id"}, "input_template": '{"id": <id>}'},
    )
    aws.scheduler.Schedule(
        "once",
        schedule_expression="at(2030-11-20T13:00:00)",
        flexible_time_window={"mode": "OFF"},
        action_after_completion="DELETE",
        target={
            "arn": "arn:aws:scheduler:::aws-sdk:sqs:sendMessage",
            "role_arn": "arn:aws:iam::111122223333:role/r",
            "input": json.dumps({"MessageBody": "x", "QueueUrl": "https://sqs.us-east-1.amazonaws.com/1/q"}),
        },
    )
    aws.cloudwatch.MetricAlarm(
        "math",
        comparison_operator="LessThanLowerOrGreaterThanUpperThreshold",
        evaluation_periods=2,
        threshold_metric_id="ad1",
        metric_queries=[
            {
                "id": "m1",
                "return_data": True,
                "metric": {"metric_name": "CPUUtilization", "namespace": "AWS/EC2", "period": 10, "stat": "p99.9"},
            },
            {"id": "ad1", "return_data": True, "expression": "ANOMALY_DETECTION_BAND(m1, 2)"},
        ],
    )


def a_batch_of_machines_and_jobs() -> None:
    """<https://docs.aws.amazon.com/batch/latest/userguide/multi-node-parallel-jobs.html>."""
    subnets = _subnets("batch")
    group = aws.ec2.SecurityGroup("batch", vpc_id=aws.ec2.get_subnet_output(id=subnets[0]).vpc_id)
    environment = aws.batch.ComputeEnvironment(
        "batch",
        type="MANAGED",
        compute_resources={
            "type": "EC2",
            "min_vcpus": 0,
            "max_vcpus": 192,
            "instance_types": ["optimal", "p4d.24xlarge"],
            "subnets": subnets,
            "security_group_ids": [group.id],
            "instance_role": "arn:aws:iam::111122223333:instance-profile/ecsInstanceRole",
            "allocation_strategy": "BEST_FIT_PROGRESSIVE",
        },
    )
    aws.batch.JobQueue(
        "batch",
        state="ENABLED",
        priority=0,
        compute_environment_orders=[{"order": 1, "compute_environment": environment.arn}],
    )
    aws.batch.JobDefinition(
        "batch",
        type="multinode",
        node_properties=json.dumps(
            {
                "mainNode": 0,
                "numNodes": 2,
                "nodeRangeProperties": [
                    {
                        "targetNodes": "0:",
                        "container": {
                            "image": "busybox",
                            "command": ["sleep", "Ref::seconds"],
                            "resourceRequirements": [
                                {"type": "VCPU", "value": "4"},
                                {"type": "MEMORY", "value": "2048"},
                                {"type": "GPU", "value": "1"},
                            ],
                        },
                    }
                ],
            }
        ),
        parameters={"seconds": "60"},
    )


def models_served_without_machines() -> None:
    """<https://docs.aws.amazon.com/sagemaker/latest/dg/serverless-endpoints-create.html>."""
    role = _role("serve", "sagemaker.amazonaws.com")
    model = aws.sagemaker.Model(
        "serve",
        execution_role_arn=role.arn,
        primary_container={
            "image": "763104351884.dkr.ecr.us-east-1.amazonaws.com/huggingface-pytorch-inference:2.1-cpu",
            "environment": {"HF_MODEL_ID": "distilbert-base-uncased"},
        },
    )
    config = aws.sagemaker.EndpointConfiguration(
        "serve",
        production_variants=[
            {
                "variant_name": "all",
                "model_name": model.name,
                "serverless_config": {"max_concurrency": 1, "memory_size_in_mb": 1024},
            }
        ],
    )
    aws.sagemaker.Endpoint("serve", endpoint_config_name=config.name)


def a_distribution_in_front_of_a_bucket() -> None:
    """<https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/private-content-restricting-access-to-s3.html>."""
    bucket = aws.s3.Bucket("content")
    control = aws.cloudfront.OriginAccessControl(
        "content", origin_access_control_origin_type="s3", signing_behavior="always", signing_protocol="sigv4"
    )
    policy = aws.cloudfront.get_cache_policy(name="Managed-CachingOptimized")
    site = aws.cloudfront.Distribution(
        "content",
        enabled=True,
        default_root_object="index.html",
        price_class="PriceClass_100",
        origins=[
            {
                "domain_name": bucket.bucket_regional_domain_name,
                "origin_id": "s3",
                "origin_access_control_id": control.id,
            }
        ],
        default_cache_behavior={
            "allowed_methods": ["GET", "HEAD"],
            "cached_methods": ["GET", "HEAD"],
            "target_origin_id": "s3",
            "viewer_protocol_policy": "redirect-to-https",
            "cache_policy_id": policy.id,
        },
        restrictions={"geo_restriction": {"restriction_type": "none"}},
        viewer_certificate={"cloudfront_default_certificate": True},
    )
    aws.s3.BucketPolicy(
        "content",
        bucket=bucket.bucket,
        policy=pulumi.Output.all(bucket.arn, site.arn).apply(
            lambda both: json.dumps(
                {
                    "Version": "2012-10-17",
                    "Statement": {
                        "Effect": "Allow",
                        "Principal": {"Service": "cloudfront.amazonaws.com"},
                        "Action": "s3:GetObject",
                        "Resource": f"{both[0]}/*",
                        "Condition": {"StringEquals": {"AWS:SourceArn": both[1]}},
                    },
                }
            )
        ),
    )


def an_api_described_by_a_document() -> None:
    """<https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-open-api.html>."""
    api = aws.apigatewayv2.Api(
        "open",
        protocol_type="HTTP",
        body=json.dumps(
            {
                "openapi": "3.0.1",
                "info": {"title": "o", "version": "1"},
                "paths": {
                    "/x": {
                        "get": {
                            "x-amazon-apigateway-integration": {
                                "type": "HTTP_PROXY",
                                "httpMethod": "GET",
                                "uri": "https://example.com",
                                "payloadFormatVersion": "1.0",
                            }
                        }
                    }
                },
            }
        ),
    )
    aws.apigatewayv2.Stage("open", api_id=api.id, name="$default", auto_deploy=True)
    sockets = aws.apigatewayv2.Api(
        "sockets", protocol_type="WEBSOCKET", route_selection_expression="$request.body.action"
    )
    aws.apigatewayv2.Route("sockets", api_id=sockets.id, route_key="$connect")
    rest = aws.apigateway.RestApi(
        "rest", body=json.dumps({"swagger": "2.0", "info": {"title": "r", "version": "1"}, "paths": {}})
    )
    deployed = aws.apigateway.Deployment("rest", rest_api=rest.id, triggers={"at": "1"})
    aws.apigateway.Stage("rest", rest_api=rest.id, deployment=deployed.id, stage_name="v1_a-b")
