"""Buckets of AWS, and values from elsewhere, that are right by its documentation and seldom seen."""

from __future__ import annotations

import json
from typing import Any

import pulumi
import pulumi_aws as aws
import pulumi_random as random


def a_directory_bucket() -> None:
    """<https://docs.aws.amazon.com/AmazonS3/latest/userguide/directory-buckets-overview.html>."""
    zone = "use1-az4"
    bucket = aws.s3.DirectoryBucket(
        "fast",
        bucket=f"fast-data--{zone}--x-s3",
        location={"name": zone, "type": "AvailabilityZone"},
        force_destroy=True,
    )
    aws.s3.BucketPolicy(
        "fast",
        bucket=bucket.bucket,
        policy=bucket.arn.apply(
            lambda arn: json.dumps(
                {
                    "Version": "2012-10-17",
                    "Statement": [
                        {
                            "Effect": "Allow",
                            "Principal": {"AWS": "111122223333"},
                            "Action": "s3express:CreateSession",
                            "Resource": arn,
                        }
                    ],
                }
            )
        ),
    )


def an_access_point_of_one_network() -> None:
    """<https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-points-vpc.html>."""
    vpc = aws.ec2.get_vpc(default=True)
    bucket = aws.s3.Bucket("shared")
    point = aws.s3.AccessPoint("shared", bucket=bucket.id, name="analysts", vpc_configuration={"vpc_id": vpc.id})
    aws.s3control.AccessPointPolicy(
        "shared",
        access_point_arn=point.arn,
        policy=point.arn.apply(
            lambda arn: json.dumps(
                {
                    "Version": "2008-10-17",
                    "Statement": [
                        {
                            "Effect": "Allow",
                            "Principal": {"AWS": "arn:aws:iam::111122223333:role/analyst"},
                            "Action": ["s3:GetObject"],
                            "Resource": f"{arn}/object/reports/*",
                        }
                    ],
                }
            )
        ),
    )


def a_bucket_that_delegates_to_access_points() -> None:
    """<https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-points-policies.html>."""
    bucket = aws.s3.Bucket("delegating")
    me = aws.get_caller_identity()
    statement: Any = {
        "sid": "ByAccessPoints",
        "effect": "Allow",
        "actions": ["*"],
        "principals": [{"type": "AWS", "identifiers": ["*"]}],
        "resources": [bucket.arn, pulumi.Output.concat(bucket.arn, "/*")],
        "conditions": [{"test": "StringEquals", "variable": "s3:DataAccessPointAccount", "values": [me.account_id]}],
    }
    document = aws.iam.get_policy_document_output(statements=[statement])
    aws.s3.BucketPolicy("delegating", bucket=bucket.id, policy=document.json)


def a_bucket_named_after_its_account() -> None:
    """<https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html>."""
    me, region = aws.get_caller_identity(), aws.get_region()
    suffix = random.RandomId("suffix", byte_length=4)
    aws.s3.Bucket("one", bucket=suffix.hex.apply(lambda end: f"logs.{me.account_id}.{region.region}.{end}"))
    aws.s3.Bucket("two", bucket=f"1a-{me.account_id}", object_lock_enabled=True)
    aws.s3.Bucket("six", bucket_prefix="abc-", tags={"Cost center": "R&D/7", "E-Mail": "a+b@example.com", "empty": ""})


def a_lifecycle_with_every_kind_of_filter() -> None:
    """<https://docs.aws.amazon.com/AmazonS3/latest/userguide/lifecycle-configuration-examples.html>."""
    bucket = aws.s3.Bucket("aging")
    versions = aws.s3.BucketVersioning("aging", bucket=bucket.id, versioning_configuration={"status": "Enabled"})
    aws.s3.BucketLifecycleConfiguration(
        "aging",
        bucket=bucket.id,
        transition_default_minimum_object_size="varies_by_storage_class",
        rules=[
            {
                "id": "all",
                "status": "Enabled",
                "filter": {},
                "transitions": [{"days": 0, "storage_class": "GLACIER_IR"}],
            },
            {
                "id": "dated",
                "status": "Disabled",
                "filter": {"prefix": "tax/"},
                "expiration": {"date": "2030-01-01T00:00:00Z"},
            },
            {
                "id": "markers",
                "status": "Enabled",
                "filter": {"prefix": ""},
                "expiration": {"expired_object_delete_marker": True},
                "noncurrent_version_expiration": {"noncurrent_days": 1, "newer_noncurrent_versions": 5},
            },
            {
                "id": "large",
                "status": "Enabled",
                "filter": {"and_": {"prefix": "raw/", "object_size_greater_than": 500, "tags": {"tier": "cold"}}},
                "transitions": [
                    {"days": 30, "storage_class": "STANDARD_IA"},
                    {"days": 60, "storage_class": "DEEP_ARCHIVE"},
                ],
                "expiration": {"days": 365},
            },
            {"id": "uploads", "status": "Enabled", "abort_incomplete_multipart_upload": {"days_after_initiation": 1}},
        ],
        opts=pulumi.ResourceOptions(depends_on=[versions]),
    )


def a_public_web_site() -> None:
    """<https://docs.aws.amazon.com/AmazonS3/latest/userguide/HostingWebsiteOnS3Setup.html>."""
    bucket = aws.s3.Bucket("site")
    aws.s3.BucketWebsiteConfiguration("site", bucket=bucket.id, index_document={"suffix": "index.html"})
    opened = aws.s3.BucketPublicAccessBlock(
        "site",
        bucket=bucket.id,
        block_public_acls=True,
        ignore_public_acls=True,
        block_public_policy=False,
        restrict_public_buckets=False,
    )
    aws.s3.BucketPolicy(
        "site",
        bucket=bucket.id,
        policy={
            "Version": "2012-10-17",
            "Statement": [
                {
                    "Sid": "PublicReadGetObject",
                    "Effect": "Allow",
                    "Principal": "*",
                    "Action": "s3:GetObject",
                    "Resource": pulumi.Output.format("{0}/*", bucket.arn),
                }
            ],
        },
        opts=pulumi.ResourceOptions(depends_on=[opened]),
    )


def an_import_with_changes_left_alone() -> None:
    """<https://www.pulumi.com/docs/iac/guides/migration/import/>."""
    bucket = aws.s3.Bucket(
        "legacy",
        bucket="legacybucket-of-2010",
        opts=pulumi.ResourceOptions(
            import_="legacybucket-of-2010", ignore_changes=["*"], retain_on_delete=True, protect=True
        ),
    )
    group = aws.ec2.SecurityGroup.get("found", "sg-0a1b2c3d4e5f60718")
    aws.ec2.SecurityGroupRule(
        "found",
        type="ingress",
        protocol="all",
        from_port=0,
        to_port=0,
        cidr_blocks=["10.0.0.0/8"],
        security_group_id=group.id,
    )
    pulumi.export("domain", bucket.bucket_regional_domain_name)


def values_of_another_stack() -> None:
    """<https://www.pulumi.com/docs/iac/concepts/stacks/#stackreferences>."""
    base = pulumi.StackReference("organization/network/prod")
    vpc_id, subnets = base.get_output("vpcId"), base.require_output("privateSubnetIds")
    group = aws.ec2.SecurityGroup("db", vpc_id=vpc_id)
    names = aws.rds.SubnetGroup("db", subnet_ids=subnets)
    aws.rds.Instance(
        "db",
        engine="postgres",
        instance_class="db.t4g.micro",
        allocated_storage=20,
        username="app",
        manage_master_user_password=True,
        db_subnet_group_name=names.name,
        vpc_security_group_ids=[group.id],
        skip_final_snapshot=True,
    )
    aws.ec2.Subnet("more", vpc_id=vpc_id, cidr_block=base.get_output("spareRange"))
