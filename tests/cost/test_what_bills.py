"""What a cloud bills for is priced or named, whatever its type: nothing that costs is silent."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pulumi_aws  # noqa: F401 - the types of the SDKs are known once they are imported
import pulumi_azure_native  # noqa: F401
import pulumi_gcp  # noqa: F401
import pytest
from tests.cost.reference_architectures import AWS
from tests.programs import IT, Program, graph_of, urn_of

from penstock.aws.cost import items as aws_bill
from penstock.azure.cost import items as azure_bill
from penstock.catalog import prices
from penstock.catalog.tables import rows
from penstock.cost import Cost, cost_of
from penstock.gcp.cost import items as gcp_bill
from penstock.graph.values import UNKNOWN
from penstock.simulate.sdk_types import input_types

BILLED = (
    "aws:acmpca/certificateAuthority:CertificateAuthority",
    "aws:amp/workspace:Workspace",
    "aws:cloudwatch/metricAlarm:MetricAlarm",
    "aws:directconnect/connection:Connection",
    "aws:dynamodb/table:Table",
    "aws:ec2/instance:Instance",
    "aws:ec2/vpnConnection:VpnConnection",
    "aws:ec2transitgateway/vpcAttachment:VpcAttachment",
    "aws:fsx/ontapFileSystem:OntapFileSystem",
    "aws:fsx/openZfsFileSystem:OpenZfsFileSystem",
    "aws:fsx/windowsFileSystem:WindowsFileSystem",
    "aws:globalaccelerator/accelerator:Accelerator",
    "aws:grafana/workspace:Workspace",
    "aws:kinesis/stream:Stream",
    "aws:lambda/function:Function",
    "aws:lambda/provisionedConcurrencyConfig:ProvisionedConcurrencyConfig",
    "aws:route53/healthCheck:HealthCheck",
    "aws:sqs/queue:Queue",
    "aws:sns/topic:Topic",
    "aws:wafv2/webAcl:WebAcl",
    "azure-native:apimanagement:ApiManagementService",
    "azure-native:cognitiveservices:Account",
    "azure-native:cosmosdb:DatabaseAccount",
    "azure-native:eventhub:Namespace",
    "azure-native:machinelearningservices:Compute",
    "azure-native:network:DdosProtectionPlan",
    "azure-native:network:ExpressRouteCircuit",
    "azure-native:network:VpnGateway",
    "azure-native:servicebus:Namespace",
    "azure-native:sql:Database",
    "gcp:cloudfunctionsv2/function:Function",
    "gcp:cloudrun/service:Service",
    "gcp:compute/interconnectAttachment:InterconnectAttachment",
    "gcp:compute/securityPolicy:SecurityPolicy",
    "gcp:compute/snapshot:Snapshot",
    "gcp:compute/vPNTunnel:VPNTunnel",
    "gcp:netapp/storagePool:StoragePool",
    "gcp:pubsub/subscription:Subscription",
)
NAMED = [row["type"] for cloud in ("aws", "gcp", "azure") for row in rows(f"{cloud}/billed_otherwise")]


def bill(type_: str, inputs: dict[str, Any] | None = None) -> Cost:
    return cost_of(graph_of({**AWS, IT: (type_, inputs or {})}))


def said(type_: str, inputs: dict[str, Any] | None = None) -> list[str]:
    found = bill(type_, inputs)
    return [line.what for line in found.lines] + [each.why for each in found.unpriced]


@pytest.mark.parametrize("type_", BILLED)
def test_what_is_billed_is_a_type_of_the_sdk_that_is_priced_or_named(type_: str) -> None:
    assert input_types(type_) is not None
    assert said(type_)


def test_every_type_of_the_tables_is_named() -> None:
    program: Program = {f"r{number}": (type_, {}) for number, type_ in enumerate(NAMED)}
    named = {each.urn for each in cost_of(graph_of(program)).unpriced}

    assert {urn_of(name, program) for name in program} <= named


@pytest.mark.parametrize("reader", [aws_bill, gcp_bill, azure_bill])
def test_what_has_a_price_is_not_named_as_without_one(reader: Any) -> None:
    types = [*reader._PRICED, *getattr(reader, "_FAMILIES", ())]  # noqa: SLF001 - no public list
    assert not [type_ for type_ in types if prices.billed_otherwise(type_)]


def test_each_family_of_aws_prices_the_types_that_lead_to_it() -> None:
    families = aws_bill._FAMILIES  # noqa: SLF001 - no public list

    for name in set(families.values()):
        module = import_module(f"penstock.aws.cost.{name}")
        assert set(module.PRICED) == {type_ for type_, family in families.items() if family == name}


def test_a_machine_without_a_block_of_its_root_volume_has_one_all_the_same() -> None:
    named = "root volume: its image decides how large it is"

    assert named in said("aws:ec2/instance:Instance", {"instanceType": "t3.large"})
    assert named not in said(
        "aws:ec2/instance:Instance", {"instanceType": "t3.large", "rootBlockDevice": {"volumeSize": 50}}
    )


def _azure_machine(disk: dict[str, Any]) -> dict[str, Any]:
    return {
        "hardwareProfile": {"vmSize": "Standard_D4s_v5"},
        "location": "eastus",
        "storageProfile": {"osDisk": {"createOption": "FromImage", **disk}},
    }


def test_the_system_disk_of_a_machine_of_azure_is_priced_like_a_managed_disk() -> None:
    disk = {"diskSizeGB": 128, "managedDisk": {"storageAccountType": "Premium_LRS"}}
    found = bill("azure-native:compute:VirtualMachine", _azure_machine(disk))
    (line,) = (line for line in found.lines if "disk" in line.what)

    assert line.what == "128 GiB system disk, P10"
    assert line.monthly_usd == pytest.approx(19.71)
    assert not found.unpriced


@pytest.mark.parametrize(
    ("disk", "why"),
    [
        ({"diskSizeGB": 128}, "system disk: Azure decides its kind"),
        ({"managedDisk": {"storageAccountType": "Premium_LRS"}}, "system disk: its image decides how large it is"),
    ],
)
def test_a_system_disk_that_nobody_says_enough_of_is_named(disk: dict[str, Any], why: str) -> None:
    assert [each.why for each in bill("azure-native:compute:VirtualMachine", _azure_machine(disk)).unpriced] == [why]


def test_an_ephemeral_disk_is_part_of_its_machine() -> None:
    inputs = _azure_machine({"diskSizeGB": 128, "diffDiskSettings": {"option": "Local"}})

    assert said("azure-native:compute:VirtualMachine", inputs) == ["1 × Standard_D4s_v5, on demand"]


def test_openzfs_in_one_zone_is_priced_and_in_two_named() -> None:
    inputs = {"deploymentType": "SINGLE_AZ_1", "storageCapacity": 1000, "throughputCapacity": 128}
    one = bill("aws:fsx/openZfsFileSystem:OpenZfsFileSystem", inputs)
    two = bill("aws:fsx/openZfsFileSystem:OpenZfsFileSystem", {**inputs, "deploymentType": "MULTI_AZ_1"})

    assert one.monthly_usd == pytest.approx(1000 * 0.09 + 128 * 0.26)
    assert not two.lines
    assert len(two.unpriced) == 3  # storage, throughput and backups


def test_a_database_of_google_without_a_size_has_the_least_disk() -> None:
    settings = {"tier": "db-custom-2-8192", "edition": "ENTERPRISE"}

    assert "10 GiB disk of Cloud SQL" in said("gcp:sql/databaseInstance:DatabaseInstance", {"settings": settings})


@pytest.mark.parametrize(
    ("type_", "words"),
    [
        ("azure-native:compute:Disk", ["GiB disk, Standard_LRS: how much is not known yet"]),
        ("aws:rds/instance:Instance", ["Instance: no price known"]),
        ("aws:ec2/capacityReservation:CapacityReservation", ["reserved: how much is not known yet"]),
        ("gcp:filestore/instance:Instance", ["GiB of Filestore: how much is not known yet"]),
    ],
)
def test_what_nobody_gives_is_no_word(type_: str, words: list[str]) -> None:
    assert said(type_) == words


def test_no_bill_says_none() -> None:
    types = [*aws_bill._PRICED, *aws_bill._FAMILIES, *gcp_bill._PRICED, *azure_bill._PRICED]  # noqa: SLF001
    program: Program = {f"r{number}": (type_, {}) for number, type_ in enumerate(types)}
    found = cost_of(graph_of(program))

    assert not [what for what in (*(line.what for line in found.lines), *(each.why for each in found.unpriced))
                if "None" in what]  # fmt: skip


def test_what_is_billed_by_use_says_so_once() -> None:
    found = bill("aws:amplify/app:App").unpriced[0]

    assert found.why == "by use"
    assert found.depends_on
    assert not found.depends_on.startswith("by use")


def test_the_property_that_a_bill_needs_is_named() -> None:
    found = bill("gcp:compute/disk:Disk", {"size": UNKNOWN, "type": "pd-ssd"})

    assert [each.why for each in found.unpriced] == ["size, which the bill needs, is not known yet"]


@pytest.mark.parametrize(
    ("machines", "words"),
    [
        (2, "2 machines of the program are behind it, each is billed"),
        (40, "40 machines of the program are behind it, of which 32 are billed"),
    ],
)
def test_a_gateway_says_which_machines_are_billed(machines: int, words: str) -> None:
    nodes = {"location": "us-central1-a", "cluster": "main", "nodeCount": machines}
    program: Program = {
        IT: ("gcp:compute/routerNat:RouterNat", {}),
        "nodes": ("gcp:container/nodePool:NodePool", nodes),
    }

    assert words in [line.assumes for line in cost_of(graph_of(program)).lines]


def test_a_service_without_machines_at_the_start_is_no_count_of_them() -> None:
    words = said("gcp:cloudrunv2/service:Service", {"location": "us-central1", "template": {"containers": [{}]}})

    assert not [what for what in words if what.startswith("0 ×")]
