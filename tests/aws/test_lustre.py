"""What a Lustre file system promises: reached by the right nodes, fed by its bucket, backed up where AWS allows it."""

from __future__ import annotations

import re

import pytest

from penstock.aws.components.handles import BucketHandle, KeyHandle, NetworkHandle
from penstock.aws.components.lustre import Lustre
from penstock.core.errors import ProgramFailed
from penstock.description.storage import LustreSpec
from penstock.graph.graph import Graph, Resource
from penstock.testing import rehearse

FILESYSTEM = "aws:fsx/lustreFileSystem:LustreFileSystem"
ASSOCIATION = "aws:fsx/dataRepositoryAssociation:DataRepositoryAssociation"
GROUP = "aws:ec2/securityGroup:SecurityGroup"
INGRESS = "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule"
EGRESS = "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule"

PLAIN = LustreSpec(name="scratch", capacity_tib=1.2, throughput_mbps_per_tib=250, tags={"owner": "ml"})
OVER_EFA = PLAIN.model_copy(update={"capacity_tib": 19.2, "fabric": "efa"})
PROTECTED = PLAIN.model_copy(update={"protect": True})
DATASETS = BucketHandle(name="datasets-4f2a", arn="arn:aws:s3:::datasets-4f2a")

Flow = tuple[str, str, int | None, int | None]


def built(
    spec: LustreSpec,
    network: NetworkHandle,
    key: KeyHandle,
    *,
    zone: str = "us-east-1b",
    source: BucketHandle | None = None,
) -> Graph:
    return rehearse(lambda: Lustre("scratch", spec, network=network, zone=zone, key=key, source=source)).graph


def filesystem(graph: Graph) -> Resource:
    (resource,) = graph.of_type(FILESYSTEM)
    return resource


def flows(graph: Graph, direction: str) -> set[Flow]:
    return {
        (
            rule.inputs["securityGroupId"],
            rule.inputs["referencedSecurityGroupId"],
            rule.inputs.get("fromPort"),
            rule.inputs.get("toPort"),
        )
        for rule in graph.of_type(direction)
    }


@pytest.mark.parametrize("direction", [INGRESS, EGRESS])
def test_over_efa_servers_and_nodes_may_send_each_other_anything_by_id(
    network: NetworkHandle, key: KeyHandle, direction: str
) -> None:
    graph = built(OVER_EFA, network, key)
    (group,) = graph.of_type(GROUP)

    assert flows(graph, direction) == {
        (group.id, group.id, None, None),
        (group.id, network.fabric_group_id, None, None),
        (network.fabric_group_id, group.id, None, None),
    }
    assert all(rule.inputs["ipProtocol"] == "-1" for rule in graph.of_type(direction))


@pytest.mark.parametrize("direction", [INGRESS, EGRESS])
def test_over_tcp_only_the_ports_of_lustre_are_open(network: NetworkHandle, key: KeyHandle, direction: str) -> None:
    graph = built(PLAIN, network, key)
    (group,) = graph.of_type(GROUP)
    peers = {(group.id, group.id), (group.id, network.fabric_group_id), (network.fabric_group_id, group.id)}

    assert flows(graph, direction) == {
        (owner, peer, first, last) for owner, peer in peers for first, last in ((988, 988), (1018, 1023))
    }
    assert all(rule.inputs["ipProtocol"] == "tcp" for rule in graph.of_type(direction))


def test_no_address_outside_a_security_group_reaches_it(network: NetworkHandle, key: KeyHandle) -> None:
    graph = built(PLAIN, network, key)

    assert not any("cidrIpv4" in rule.inputs for rule in graph.of_type(INGRESS, EGRESS))


def test_aws_accepts_the_text_on_its_security_group(network: NetworkHandle, key: KeyHandle) -> None:
    (group,) = built(PLAIN, network, key).of_type(GROUP)

    assert re.fullmatch(r"[a-zA-Z0-9. _\-:/()#,@\[\]+=&;{}!$*]{1,255}", group.inputs["description"])


def test_it_waits_for_its_rules_which_aws_checks_at_creation(network: NetworkHandle, key: KeyHandle) -> None:
    graph = built(OVER_EFA, network, key)

    assert {rule.urn for rule in graph.of_type(INGRESS, EGRESS)} <= set(filesystem(graph).dependencies)


@pytest.mark.parametrize(("spec", "efa"), [(PLAIN, False), (OVER_EFA, True)])
def test_only_the_type_that_takes_efa_clients_is_built(
    network: NetworkHandle, key: KeyHandle, spec: LustreSpec, efa: bool
) -> None:
    inputs = filesystem(built(spec, network, key)).inputs

    assert inputs["deploymentType"] == "PERSISTENT_2"
    assert inputs["fileSystemTypeVersion"] == "2.15"
    assert inputs["metadataConfiguration"] == {"mode": "AUTOMATIC"}
    assert inputs["efaEnabled"] is efa


def test_capacity_is_reported_in_the_units_of_aws(network: NetworkHandle, key: KeyHandle) -> None:
    inputs = filesystem(built(OVER_EFA, network, key)).inputs

    assert (inputs["storageCapacity"], inputs["perUnitStorageThroughput"]) == (19200, 250)


def test_it_stands_in_the_zone_of_its_pools(network: NetworkHandle, key: KeyHandle) -> None:
    inputs = filesystem(built(PLAIN, network, key, zone="us-east-1b")).inputs

    assert inputs["subnetIds"] == network.subnets["us-east-1b"]


def test_a_zone_without_a_subnet_stops_the_program(network: NetworkHandle, key: KeyHandle) -> None:
    with pytest.raises(ProgramFailed, match="us-east-1f"):
        built(PLAIN, network, key, zone="us-east-1f")


def test_its_bucket_is_imported_whole_and_followed(network: NetworkHandle, key: KeyHandle) -> None:
    graph = built(PLAIN, network, key, source=DATASETS)
    (association,) = graph.of_type(ASSOCIATION)

    assert association.inputs["dataRepositoryPath"] == "s3://datasets-4f2a"
    assert association.inputs["fileSystemPath"] == "/imported"
    assert association.inputs["batchImportMetaDataOnCreate"] is True
    assert association.inputs["s3"] == {"autoImportPolicy": {"events": ["NEW", "CHANGED", "DELETED"]}}
    # AWS refuses an association beside the import properties of older file systems.
    assert not {"importPath", "exportPath", "autoImportPolicy"} & set(filesystem(graph).inputs)


def test_without_a_bucket_nothing_is_imported(network: NetworkHandle, key: KeyHandle) -> None:
    assert not built(PLAIN, network, key).of_type(ASSOCIATION)


def test_backups_are_kept_unless_a_bucket_feeds_it(network: NetworkHandle, key: KeyHandle) -> None:
    alone = filesystem(built(PROTECTED, network, key)).inputs
    fed = filesystem(built(PROTECTED, network, key, source=DATASETS)).inputs

    policy = ("automaticBackupRetentionDays", "copyTagsToBackups", "skipFinalBackup")
    assert [alone[name] for name in policy] == [7, True, False]
    assert [fed[name] for name in policy] == [0, False, True]


def test_it_is_encrypted_protected_and_tagged(network: NetworkHandle, key: KeyHandle) -> None:
    resource = filesystem(built(PROTECTED, network, key))

    assert resource.inputs["kmsKeyId"] == key.arn
    assert resource.options.protect
    assert resource.inputs["tags"] == {"owner": "ml", "Name": "scratch"}


def test_slow_steps_get_the_time_they_take(network: NetworkHandle, key: KeyHandle) -> None:
    graph = built(PLAIN, network, key, source=DATASETS)
    (association,) = graph.of_type(ASSOCIATION)

    assert filesystem(graph).options.timeouts.create == "60m"
    assert association.options.timeouts.create == "30m"


def test_the_cloud_has_nothing_to_object(network: NetworkHandle, key: KeyHandle) -> None:
    def program() -> None:
        Lustre("scratch", OVER_EFA, network=network, zone="us-east-1a", key=key, source=DATASETS)

    assert rehearse(program).findings == ()


def test_results_are_written_back_when_asked(network: NetworkHandle, key: KeyHandle) -> None:
    back = PLAIN.model_copy(update={"export": True})

    def rules(spec: LustreSpec) -> set[str]:
        (link,) = built(spec, network, key, source=DATASETS).of_type(ASSOCIATION)
        return set(link.inputs["s3"])

    assert rules(back) == {"autoImportPolicy", "autoExportPolicy"}
    assert rules(PLAIN) == {"autoImportPolicy"}
