"""IAM roles: who may assume them and what they may do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import pulumi
from pulumi_aws import eks, iam

from penstock.aws.components.policy_documents import Statement, document


@dataclass(frozen=True, slots=True, kw_only=True)
class Role:
    """A role and what gives it its rights: whoever acts with the role waits for `rights`, or acts too early."""

    name: pulumi.Output[str]
    arn: pulumi.Output[str]
    rights: tuple[pulumi.Resource, ...]


def service_role(
    name: str,
    service: str,
    *,
    partition: str,
    policies: Iterable[str],
    tags: Mapping[str, str],
    opts: pulumi.ResourceOptions,
) -> Role:
    """A role that one AWS service assumes, such as `ec2.amazonaws.com`, with policies that AWS manages, by name."""
    trust = {"Effect": "Allow", "Principal": {"Service": service}, "Action": "sts:AssumeRole"}
    return _role(name, trust, partition=partition, policies=policies, tags=tags, opts=opts)


def pod_role(
    name: str,
    service_accounts: Iterable[str],
    *,
    namespace: str,
    cluster_name: pulumi.Input[str],
    partition: str,
    policies: Iterable[str],
    tags: Mapping[str, str],
    opts: pulumi.ResourceOptions,
) -> Role:
    """A role that Pod Identity gives to the pods of some service accounts of one cluster, and to no others."""
    trust = {
        "Effect": "Allow",
        "Principal": {"Service": "pods.eks.amazonaws.com"},
        "Action": ["sts:AssumeRole", "sts:TagSession"],
        "Condition": {
            "StringEquals": {
                "aws:RequestTag/eks-cluster-name": cluster_name,
                "aws:RequestTag/kubernetes-namespace": namespace,
                "aws:RequestTag/kubernetes-service-account": list(service_accounts),
            }
        },
    }
    return _role(name, trust, partition=partition, policies=policies, tags=tags, opts=opts)


def pipeline_role(
    name: str,
    subjects: Iterable[str],
    *,
    issuer: str,
    account: pulumi.Input[str],
    partition: str,
    tags: Mapping[str, str],
    opts: pulumi.ResourceOptions,
) -> Role:
    """A role for the jobs of a CI service whose OIDC tokens have one of the subjects.

    The account trusts `issuer` already: an issuer has one OIDC provider in an account.
    """
    host = issuer.removeprefix("https://")
    trust = {
        "Effect": "Allow",
        "Principal": {"Federated": pulumi.Output.concat(f"arn:{partition}:iam::", account, f":oidc-provider/{host}")},
        "Action": "sts:AssumeRoleWithWebIdentity",
        "Condition": {"StringEquals": {f"{host}:aud": "sts.amazonaws.com", f"{host}:sub": list(subjects)}},
    }
    return _role(name, trust, partition=partition, policies=(), tags=tags, opts=opts)


def bound_role(
    name: str,
    service_account: str,
    rights: Iterable[Statement],
    *,
    namespace: str,
    cluster_name: pulumi.Input[str],
    partition: str,
    tags: Mapping[str, str],
    opts: pulumi.ResourceOptions,
) -> eks.PodIdentityAssociation:
    """A role with rights of its own, bound to a service account; pods get them as they start once that is there."""
    role = pod_role(
        name,
        (service_account,),
        namespace=namespace,
        cluster_name=cluster_name,
        partition=partition,
        policies=(),
        tags=tags,
        opts=opts,
    )
    policy = iam.RolePolicy(name, role=role.name, policy=document(*rights), opts=opts)
    return eks.PodIdentityAssociation(
        name,
        cluster_name=cluster_name,
        namespace=namespace,
        service_account=service_account,
        role_arn=role.arn,
        tags=tags,
        opts=pulumi.ResourceOptions.merge(opts, pulumi.ResourceOptions(depends_on=[policy])),
    )


def _role(
    name: str,
    trust: Statement,
    *,
    partition: str,
    policies: Iterable[str],
    tags: Mapping[str, str],
    opts: pulumi.ResourceOptions,
) -> Role:
    role = iam.Role(name, assume_role_policy=document(trust), tags=tags, opts=opts)
    rights = tuple(
        iam.RolePolicyAttachment(
            f"{name}-{policy.rpartition('/')[2]}",
            role=role.name,
            policy_arn=f"arn:{partition}:iam::aws:policy/{policy}",
            opts=opts,
        )
        for policy in policies
    )
    return Role(name=role.name, arn=role.arn, rights=rights)
