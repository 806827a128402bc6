"""With values left unknown, each rule that judged a resource in a plain run still judges it, or is undetermined."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import date
from typing import Any

import pulumi
import pulumi_aws as aws
import pulumi_azure_native as az
import pulumi_gcp as gcp
import pulumi_kubernetes as k8s
import pytest

from penstock.catalog.former_types import by_present_names
from penstock.graph.verdict import Outcome
from penstock.graph.view import Site, View
from penstock.rules import registry
from penstock.rules.judge import evaluate, with_stack
from penstock.rules.levels import RuleKind
from penstock.rules.settings import Settings
from penstock.simulate.run import Rehearsal, rehearse

Verdicts = dict[tuple[str, str], Outcome]


def trust(service: str) -> str:
    statement = {"Effect": "Allow", "Action": "sts:AssumeRole", "Principal": {"Service": service}}
    return json.dumps({"Version": "2012-10-17", "Statement": [statement]})


def eks_with_an_outside_subnet() -> None:
    vpc = aws.ec2.Vpc("v", cidr_block="10.0.0.0/16")
    subnets = [
        aws.ec2.Subnet(zone, vpc_id=vpc.id, cidr_block=f"10.{at}.0.0/24", availability_zone=f"us-west-2{zone}")
        for at, zone in enumerate("ab")
    ]
    role = aws.iam.Role("r", assume_role_policy=trust("ec2.amazonaws.com"))
    ids: list[Any] = [*(subnet.id for subnet in subnets), "subnet-0123456789abcdef0"]
    cluster = aws.eks.Cluster("c", role_arn=role.arn, vpc_config={"subnet_ids": ids})
    sizes: Any = {"min_size": 5, "max_size": 2, "desired_size": 9}
    aws.eks.NodeGroup("n", cluster_name=cluster.name, node_role_arn=role.arn, subnet_ids=ids, scaling_config=sizes)


def a_policy_with_parts_of_two_buckets() -> None:
    one, other = aws.s3.Bucket("one"), aws.s3.Bucket("other")
    role = aws.iam.Role("r", assume_role_policy=trust("ec2.amazonaws.com"))
    statement = {"Effect": "Allow", "Action": "*", "Resource": [one.arn, pulumi.Output.concat(other.arn, "/*")]}
    document = pulumi.Output.json_dumps({"Version": "2012-10-17", "Statement": [statement]})
    aws.iam.RolePolicy("p", role=role.id, policy=document)
    aws.s3.BucketPolicy("b", bucket=one.id, policy=document)
    aws.s3.Bucket("named", bucket=pulumi.Output.concat("Upper_Case-", role.unique_id))
    aws.cloudwatch.LogGroup("l", name=pulumi.Output.concat("/a b/", one.id), retention_in_days=17)


def gke_in_a_network_of_the_program() -> None:
    network = gcp.compute.Network("n", auto_create_subnetworks=False)
    subnetwork = gcp.compute.Subnetwork("s", network=network.id, ip_cidr_range="10.0.0.0/24", region="us-east1")
    account = gcp.serviceaccount.Account("a", account_id="nodes-of-mine")
    cluster = gcp.container.Cluster(
        "c", location="us-central1", network=network.id, subnetwork=subnetwork.id, initial_node_count=1
    )
    config: Any = {"machine_type": "a3-highgpu-8g", "service_account": account.email}
    gcp.container.NodePool("p", cluster=cluster.id, location="us-central1", node_count=1, node_config=config)
    gcp.storage.BucketIAMMember(
        "m", bucket="shared", role="roles/storage.admin", member=pulumi.Output.concat("user:", account.email)
    )


def aks_with_a_vault_and_inline_subnets() -> None:
    group = az.resources.ResourceGroup("g", location="eastus")
    network = az.network.VirtualNetwork(
        "v",
        resource_group_name=group.name,
        address_space={"address_prefixes": ["10.0.0.0/16"]},
        subnets=[{"name": "nodes", "address_prefix": "10.1.0.0/24"}],
    )
    pool = {"name": "system", "mode": "System", "count": 3, "vm_size": "Standard_D4s_v5"}
    cluster = az.containerservice.ManagedCluster(
        "c",
        resource_group_name=group.name,
        dns_prefix="c",
        identity={"type": "SystemAssigned"},
        agent_pool_profiles=[{**pool, "vnet_subnet_id": network.subnets.apply(lambda subnets: subnets[0].id)}],
        addon_profiles={"azureKeyvaultSecretsProvider": {"enabled": True}},
    )
    az.authorization.RoleAssignment(
        "r",
        scope=group.id,
        principal_id=cluster.addon_profiles.apply(lambda p: p["azureKeyvaultSecretsProvider"].identity.object_id),
        principal_type="ServicePrincipal",
        role_definition_id="/subscriptions/0/providers/Microsoft.Authorization/roleDefinitions/1",
    )


def pods_with_names_of_other_objects() -> None:
    space = k8s.core.v1.Namespace("jobs")
    settings = k8s.core.v1.ConfigMap("settings", metadata={"namespace": space.metadata.name}, data={"a": "b"})
    pod: Any = {
        "restartPolicy": "Never",
        "containers": [
            {"name": "c", "image": "nginx", "envFrom": [{"configMapRef": {"name": settings.metadata.name}}]}
        ],
        "nodeSelector": {"gpu": pulumi.Output.concat("pool-", space.metadata.name)},
    }
    k8s.batch.v1.Job(
        "job",
        metadata={"namespace": space.metadata.name},
        spec={"template": {"spec": pod}},
    )


PROGRAMS = (
    eks_with_an_outside_subnet,
    a_policy_with_parts_of_two_buckets,
    gke_in_a_network_of_the_program,
    aks_with_a_vault_and_inline_subnets,
    pods_with_names_of_other_objects,
)


def verdicts(rehearsal: Rehearsal) -> Iterator[tuple[tuple[str, str], Outcome]]:
    site = Site(by_present_names(with_stack(rehearsal.graph)))
    packages = frozenset(resource.type.partition(":")[0] for resource in site.graph)
    for resource in site.graph:
        for kind in RuleKind:
            for rule in registry.rules_on(resource.type, kind, packages):
                answer = evaluate(rule, View(resource, site), Settings(), date(2026, 11, 29))
                yield (rule.id, resource.urn), answer.verdict.outcome


@pytest.mark.parametrize("program", PROGRAMS)
def test_no_rule_is_lost_where_values_are_unknown(program: Callable[[], None]) -> None:
    config = {"aws:region": "us-west-2", "gcp:project": "acme-research", "gcp:region": "us-central1"}
    plain, unknown = (dict(verdicts(rehearse(program, config=config, preview=each))) for each in (False, True))

    judged = {key for key, outcome in plain.items() if outcome in (Outcome.PASS, Outcome.FAIL)}
    assert {key for key in judged if unknown.get(key, Outcome.NOT_APPLICABLE) is Outcome.NOT_APPLICABLE} == set()
    failed = {key for key, outcome in plain.items() if outcome is Outcome.FAIL}
    assert {key for key in failed if unknown[key] is Outcome.PASS} == set()
    assert failed
