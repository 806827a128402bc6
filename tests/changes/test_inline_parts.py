"""Parts of a resource that could be resources of their own: what the cloud refuses there, it refuses here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pulumi_azure_native import compute, containerservice, network
from pulumi_gcp import container

from penstock.changes.diff import diff
from penstock.changes.diff_findings import findings_of
from penstock.simulate.run import rehearse

Program = Callable[[], object]


def aks(*pools: dict[str, Any]) -> Program:
    profiles = [{"mode": "System", "count": 3, "vm_size": "Standard_D4s_v5", **pool} for pool in pools]
    return lambda: containerservice.ManagedCluster(
        "ml", resource_group_name="ml", location="eastus", dns_prefix="ml", agent_pool_profiles=profiles
    )


def net(*subnets: dict[str, Any]) -> Program:
    return lambda: network.VirtualNetwork(
        "net", resource_group_name="ml", address_space={"address_prefixes": ["10.0.0.0/8"]}, subnets=list(subnets)
    )


def machine(os_gib: int, data_gib: int) -> Program:
    return lambda: compute.VirtualMachine(
        "m",
        resource_group_name="ml",
        storage_profile={
            "os_disk": {"create_option": "FromImage", "disk_size_gb": os_gib},
            "data_disks": [{"name": "data", "lun": 0, "create_option": "Empty", "disk_size_gb": data_gib}],
        },
    )


def refused(before: Program, after: Program) -> list[tuple[str, str]]:
    changes = diff(rehearse(before), rehearse(after))
    return [(each.code, each.path or "") for each in findings_of(changes) if each.code in ("DIFF-010", "DIFF-019")]


@pytest.mark.parametrize(
    ("before", "after", "code", "path"),
    [
        (
            aks({"name": "system"}),
            aks({"name": "system", "vm_size": "Standard_D8s_v5"}),
            "DIFF-019",
            "agentPoolProfiles[0].vmSize",
        ),
        (
            aks({"name": "system", "max_pods": 30}),
            aks({"name": "system", "max_pods": 110}),
            "DIFF-019",
            "agentPoolProfiles[0].maxPods",
        ),
        (
            aks({"name": "a"}, {"name": "b", "os_disk_type": "Managed"}),
            aks({"name": "b", "os_disk_type": "Ephemeral"}, {"name": "a"}),
            "DIFF-019",
            "agentPoolProfiles[0].osDiskType",
        ),
        (
            net({"name": "nodes", "address_prefix": "10.1.0.0/20"}),
            net({"name": "nodes", "address_prefix": "10.2.0.0/20"}),
            "DIFF-019",
            "subnets[0].addressPrefix",
        ),
        (machine(128, 512), machine(64, 512), "DIFF-010", "storageProfile.osDisk.diskSizeGB"),
        (machine(128, 512), machine(128, 256), "DIFF-010", "storageProfile.dataDisks[0].diskSizeGB"),
    ],
)
def test_what_a_cloud_refuses_of_a_separate_resource_is_refused_of_a_part(
    before: Program, after: Program, code: str, path: str
) -> None:
    assert (code, path) in refused(before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (aks({"name": "a"}, {"name": "b", "max_pods": 30}), aks({"name": "b", "max_pods": 30}, {"name": "a"})),
        (aks({"name": "a"}), aks({"name": "a"}, {"name": "b", "vm_size": "Standard_D8s_v5"})),
        (aks({"name": "a"}), aks({"name": "a", "count": 5, "node_labels": {"a": "b"}})),
        (
            net({"name": "a", "address_prefix": "10.1.0.0/20"}),
            net({"name": "b", "address_prefix": "10.2.0.0/20"}, {"name": "a", "address_prefix": "10.1.0.0/20"}),
        ),
        (machine(64, 256), machine(128, 512)),
    ],
)
def test_parts_that_move_come_or_grow_are_not_refused(before: Program, after: Program) -> None:
    assert refused(before, after) == []


def test_a_part_that_its_provider_replaces_replaces_the_whole() -> None:
    def gke(cpu: str) -> Program:
        pool: Any = {"name": "a", "node_count": 1, "node_config": {"min_cpu_platform": cpu}}
        return lambda: container.Cluster("ml", location="us-central1", node_pools=[pool])

    changes = diff(rehearse(gke("Intel Ice Lake")), rehearse(gke("Intel Sapphire Rapids")))

    assert [each.resource.type for each in changes.replaced] == ["gcp:container/cluster:Cluster"]
