"""Machine types: what each fixes for whoever starts it."""

from __future__ import annotations

from typing import Any

import pytest
from tests.gcp_pools import ZONE, inline, pool, reservation
from tests.rulecases import Case, Program, check

from penstock.resources.values import UNKNOWN
from penstock.resources.verdict import Outcome
from penstock.rules.gcp.types import INSTANCE, INSTANCE_TEMPLATE, RESERVATION

PASS, FAIL, CANNOT_TELL, NOT_APPLICABLE = Outcome.PASS, Outcome.FAIL, Outcome.UNKNOWN, Outcome.NOT_APPLICABLE

MEGA = {"type": "nvidia-h100-mega-80gb", "count": 8}
TYPE = "nodeConfig.machineType"
ACCELERATOR = "nodeConfig.guestAccelerators[0]"


def gpus(machine_type: Any = "a3-megagpu-8g", config: Any = None, **accelerator: Any) -> Program:
    """A pool that names its accelerators."""
    return pool(machine_type, {"guestAccelerators": [{**MEGA, **accelerator}], **(config or {})})


def driver(version: Any, **config: Any) -> Program:
    """A pool that names its driver."""
    return gpus("a3-megagpu-8g", config, gpuDriverInstallationConfig={"gpuDriverVersion": version})


def ssds(machine_type: str, count: Any, block: str = "ephemeralStorageLocalSsdConfig") -> Program:
    """A pool that asks for local SSDs."""
    return pool(machine_type, {block: {"localSsdCount": count}})


def machine(machine_type: str = "a3-megagpu-8g", **inputs: Any) -> Program:
    """A machine without GKE."""
    return {"it": (INSTANCE, {"machineType": machine_type, "zone": ZONE, **inputs})}


def template(machine_type: str = "a3-ultragpu-8g", *disks: dict[str, Any], **inputs: Any) -> Program:
    """A template of machines."""
    return {"it": (INSTANCE_TEMPLATE, {"machineType": machine_type, "disks": list(disks), **inputs})}


def image(name: Any) -> dict[str, Any]:
    """A boot disk made from an image."""
    return {"bootDisk": {"initializeParams": {"image": name}}}


def held(**properties: Any) -> Program:
    """A reservation."""
    (kind, inputs) = reservation(properties=properties)["reservation"]
    assert kind == RESERVATION
    return {"it": (kind, inputs)}


CASES = [
    Case("GCP-GPU-001", PASS, pool("a3-ultragpu-8g")),
    Case("GCP-GPU-001", PASS, machine(f"zones/{ZONE}/machineTypes/a4-highgpu-8g")),
    Case("GCP-GPU-001", FAIL, pool("a3-ultragpu-4g"), path=TYPE, says="a3-ultragpu-8g"),
    Case("GCP-GPU-001", FAIL, inline("ct5p-hightpu-8t"), path=f"nodePools[0].{TYPE}", says="ct5p-hightpu-4t"),
    Case("GCP-GPU-001", FAIL, pool("ultragpu-8g"), path=TYPE, says="-ultragpu-8g"),
    Case("GCP-GPU-001", CANNOT_TELL, pool(UNKNOWN)),
    Case("GCP-GPU-001", NOT_APPLICABLE, pool("e2-custom-4-8192")),
    Case("GCP-GPU-001", NOT_APPLICABLE, pool("g4-standard-12")),
    Case("GCP-GPU-001", NOT_APPLICABLE, pool()),
    Case("GCP-GPU-002", PASS, gpus()),
    Case(
        "GCP-GPU-002",
        PASS,
        machine(guestAccelerators=[{**MEGA, "type": f"zones/{ZONE}/acceleratorTypes/{MEGA['type']}"}]),
    ),
    Case("GCP-GPU-002", FAIL, gpus(type="nvidia-h100-80gb"), path=f"{ACCELERATOR}.type", says="nvidia-h100-mega-80gb"),
    Case("GCP-GPU-002", FAIL, gpus(count=4), path=f"{ACCELERATOR}.count", says="Set it to 8"),
    Case("GCP-GPU-002", FAIL, gpus("e2-standard-4"), path="nodeConfig.guestAccelerators", says="n1"),
    Case("GCP-GPU-002", FAIL, gpus("ct5p-hightpu-4t"), path="nodeConfig.guestAccelerators", says="TPUs"),
    Case(
        "GCP-GPU-002",
        FAIL,
        held(guestAccelerators=[{"acceleratorType": MEGA["type"], "acceleratorCount": 1}]),
        path="specificReservation.instanceProperties.guestAccelerators[0].acceleratorCount",
    ),
    Case("GCP-GPU-002", CANNOT_TELL, gpus(count=UNKNOWN)),
    Case("GCP-GPU-002", NOT_APPLICABLE, pool("a3-megagpu-8g")),
    Case("GCP-GPU-002", NOT_APPLICABLE, gpus("n1-standard-8")),
    Case("GCP-GPU-003", PASS, ssds("a3-megagpu-8g", 16)),
    Case("GCP-GPU-003", PASS, ssds("a2-highgpu-2g", 4, "localNvmeSsdBlockConfig")),
    Case(
        "GCP-GPU-003",
        FAIL,
        ssds("a3-ultragpu-8g", 16),
        path="nodeConfig.ephemeralStorageLocalSsdConfig.localSsdCount",
        says="Use 32",
    ),
    Case("GCP-GPU-003", FAIL, pool("a3-megagpu-8g-nolssd", {"localSsdCount": 16}), path="nodeConfig.localSsdCount"),
    Case("GCP-GPU-003", FAIL, machine("a2-highgpu-8g", scratchDisks=[{"interface": "NVME"}]), path="scratchDisks"),
    Case("GCP-GPU-003", FAIL, template("a2-highgpu-8g", {"type": "SCRATCH"}), path="disks"),
    Case("GCP-GPU-003", CANNOT_TELL, ssds("a3-megagpu-8g", UNKNOWN)),
    Case("GCP-GPU-003", NOT_APPLICABLE, ssds("a3-megagpu-8g", 0)),
    Case("GCP-GPU-004", PASS, ssds("a3-megagpu-8g", 16)),
    Case(
        "GCP-GPU-004",
        FAIL,
        pool(
            "a3-megagpu-8g",
            {
                "ephemeralStorageLocalSsdConfig": {"localSsdCount": 8},
                "localNvmeSsdBlockConfig": {"localSsdCount": 8},
            },
        ),
        path="nodeConfig.localNvmeSsdBlockConfig.localSsdCount",
        says="exclude",
    ),
    Case("GCP-GPU-004", CANNOT_TELL, ssds("a3-megagpu-8g", UNKNOWN)),
    Case("GCP-GPU-004", NOT_APPLICABLE, pool("a3-megagpu-8g")),
    Case("GCP-GPU-005", PASS, pool("a3-ultragpu-8g", {"diskType": "hyperdisk-balanced"})),
    Case(
        "GCP-GPU-005",
        FAIL,
        pool("a3-ultragpu-8g", {"diskType": "pd-ssd"}),
        path="nodeConfig.diskType",
        says="Use hyperdisk-balanced",
    ),
    Case(
        "GCP-GPU-005",
        FAIL,
        pool("a4-highgpu-8g", {"bootDisk": {"diskType": "pd-ssd"}}),
        path="nodeConfig.bootDisk.diskType",
    ),
    Case(
        "GCP-GPU-005", FAIL, template("a4-highgpu-8g", {"boot": True, "diskType": "pd-ssd"}), path="disks[0].diskType"
    ),
    Case(
        "GCP-GPU-005",
        FAIL,
        machine("a3-megagpu-8g", bootDisk={"initializeParams": {"type": "pd-standard"}}),
        path="bootDisk.initializeParams.type",
    ),
    Case("GCP-GPU-005", CANNOT_TELL, pool("a3-ultragpu-8g", {"diskType": UNKNOWN})),
    Case("GCP-GPU-005", NOT_APPLICABLE, pool("a3-ultragpu-8g")),
    Case("GCP-GPU-006", PASS, machine("a4x-highgpu-4g", **image("ubuntu-os-cloud/ubuntu-2404-lts-arm64"))),
    Case(
        "GCP-GPU-006",
        FAIL,
        machine("a4x-highgpu-4g", **image("ubuntu-os-cloud/ubuntu-2404-lts-amd64")),
        path="bootDisk.initializeParams.image",
        says="arm64",
    ),
    Case(
        "GCP-GPU-006",
        FAIL,
        template("a3-ultragpu-8g", {"sourceImage": "debian-cloud/debian-12-arm64"}),
        path="disks[0].sourceImage",
    ),
    Case("GCP-GPU-006", CANNOT_TELL, machine("a4x-highgpu-4g", **image(UNKNOWN))),
    Case("GCP-GPU-006", NOT_APPLICABLE, machine("a4x-highgpu-4g")),
    Case("GCP-GPU-007", PASS, pool("a3-megagpu-8g")),
    Case("GCP-GPU-007", PASS, held()),
    Case(
        "GCP-GPU-007", FAIL, pool("a4x-highgpu-4g", cluster={"location": "europe-west1"}), path=TYPE, says="us-central1"
    ),
    Case("GCP-GPU-007", FAIL, machine("a3-ultragpu-8g", zone="europe-west3-a"), path="machineType"),
    Case("GCP-GPU-007", CANNOT_TELL, pool("a3-megagpu-8g", cluster={"location": UNKNOWN})),
    Case("GCP-GPU-007", NOT_APPLICABLE, pool("n1-standard-4")),
    Case("GCP-GPU-007", NOT_APPLICABLE, machine("a3-ultragpu-8g", zone="mars-north1-a")),
    Case("GCP-GPU-008", PASS, pool("a3-megagpu-8g", {"gvnic": {"enabled": True}})),
    Case("GCP-GPU-008", FAIL, pool("a3-megagpu-8g", {"gvnic": {"enabled": False}}), path="nodeConfig.gvnic"),
    Case("GCP-GPU-008", FAIL, pool("ct5p-hightpu-4t"), path="nodeConfig.gvnic", says="true"),
    Case("GCP-GPU-008", CANNOT_TELL, pool("a3-megagpu-8g", {"gvnic": UNKNOWN})),
    Case("GCP-GPU-008", FAIL, pool("g2-standard-48"), path="nodeConfig.gvnic"),
    Case("GCP-GPU-008", NOT_APPLICABLE, pool("g2-standard-8")),
    Case("GCP-GPU-008", NOT_APPLICABLE, pool("e2-standard-4")),
    Case("GCP-GPU-009", PASS, driver("LATEST")),
    Case(
        "GCP-GPU-009",
        FAIL,
        driver("LATEST", imageType="UBUNTU_CONTAINERD"),
        path=f"{ACCELERATOR}.gpuDriverInstallationConfig.gpuDriverVersion",
        says="DEFAULT",
    ),
    Case("GCP-GPU-009", CANNOT_TELL, driver(UNKNOWN)),
    Case("GCP-GPU-009", NOT_APPLICABLE, driver("DEFAULT", imageType="UBUNTU_CONTAINERD")),
    Case("GCP-GPU-010", PASS, pool("a3-megagpu-8g")),
    Case(
        "GCP-GPU-010",
        FAIL,
        pool("a3-megagpu-8g", {"imageType": "WINDOWS_LTSC_CONTAINERD"}),
        path="nodeConfig.imageType",
    ),
    Case("GCP-GPU-010", CANNOT_TELL, pool("a3-megagpu-8g", {"imageType": UNKNOWN})),
    Case("GCP-GPU-010", NOT_APPLICABLE, pool("e2-standard-4", {"imageType": "WINDOWS_LTSC_CONTAINERD"})),
    Case("GCP-GPU-011", PASS, driver("INSTALLATION_DISABLED", shieldedInstanceConfig={"enableSecureBoot": False})),
    Case(
        "GCP-GPU-011",
        FAIL,
        driver("INSTALLATION_DISABLED", shieldedInstanceConfig={"enableSecureBoot": True}),
        path="nodeConfig.shieldedInstanceConfig.enableSecureBoot",
        says="DEFAULT",
    ),
    Case(
        "GCP-GPU-011",
        CANNOT_TELL,
        driver("INSTALLATION_DISABLED", shieldedInstanceConfig={"enableSecureBoot": UNKNOWN}),
    ),
    Case("GCP-GPU-011", NOT_APPLICABLE, driver("DEFAULT", shieldedInstanceConfig={"enableSecureBoot": True})),
    Case("GCP-GPU-012", PASS, pool("a4x-maxgpu-4g-metal", cluster={"enableShieldedNodes": False})),
    Case("GCP-GPU-012", FAIL, pool("a4x-maxgpu-4g-metal"), path="enableShieldedNodes", says="false"),
    Case("GCP-GPU-012", CANNOT_TELL, pool("a4x-maxgpu-4g-metal", cluster={"enableShieldedNodes": UNKNOWN})),
    Case("GCP-GPU-012", NOT_APPLICABLE, pool("a4x-highgpu-4g")),
    Case("GCP-GPU-013", PASS, pool("g2-standard-48", {"advancedMachineFeatures": {"threadsPerCore": 2}})),
    Case(
        "GCP-GPU-013",
        FAIL,
        pool("g2-standard-48", {"advancedMachineFeatures": {"threadsPerCore": 1}}),
        path="nodeConfig.advancedMachineFeatures.threadsPerCore",
        says="24 of the 48",
    ),
    Case("GCP-GPU-013", CANNOT_TELL, pool("g2-standard-48", {"advancedMachineFeatures": {"threadsPerCore": UNKNOWN}})),
    Case("GCP-GPU-013", NOT_APPLICABLE, pool("c3-standard-44", {"advancedMachineFeatures": {"threadsPerCore": 1}})),
    Case("GCP-GPU-014", PASS, ssds("a3-megagpu-8g", 16)),
    Case("GCP-GPU-014", FAIL, pool("a3-megagpu-8g"), path="nodeConfig.ephemeralStorageLocalSsdConfig", says="16"),
    Case("GCP-GPU-014", CANNOT_TELL, pool(nodeConfig=UNKNOWN)),
    Case("GCP-GPU-014", NOT_APPLICABLE, pool("a2-highgpu-8g")),
    Case("GCP-GPU-015", PASS, machine(scheduling={"onHostMaintenance": "TERMINATE"})),
    Case("GCP-GPU-015", FAIL, machine(), path="scheduling.onHostMaintenance", says="TERMINATE"),
    Case(
        "GCP-GPU-015", FAIL, machine(scheduling={"onHostMaintenance": "MIGRATE"}), path="scheduling.onHostMaintenance"
    ),
    Case("GCP-GPU-015", CANNOT_TELL, machine(scheduling={"onHostMaintenance": UNKNOWN})),
    Case("GCP-GPU-015", NOT_APPLICABLE, machine("e2-standard-4")),
    Case("GCP-GPU-015", NOT_APPLICABLE, machine(scheduling={"provisioningModel": "SPOT"})),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_machine_rule_tells(case: Case) -> None:
    check(case)
