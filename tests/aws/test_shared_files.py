"""What shared files promise: NFS in every zone, over TLS, and nobody is root."""

from __future__ import annotations

import json

import pytest

from penstock.aws.components.handles import KeyHandle, NetworkHandle
from penstock.aws.components.shared_files import SharedFiles
from penstock.description.storage import SharedFilesSpec
from penstock.graph.graph import Graph
from penstock.testing import RehearsalResult, rehearse

EFS = "aws:efs"
SPEC = SharedFilesSpec(name="home", protect=True, tags={"owner": "ml"})


@pytest.fixture
def rehearsal(network: NetworkHandle, key: KeyHandle) -> RehearsalResult:
    return rehearse(lambda: SharedFiles("home", SPEC, network=network, key=key))


@pytest.fixture
def graph(rehearsal: RehearsalResult) -> Graph:
    return rehearsal.graph


def test_every_zone_has_a_mount_target(graph: Graph, network: NetworkHandle) -> None:
    targets = graph.of_type(f"{EFS}/mountTarget:MountTarget")

    assert {target.name: target.inputs["subnetId"] for target in targets} == {
        f"home-{zone}": subnet for zone, subnet in network.subnets.items()
    }


def test_only_the_network_reaches_it_and_only_by_nfs(graph: Graph, network: NetworkHandle) -> None:
    (group,) = graph.of_type("aws:ec2/securityGroup:SecurityGroup")
    (rule,) = graph.of_type("aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule")

    assert rule.inputs["securityGroupId"] == group.id
    assert (rule.inputs["ipProtocol"], rule.inputs["fromPort"], rule.inputs["toPort"]) == ("tcp", 2049, 2049)
    assert rule.inputs["cidrIpv4"] == network.cidr
    assert all(
        target.inputs["securityGroups"] == [group.id] for target in graph.of_type(f"{EFS}/mountTarget:MountTarget")
    )


def test_clients_mount_over_tls_through_a_mount_target_and_are_never_root(graph: Graph) -> None:
    (policy,) = graph.of_type(f"{EFS}/fileSystemPolicy:FileSystemPolicy")
    allow, deny = json.loads(policy.inputs["policy"])["Statement"]

    assert allow["Effect"] == "Allow"
    assert allow["Action"] == ["elasticfilesystem:ClientMount", "elasticfilesystem:ClientWrite"]
    assert allow["Condition"] == {"Bool": {"elasticfilesystem:AccessedViaMountTarget": "true"}}
    assert (deny["Effect"], deny["Action"]) == ("Deny", "*")
    assert deny["Condition"] == {"Bool": {"aws:SecureTransport": "false"}}


def test_pods_write_as_an_ordinary_user_below_a_directory_of_their_own(graph: Graph) -> None:
    (point,) = graph.of_type(f"{EFS}/accessPoint:AccessPoint")

    assert point.inputs["posixUser"] == {"uid": 1000, "gid": 1000}
    assert point.inputs["rootDirectory"] == {
        "path": "/shared",
        "creationInfo": {"ownerUid": 1000, "ownerGid": 1000, "permissions": "0770"},
    }


def test_each_transition_stands_in_an_entry_of_its_own(graph: Graph) -> None:
    (filesystem,) = graph.of_type(f"{EFS}/fileSystem:FileSystem")

    assert all(len(policy) == 1 for policy in filesystem.inputs["lifecyclePolicies"])


def test_data_is_encrypted_backed_up_protected_and_tagged(graph: Graph, key: KeyHandle) -> None:
    (filesystem,) = graph.of_type(f"{EFS}/fileSystem:FileSystem")
    (backup,) = graph.of_type(f"{EFS}/backupPolicy:BackupPolicy")

    assert (filesystem.inputs["encrypted"], filesystem.inputs["kmsKeyId"]) == (True, key.arn)
    assert filesystem.inputs["throughputMode"] == "elastic"
    assert backup.inputs["backupPolicy"] == {"status": "ENABLED"}
    assert filesystem.options.protect
    assert filesystem.inputs["tags"] == {"owner": "ml", "Name": "home"}


def test_the_cloud_has_nothing_to_object(rehearsal: RehearsalResult) -> None:
    assert rehearsal.findings == ()
