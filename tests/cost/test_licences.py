"""Images with a licence: no machine with Windows costs what it costs with Linux, and says so."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.cost.reference_architectures import AWS
from tests.programs import IT, Program, Ref, graph_of

from penstock.cost import Cost, cost_of
from penstock.graph.graph import Lookup

_AZURE = {"location": "eastus"}
_SIZE = {"hardwareProfile": {"vmSize": "Standard_D4s_v5"}}
_SCALE_SET = {"sku": {"name": "Standard_D4s_v5", "capacity": 3}}
_GCP: Program = {"provider": ("pulumi:providers:gcp", {"region": "us-central1", "zone": "us-central1-a"})}
_FAMILY = "projects/windows-cloud/global/images/family/windows-2022"
_WINDOWS_POOL = {"name": "win", "vmSize": "Standard_D4s_v5", "count": 2, "osType": "Windows"}


def _google(image: str, **inputs: Any) -> dict[str, Any]:
    boot = {"initializeParams": {"image": image, "size": 50}}
    return {"machineType": "n2-standard-4", "zone": "us-central1-a", "bootDisk": boot, **inputs}


def _bill(type_: str, inputs: dict[str, Any]) -> Cost:
    return cost_of(graph_of({**AWS, **_GCP, IT: (type_, inputs)}))


def _licence(bill: Cost) -> dict[str, float]:
    return {line.what: line.monthly_usd for line in bill.lines if line.what.startswith("licence")}


@pytest.mark.parametrize(
    ("type_", "inputs", "vcpu"),
    [
        (
            "azure-native:compute:VirtualMachine",
            {**_SIZE, **_AZURE, "storageProfile": {"imageReference": {"publisher": "MicrosoftWindowsServer"}}},
            4,
        ),
        ("azure-native:compute:VirtualMachine", {**_SIZE, **_AZURE, "osProfile": {"windowsConfiguration": {}}}, 4),
        ("azure-native:compute:VirtualMachine", {**_SIZE, "storageProfile": {"osDisk": {"osType": "Windows"}}}, 4),
        (
            "azure-native:compute:VirtualMachineScaleSet",
            {**_SCALE_SET, **_AZURE, "virtualMachineProfile": {"osProfile": {"windowsConfiguration": {}}}},
            12,
        ),
        ("azure-native:containerservice:ManagedCluster", {**_AZURE, "agentPoolProfiles": [_WINDOWS_POOL]}, 8),
        ("gcp:compute/instance:Instance", _google(_FAMILY), 4),
        ("gcp:compute/instance:Instance", _google("windows-cloud/windows-2022"), 4),
        (
            "gcp:container/nodePool:NodePool",
            {
                "location": "us-central1-a",
                "cluster": "main",
                "nodeCount": 2,
                "nodeConfig": {"machineType": "n2-standard-4", "imageType": "WINDOWS_LTSC_CONTAINERD"},
            },
            8,
        ),
        (
            "aws:eks/nodeGroup:NodeGroup",
            {
                "amiType": "WINDOWS_CORE_2022_x86_64",
                "instanceTypes": ["m5.large"],
                "scalingConfig": {"minSize": 2, "maxSize": 2, "desiredSize": 2},
            },
            4,
        ),
    ],
)
def test_windows_is_paid_for_beside_the_machine(type_: str, inputs: dict[str, Any], vcpu: int) -> None:
    bill = _bill(type_, inputs)

    assert _licence(bill) == {f"licence of Windows Server, {vcpu} vCPU": pytest.approx(vcpu * 0.046 * 730, abs=0.01)}
    machines = [line for line in bill.lines if "on demand" in line.what]
    assert all("the licence of Windows Server is apart" in line.assumes for line in machines)


@pytest.mark.parametrize(
    ("type_", "inputs", "licence"),
    [
        ("gcp:compute/instance:Instance", _google("rhel-cloud/rhel-9"), "Red Hat Enterprise Linux"),
        ("gcp:compute/instance:Instance", _google("suse-sap-cloud/sles-15"), "SUSE Linux Enterprise Server for SAP"),
        ("gcp:compute/instance:Instance", _google(_FAMILY, machineType="e2-medium"), "Windows Server"),
        (
            "azure-native:compute:VirtualMachine",
            {**_AZURE, "hardwareProfile": {"vmSize": "Standard_B2s"}, "osProfile": {"windowsConfiguration": {}}},
            "Windows Server",
        ),
        (
            "azure-native:compute:VirtualMachine",
            {**_AZURE, **_SIZE, "priority": "Spot", "osProfile": {"windowsConfiguration": {}}},
            "Windows Server",
        ),
    ],
)
def test_a_licence_without_a_price_that_holds_is_named(type_: str, inputs: dict[str, Any], licence: str) -> None:
    bill = _bill(type_, inputs)
    named = [each for each in bill.unpriced if each.why.startswith(f"licence of {licence} for ")]

    assert len(named) == 1
    assert "vCPU" in named[0].depends_on
    assert not _licence(bill)


@pytest.mark.parametrize(
    ("type_", "inputs"),
    [
        ("gcp:compute/instance:Instance", _google("debian-cloud/debian-12")),
        ("gcp:compute/instance:Instance", _google("debian-12")),
        (
            "azure-native:compute:VirtualMachine",
            {**_SIZE, "licenseType": "Windows_Server", "osProfile": {"windowsConfiguration": {}}},
        ),
        (
            "azure-native:containerservice:ManagedCluster",
            {"agentPoolProfiles": [_WINDOWS_POOL], "windowsProfile": {"licenseType": "Windows_Server"}},
        ),
    ],
)
def test_an_image_without_a_licence_or_with_the_companys_own_costs_no_more(type_: str, inputs: dict[str, Any]) -> None:
    bill = _bill(type_, inputs)

    assert not [each for each in (*(line.what for line in bill.lines), *(u.why for u in bill.unpriced))
                if "licence" in each]  # fmt: skip


@pytest.mark.parametrize(
    "arguments",
    [
        {"filters": [{"name": "name", "values": ["Windows_Server-2022-English-Full-Base-*"]}]},
        {"filters": [{"name": "platform", "values": ["windows"]}]},
    ],
)
def test_an_ami_is_known_by_the_look_up_that_found_it(arguments: dict[str, Any]) -> None:
    graph = graph_of({**AWS, IT: ("aws:ec2/instance:Instance", {"instanceType": "m5.large", "ami": "ami-1"})})
    lookup = Lookup("aws:ec2/getAmi:getAmi", arguments, "", answer={"id": "ami-1"})

    assert _licence(cost_of(replace(graph, lookups=(lookup,)))) == {
        "licence of Windows Server, 2 vCPU": pytest.approx(67.16)
    }


def test_a_disk_of_its_own_and_a_template_say_it_as_well() -> None:
    disk = ("gcp:compute/disk:Disk", {"image": "windows-cloud/windows-2022", "size": 50})
    from_disk = {"machineType": "n2-standard-4", "zone": "us-central1-a", "bootDisk": {"source": Ref("disk")}}
    template = (
        "gcp:compute/instanceTemplate:InstanceTemplate",
        {"machineType": "n2-standard-4", "disks": [{"sourceImage": _FAMILY, "boot": True}]},
    )
    group = {"zone": "us-central1-a", "targetSize": 2, "versions": [{"instanceTemplate": Ref("template")}]}
    bill = cost_of(
        graph_of(
            {
                **_GCP,
                "disk": disk,
                "template": template,
                "machine": ("gcp:compute/instance:Instance", from_disk),
                "group": ("gcp:compute/instanceGroupManager:InstanceGroupManager", group),
            }
        )
    )

    assert set(_licence(bill)) == {"licence of Windows Server, 4 vCPU", "licence of Windows Server, 8 vCPU"}


def test_a_reservation_of_windows_names_the_licence() -> None:
    held = {"instanceType": "m5.large", "instanceCount": 2, "instancePlatform": "Windows"}
    bill = _bill("aws:ec2/capacityReservation:CapacityReservation", held)

    assert "licence of Windows for m5.large, reserved: no price known" in [each.why for each in bill.unpriced]


def test_a_group_and_a_fleet_have_the_image_of_their_template() -> None:
    template = {
        "instanceType": "m5.large",
        "imageId": "resolve:ssm:/aws/service/ami-windows-latest/Windows_Server-2022",
    }
    launch = {"launchTemplateSpecification": {"launchTemplateId": Ref("lt"), "version": "$Latest"}}
    target = {"defaultTargetCapacityType": "on-demand", "totalTargetCapacity": 3}
    fleet = {"launchTemplateConfigs": [launch], "targetCapacitySpecification": target}
    group = {"launchTemplate": {"id": Ref("lt")}, "minSize": 2, "maxSize": 2, "desiredCapacity": 2}
    bill = cost_of(
        graph_of(
            {
                **AWS,
                "lt": ("aws:ec2/launchTemplate:LaunchTemplate", template),
                "group": ("aws:autoscaling/group:Group", group),
                "fleet": ("aws:ec2/fleet:Fleet", fleet),
            }
        )
    )

    assert set(_licence(bill)) == {"licence of Windows Server, 4 vCPU", "licence of Windows Server, 6 vCPU"}
