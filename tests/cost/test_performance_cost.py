"""What storage is given beyond its size is billed or named: IOPS, throughput, SSDs of the machine's host."""

from __future__ import annotations

from typing import Any

import pytest
from tests.cost.reference_architectures import AWS
from tests.programs import IT, Program, Ref, graph_of

from penstock.cost import Cost, cost_of

_GCP: Program = {"provider": ("pulumi:providers:gcp", {"region": "us-central1", "zone": "us-central1-a"})}
_DISK, _INSTANCE = "gcp:compute/disk:Disk", "gcp:compute/instance:Instance"
_RDS, _AZURE_DISK = "aws:rds/instance:Instance", "azure-native:compute:Disk"
_POSTGRES = {"engine": "postgres", "instanceClass": "db.t3.large"}


def _bill(type_: str, inputs: dict[str, Any], *, on: Program = _GCP) -> Cost:
    return cost_of(graph_of({**on, IT: (type_, inputs)}))


def _priced(bill: Cost) -> dict[str, float]:
    return {line.what: line.monthly_usd for line in bill.lines}


@pytest.mark.parametrize(
    ("inputs", "what", "usd"),
    [
        ({"storageType": "io1", "allocatedStorage": 100, "iops": 3000}, "3000 IOPS of the database, io1", 300),
        ({"allocatedStorage": 100, "iops": 1000}, "1000 IOPS of the database, io1", 100),
        (
            {"storageType": "io1", "allocatedStorage": 100, "iops": 1000, "multiAz": True},
            "2000 IOPS of the database, io1",
            200,
        ),
        (
            {"storageType": "gp3", "allocatedStorage": 20, "iops": 4000},
            "1000 IOPS of the database over 3000, gp3",
            20,
        ),
        (
            {"storageType": "gp3", "allocatedStorage": 400, "iops": 14_000},
            "2000 IOPS of the database over 12000, gp3",
            40,
        ),
    ],
)
def test_iops_of_a_database_are_billed(inputs: dict[str, Any], what: str, usd: float) -> None:
    assert _priced(_bill(_RDS, {**_POSTGRES, **inputs}, on=AWS))[what] == pytest.approx(usd)


def test_iops_that_come_with_a_database_are_free_and_those_nobody_gives_are_named() -> None:
    large = {**_POSTGRES, "storageType": "gp3", "allocatedStorage": 400, "iops": 12_000, "storageThroughput": 500}
    silent = {**_POSTGRES, "storageType": "io2", "allocatedStorage": 400}

    assert not [what for what in _priced(_bill(_RDS, large, on=AWS)) if "IOPS" in what or "MB/s" in what]
    assert any("IOPS" in each.why for each in _bill(_RDS, silent, on=AWS).unpriced)


@pytest.mark.parametrize(
    ("inputs", "what", "usd"),
    [
        ({"type": "pd-extreme", "size": 1000, "provisionedIops": 100_000}, "100000 IOPS, pd-extreme", 6500),
        ({"type": "hyperdisk-extreme", "size": 128, "provisionedIops": 20_000}, "20000 IOPS, hyperdisk-extreme", 640),
        (
            {"type": "hyperdisk-balanced", "size": 100, "provisionedIops": 5000},
            "2000 IOPS over 3000, hyperdisk-balanced",
            10,
        ),
        (
            {"type": "hyperdisk-balanced", "size": 100, "provisionedThroughput": 240},
            "100 MB/s over 140, hyperdisk-balanced",
            4,
        ),
    ],
)
def test_performance_of_a_disk_of_google_is_billed(inputs: dict[str, Any], what: str, usd: float) -> None:
    disk = _bill(_DISK, {**inputs, "zone": "us-central1-a"})
    given = {key: value for key, value in inputs.items() if key != "zone"}
    boot = _bill(_INSTANCE, {"machineType": "c3-standard-4", "bootDisk": {"initializeParams": given}})

    assert _priced(disk)[what] == pytest.approx(usd)
    assert _priced(boot)[what] == pytest.approx(usd)


def test_performance_that_the_cloud_decides_is_named() -> None:
    bill = _bill(_DISK, {"type": "hyperdisk-ml", "size": 100, "zone": "us-central1-a"})

    assert [each.why for each in bill.unpriced] == ["MB/s of hyperdisk-ml: nobody says how many"]


def test_an_ultra_disk_is_billed_by_its_size_and_its_performance() -> None:
    inputs = {
        "sku": {"name": "UltraSSD_LRS"},
        "location": "eastus",
        "diskSizeGB": 2048,
        "diskIOPSReadWrite": 4000,
        "diskMBpsReadWrite": 20,
    }

    assert _bill(_AZURE_DISK, inputs).monthly_usd == pytest.approx(245.19 + 198.56 + 6.99, abs=0.3)


def test_metadata_iops_of_lustre_are_named_where_they_are_chosen() -> None:
    inputs = {
        "deploymentType": "PERSISTENT_2",
        "perUnitStorageThroughput": 125,
        "storageCapacity": 1200,
        "metadataConfiguration": {"mode": "USER_PROVISIONED", "iops": 12_000},
    }
    named = "12000 metadata IOPS of Lustre: no price known"
    lustre = "aws:fsx/lustreFileSystem:LustreFileSystem"

    assert named in [each.why for each in _bill(lustre, inputs, on=AWS).unpriced]
    automatic = {**inputs, "metadataConfiguration": {"mode": "AUTOMATIC"}}
    assert not _bill(lustre, automatic, on=AWS).unpriced


_SCRATCH: dict[str, Any] = {"machineType": "n2-standard-8", "scratchDisks": [{"interface": "NVME"}] * 2}
_NODES: dict[str, Any] = {"location": "us-central1-a", "cluster": "main", "nodeCount": 3}


@pytest.mark.parametrize(
    ("type_", "inputs", "what", "usd"),
    [
        (_INSTANCE, _SCRATCH, "2 × 375 GiB disk, local-ssd", 60),
        (
            "gcp:container/nodePool:NodePool",
            {**_NODES, "nodeConfig": {"machineType": "n2-standard-8", "localSsdCount": 1}},
            "3 × 375 GiB disk, local-ssd",
            90,
        ),
        (
            "gcp:container/nodePool:NodePool",
            {
                **_NODES,
                "nodeConfig": {
                    "machineType": "n2-standard-8",
                    "ephemeralStorageLocalSsdConfig": {"localSsdCount": 2},
                },
            },
            "6 × 375 GiB disk, local-ssd",
            180,
        ),
    ],
)
def test_local_ssds_are_billed(type_: str, inputs: dict[str, Any], what: str, usd: float) -> None:
    assert _priced(_bill(type_, inputs))[what] == pytest.approx(usd)


def test_local_ssds_of_a_template_are_billed() -> None:
    template = {"machineType": "n2-standard-8", "disks": [{"type": "SCRATCH", "diskType": "local-ssd"}]}
    group = {"zone": "us-central1-a", "targetSize": 2, "versions": [{"instanceTemplate": Ref("template")}]}
    program: Program = {
        **_GCP,
        "template": ("gcp:compute/instanceTemplate:InstanceTemplate", template),
        IT: ("gcp:compute/instanceGroupManager:InstanceGroupManager", group),
    }

    assert _priced(cost_of(graph_of(program)))["2 × 375 GiB disk, local-ssd"] == pytest.approx(60)


def test_local_ssds_that_come_with_a_machine_are_not_billed_again() -> None:
    config = {"machineType": "a3-highgpu-8g", "ephemeralStorageLocalSsdConfig": {"localSsdCount": 16}}
    bill = _bill("gcp:container/nodePool:NodePool", {**_NODES, "nodeConfig": config})

    assert not [what for what in _priced(bill) if "local-ssd" in what]


def test_local_ssds_on_spot_are_named() -> None:
    bill = _bill(_INSTANCE, {**_SCRATCH, "scheduling": {"provisioningModel": "SPOT"}})

    assert "2 × 375 GiB local-ssd on spot: no price known" in [each.why for each in bill.unpriced]


def test_iops_of_io2_cost_less_the_more_they_are() -> None:
    volume = {"type": "io2", "size": 1000, "iops": 70_000}
    found = _priced(_bill("aws:ebs/volume:Volume", volume, on=AWS))

    assert sorted(usd for what, usd in found.items() if "IOPS" in what) == pytest.approx([192.0, 1456.0, 2080.0])
