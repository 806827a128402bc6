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
    Case("gcp-machine-type-known", PASS, pool("a3-ultragpu-8g")),
    Case("gcp-machine-type-known", PASS, machine(f"zones/{ZONE}/machineTypes/a4-highgpu-8g")),
    Case("gcp-machine-type-known", FAIL, pool("a3-ultragpu-4g"), path=TYPE, says="a3-ultragpu-8g"),
    Case(
        "gcp-machine-type-known", FAIL, inline("ct5p-hightpu-8t"), path=f"nodePools[0].{TYPE}", says="ct5p-hightpu-4t"
    ),
    Case("gcp-machine-type-known", FAIL, pool("ultragpu-8g"), path=TYPE, says="-ultragpu-8g"),
    Case("gcp-machine-type-known", CANNOT_TELL, pool(UNKNOWN)),
    Case("gcp-machine-type-known", NOT_APPLICABLE, pool("e2-custom-4-8192")),
    Case("gcp-machine-type-known", NOT_APPLICABLE, pool("g4-standard-12")),
    Case("gcp-machine-type-known", NOT_APPLICABLE, pool()),
    Case("gcp-gpu-guest-accelerators", PASS, gpus()),
    Case(
        "gcp-gpu-guest-accelerators",
        PASS,
        machine(guestAccelerators=[{**MEGA, "type": f"zones/{ZONE}/acceleratorTypes/{MEGA['type']}"}]),
    ),
    Case(
        "gcp-gpu-guest-accelerators",
        FAIL,
        gpus(type="nvidia-h100-80gb"),
        path=f"{ACCELERATOR}.type",
        says="nvidia-h100-mega-80gb",
    ),
    Case("gcp-gpu-guest-accelerators", FAIL, gpus(count=4), path=f"{ACCELERATOR}.count", says="Set it to 8"),
    Case("gcp-gpu-guest-accelerators", FAIL, gpus("e2-standard-4"), path="nodeConfig.guestAccelerators", says="n1"),
    Case("gcp-gpu-guest-accelerators", FAIL, gpus("ct5p-hightpu-4t"), path="nodeConfig.guestAccelerators", says="TPUs"),
    Case(
        "gcp-gpu-guest-accelerators",
        FAIL,
        held(guestAccelerators=[{"acceleratorType": MEGA["type"], "acceleratorCount": 1}]),
        path="specificReservation.instanceProperties.guestAccelerators[0].acceleratorCount",
    ),
    Case("gcp-gpu-guest-accelerators", CANNOT_TELL, gpus(count=UNKNOWN)),
    Case("gcp-gpu-guest-accelerators", NOT_APPLICABLE, pool("a3-megagpu-8g")),
    Case("gcp-gpu-guest-accelerators", NOT_APPLICABLE, gpus("n1-standard-8")),
    Case("gcp-machine-local-ssd-count", PASS, ssds("a3-megagpu-8g", 16)),
    Case("gcp-machine-local-ssd-count", PASS, ssds("a2-highgpu-2g", 4, "localNvmeSsdBlockConfig")),
    Case(
        "gcp-machine-local-ssd-count",
        FAIL,
        ssds("a3-ultragpu-8g", 16),
        path="nodeConfig.ephemeralStorageLocalSsdConfig.localSsdCount",
        says="Use 32",
    ),
    Case(
        "gcp-machine-local-ssd-count",
        FAIL,
        pool("a3-megagpu-8g-nolssd", {"localSsdCount": 16}),
        path="nodeConfig.localSsdCount",
    ),
    Case(
        "gcp-machine-local-ssd-count",
        FAIL,
        machine("a2-highgpu-8g", scratchDisks=[{"interface": "NVME"}]),
        path="scratchDisks",
    ),
    Case("gcp-machine-local-ssd-count", FAIL, template("a2-highgpu-8g", {"type": "SCRATCH"}), path="disks"),
    Case("gcp-machine-local-ssd-count", CANNOT_TELL, ssds("a3-megagpu-8g", UNKNOWN)),
    Case("gcp-machine-local-ssd-count", NOT_APPLICABLE, ssds("a3-megagpu-8g", 0)),
    Case("gcp-gke-local-ssd-use", PASS, ssds("a3-megagpu-8g", 16)),
    Case(
        "gcp-gke-local-ssd-use",
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
    Case("gcp-gke-local-ssd-use", CANNOT_TELL, ssds("a3-megagpu-8g", UNKNOWN)),
    Case("gcp-gke-local-ssd-use", NOT_APPLICABLE, pool("a3-megagpu-8g")),
    Case("gcp-machine-boot-disk-type", PASS, pool("a3-ultragpu-8g", {"diskType": "hyperdisk-balanced"})),
    Case(
        "gcp-machine-boot-disk-type",
        FAIL,
        pool("a3-ultragpu-8g", {"diskType": "pd-ssd"}),
        path="nodeConfig.diskType",
        says="Use hyperdisk-balanced",
    ),
    Case(
        "gcp-machine-boot-disk-type",
        FAIL,
        pool("a4-highgpu-8g", {"bootDisk": {"diskType": "pd-ssd"}}),
        path="nodeConfig.bootDisk.diskType",
    ),
    Case(
        "gcp-machine-boot-disk-type",
        FAIL,
        template("a4-highgpu-8g", {"boot": True, "diskType": "pd-ssd"}),
        path="disks[0].diskType",
    ),
    Case(
        "gcp-machine-boot-disk-type",
        FAIL,
        machine("a3-megagpu-8g", bootDisk={"initializeParams": {"type": "pd-standard"}}),
        path="bootDisk.initializeParams.type",
    ),
    Case("gcp-machine-boot-disk-type", CANNOT_TELL, pool("a3-ultragpu-8g", {"diskType": UNKNOWN})),
    Case("gcp-machine-boot-disk-type", NOT_APPLICABLE, pool("a3-ultragpu-8g")),
    Case(
        "gcp-machine-image-architecture",
        PASS,
        machine("a4x-highgpu-4g", **image("ubuntu-os-cloud/ubuntu-2404-lts-arm64")),
    ),
    Case(
        "gcp-machine-image-architecture",
        FAIL,
        machine("a4x-highgpu-4g", **image("ubuntu-os-cloud/ubuntu-2404-lts-amd64")),
        path="bootDisk.initializeParams.image",
        says="arm64",
    ),
    Case(
        "gcp-machine-image-architecture",
        FAIL,
        template("a3-ultragpu-8g", {"sourceImage": "debian-cloud/debian-12-arm64"}),
        path="disks[0].sourceImage",
    ),
    Case("gcp-machine-image-architecture", CANNOT_TELL, machine("a4x-highgpu-4g", **image(UNKNOWN))),
    Case("gcp-machine-image-architecture", NOT_APPLICABLE, machine("a4x-highgpu-4g")),
    Case("gcp-machine-type-region", PASS, pool("a3-megagpu-8g")),
    Case("gcp-machine-type-region", PASS, held()),
    Case(
        "gcp-machine-type-region",
        FAIL,
        pool("a4x-highgpu-4g", cluster={"location": "europe-west1"}),
        path=TYPE,
        says="us-central1",
    ),
    Case("gcp-machine-type-region", FAIL, machine("a3-ultragpu-8g", zone="europe-west3-a"), path="machineType"),
    Case("gcp-machine-type-region", CANNOT_TELL, pool("a3-megagpu-8g", cluster={"location": UNKNOWN})),
    Case("gcp-machine-type-region", NOT_APPLICABLE, pool("n1-standard-4")),
    Case("gcp-machine-type-region", NOT_APPLICABLE, machine("a3-ultragpu-8g", zone="mars-north1-a")),
    Case("gcp-gke-gpu-gvnic", PASS, pool("a3-megagpu-8g", {"gvnic": {"enabled": True}})),
    Case("gcp-gke-gpu-gvnic", FAIL, pool("a3-megagpu-8g", {"gvnic": {"enabled": False}}), path="nodeConfig.gvnic"),
    Case("gcp-gke-gpu-gvnic", FAIL, pool("ct5p-hightpu-4t"), path="nodeConfig.gvnic", says="true"),
    Case("gcp-gke-gpu-gvnic", CANNOT_TELL, pool("a3-megagpu-8g", {"gvnic": UNKNOWN})),
    Case("gcp-gke-gpu-gvnic", FAIL, pool("g2-standard-48"), path="nodeConfig.gvnic"),
    Case("gcp-gke-gpu-gvnic", NOT_APPLICABLE, pool("g2-standard-8")),
    Case("gcp-gke-gpu-gvnic", NOT_APPLICABLE, pool("e2-standard-4")),
    Case("gcp-gke-gpu-driver-latest", PASS, driver("LATEST")),
    Case(
        "gcp-gke-gpu-driver-latest",
        FAIL,
        driver("LATEST", imageType="UBUNTU_CONTAINERD"),
        path=f"{ACCELERATOR}.gpuDriverInstallationConfig.gpuDriverVersion",
        says="DEFAULT",
    ),
    Case("gcp-gke-gpu-driver-latest", CANNOT_TELL, driver(UNKNOWN)),
    Case("gcp-gke-gpu-driver-latest", NOT_APPLICABLE, driver("DEFAULT", imageType="UBUNTU_CONTAINERD")),
    Case("gcp-gke-accelerator-linux", PASS, pool("a3-megagpu-8g")),
    Case(
        "gcp-gke-accelerator-linux",
        FAIL,
        pool("a3-megagpu-8g", {"imageType": "WINDOWS_LTSC_CONTAINERD"}),
        path="nodeConfig.imageType",
    ),
    Case("gcp-gke-accelerator-linux", CANNOT_TELL, pool("a3-megagpu-8g", {"imageType": UNKNOWN})),
    Case("gcp-gke-accelerator-linux", NOT_APPLICABLE, pool("e2-standard-4", {"imageType": "WINDOWS_LTSC_CONTAINERD"})),
    Case(
        "gcp-gke-gpu-secure-boot",
        PASS,
        driver("INSTALLATION_DISABLED", shieldedInstanceConfig={"enableSecureBoot": False}),
    ),
    Case(
        "gcp-gke-gpu-secure-boot",
        FAIL,
        driver("INSTALLATION_DISABLED", shieldedInstanceConfig={"enableSecureBoot": True}),
        path="nodeConfig.shieldedInstanceConfig.enableSecureBoot",
        says="DEFAULT",
    ),
    Case(
        "gcp-gke-gpu-secure-boot",
        CANNOT_TELL,
        driver("INSTALLATION_DISABLED", shieldedInstanceConfig={"enableSecureBoot": UNKNOWN}),
    ),
    Case(
        "gcp-gke-gpu-secure-boot", NOT_APPLICABLE, driver("DEFAULT", shieldedInstanceConfig={"enableSecureBoot": True})
    ),
    Case("gcp-gke-metal-shielded", PASS, pool("a4x-maxgpu-4g-metal", cluster={"enableShieldedNodes": False})),
    Case("gcp-gke-metal-shielded", FAIL, pool("a4x-maxgpu-4g-metal"), path="enableShieldedNodes", says="false"),
    Case("gcp-gke-metal-shielded", CANNOT_TELL, pool("a4x-maxgpu-4g-metal", cluster={"enableShieldedNodes": UNKNOWN})),
    Case("gcp-gke-metal-shielded", NOT_APPLICABLE, pool("a4x-highgpu-4g")),
    Case("gcp-gpu-threads-per-core", PASS, pool("g2-standard-48", {"advancedMachineFeatures": {"threadsPerCore": 2}})),
    Case(
        "gcp-gpu-threads-per-core",
        FAIL,
        pool("g2-standard-48", {"advancedMachineFeatures": {"threadsPerCore": 1}}),
        path="nodeConfig.advancedMachineFeatures.threadsPerCore",
        says="24 of the 48",
    ),
    Case(
        "gcp-gpu-threads-per-core",
        CANNOT_TELL,
        pool("g2-standard-48", {"advancedMachineFeatures": {"threadsPerCore": UNKNOWN}}),
    ),
    Case(
        "gcp-gpu-threads-per-core",
        NOT_APPLICABLE,
        pool("c3-standard-44", {"advancedMachineFeatures": {"threadsPerCore": 1}}),
    ),
    Case("gcp-gke-local-ssd-config", PASS, ssds("a3-megagpu-8g", 16)),
    Case(
        "gcp-gke-local-ssd-config",
        FAIL,
        pool("a3-megagpu-8g"),
        path="nodeConfig.ephemeralStorageLocalSsdConfig",
        says="16",
    ),
    Case("gcp-gke-local-ssd-config", CANNOT_TELL, pool(nodeConfig=UNKNOWN)),
    Case("gcp-gke-local-ssd-config", NOT_APPLICABLE, pool("a2-highgpu-8g")),
    Case("gcp-machine-host-maintenance", PASS, machine(scheduling={"onHostMaintenance": "TERMINATE"})),
    Case("gcp-machine-host-maintenance", FAIL, machine(), path="scheduling.onHostMaintenance", says="TERMINATE"),
    Case(
        "gcp-machine-host-maintenance",
        FAIL,
        machine(scheduling={"onHostMaintenance": "MIGRATE"}),
        path="scheduling.onHostMaintenance",
    ),
    Case("gcp-machine-host-maintenance", CANNOT_TELL, machine(scheduling={"onHostMaintenance": UNKNOWN})),
    Case("gcp-machine-host-maintenance", NOT_APPLICABLE, machine("e2-standard-4")),
    Case("gcp-machine-host-maintenance", NOT_APPLICABLE, machine(scheduling={"provisioningModel": "SPOT"})),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_machine_rule_tells(case: Case) -> None:
    check(case)
