"""What a database promises: private, encrypted, doubled, and without a password that anyone has seen."""

from __future__ import annotations

import pytest

from penstock.aws.components.database import Database
from penstock.aws.components.handles import KeyHandle, NetworkHandle
from penstock.description.storage import DatabaseSpec
from penstock.graph.graph import Graph, Resource
from penstock.testing import RehearsalResult, rehearse

SPEC = DatabaseSpec(name="tracking", capacity_tib=0.5, retention_days=21, protect=True, tags={"owner": "ml"})


def built(network: NetworkHandle, key: KeyHandle, spec: DatabaseSpec = SPEC) -> RehearsalResult:
    return rehearse(lambda: Database("tracking", spec, network=network, key=key))


@pytest.fixture
def graph(network: NetworkHandle, key: KeyHandle) -> Graph:
    return built(network, key).graph


def server(graph: Graph) -> Resource:
    (resource,) = graph.of_type("aws:rds/instance:Instance")
    return resource


def test_the_password_is_made_by_rds_and_never_registered(graph: Graph, key: KeyHandle) -> None:
    inputs = server(graph).inputs

    assert inputs["manageMasterUserPassword"] is True
    assert inputs["masterUserSecretKmsKeyId"] == key.arn
    assert not {"password", "passwordWo"} & set(inputs)


def test_who_needs_the_password_is_reported_where_it_is_kept(graph: Graph) -> None:
    (component,) = graph.of_type("penstock:aws:Database")

    assert component.outputs["secret_arn"] == server(graph).outputs["masterUserSecrets"][0]["secretArn"]


def test_only_the_network_reaches_it_and_only_over_tls(graph: Graph, network: NetworkHandle) -> None:
    (group,) = graph.of_type("aws:ec2/securityGroup:SecurityGroup")
    (rule,) = graph.of_type("aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule")
    (parameters,) = graph.of_type("aws:rds/parameterGroup:ParameterGroup")

    assert server(graph).inputs["publiclyAccessible"] is False
    assert server(graph).inputs["vpcSecurityGroupIds"] == [group.id]
    assert (rule.inputs["cidrIpv4"], rule.inputs["fromPort"], rule.inputs["toPort"]) == (network.cidr, 5432, 5432)
    assert {item["name"]: item["value"] for item in parameters.inputs["parameters"]}["rds.force_ssl"] == "1"
    assert server(graph).inputs["parameterGroupName"] == parameters.outputs["name"]


def test_it_survives_the_loss_of_a_zone(graph: Graph, network: NetworkHandle) -> None:
    (subnets,) = graph.of_type("aws:rds/subnetGroup:SubnetGroup")

    assert server(graph).inputs["multiAz"] is True
    assert subnets.inputs["subnetIds"] == list(network.subnets.values())


def test_the_parameters_are_of_the_engine_version(graph: Graph) -> None:
    (parameters,) = graph.of_type("aws:rds/parameterGroup:ParameterGroup")

    assert parameters.inputs["family"] == f"postgres{server(graph).inputs['engineVersion']}"


def test_everything_it_writes_is_encrypted_with_the_given_key(graph: Graph, key: KeyHandle) -> None:
    inputs = server(graph).inputs

    assert inputs["storageEncrypted"] is True
    assert (inputs["kmsKeyId"], inputs["performanceInsightsKmsKeyId"]) == (key.arn, key.arn)


def test_capacity_is_rounded_up_to_whole_gib(network: NetworkHandle, key: KeyHandle) -> None:
    spec = SPEC.model_copy(update={"capacity_tib": 0.1})

    assert server(built(network, key, spec).graph).inputs["allocatedStorage"] == 103


def test_protected_data_outlives_the_server(graph: Graph) -> None:
    inputs = server(graph).inputs

    assert server(graph).options.protect
    assert inputs["deletionProtection"] is True
    (subnets,) = graph.of_type("aws:rds/subnetGroup:SubnetGroup")
    assert inputs["skipFinalSnapshot"] is False
    # The name of the subnets is a new one each time, and so is that of the snapshot.
    assert "name" not in subnets.inputs
    assert inputs["finalSnapshotIdentifier"] == f"{subnets.outputs['name']}-final"
    assert inputs["backupRetentionPeriod"] == 21


def test_unprotected_data_goes_without_a_snapshot_that_would_block_the_next_one(
    network: NetworkHandle, key: KeyHandle
) -> None:
    inputs = server(built(network, key, SPEC.model_copy(update={"protect": False})).graph).inputs

    assert inputs["skipFinalSnapshot"] is True
    assert "finalSnapshotIdentifier" not in inputs


def test_every_part_carries_the_tags(graph: Graph) -> None:
    parts = [resource for resource in graph if resource.custom and "tags" in resource.inputs]

    assert len(parts) == 5
    assert all(part.inputs["tags"]["owner"] == "ml" for part in parts)


def test_the_cloud_has_nothing_to_object(network: NetworkHandle, key: KeyHandle) -> None:
    assert built(network, key).findings == ()
