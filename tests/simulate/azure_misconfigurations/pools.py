"""Misconfigurations in pools of machines, what is reserved for them, and scale sets on InfiniBand."""

from __future__ import annotations

from typing import Any

from tests.nd_platform.program import Misconfiguration
from tests.simulate.azure_misconfigurations.misconfigurations import Misconfigurations


def train(**changes: Any) -> Misconfiguration:
    """A misconfiguration of the pool of H100."""
    return {"train": changes}


def serve(**changes: Any) -> Misconfiguration:
    """A misconfiguration of the autoscaled pool of spot machines."""
    return {"serve": changes}


def batch(**changes: Any) -> Misconfiguration:
    """A misconfiguration of the pool without accelerators."""
    return {"batch": changes}


MISCONFIGURATIONS: Misconfigurations = {
    "a hyphen in a pool's name": (
        "train",
        train(agent_pool_name="train-h100"),
        "takes small letters and digits; aks/create-node-pools",
    ),
    "a pool's name of fourteen letters": (
        "train",
        train(agent_pool_name="traininghopper"),
        "takes twelve; aks/create-node-pools",
    ),
    "capitals in a pool's name": (
        "train",
        train(agent_pool_name="aksMigNode"),
        "takes small letters; aks/create-node-pools",
    ),
    "two pools of one name": (
        "legacy train",
        {"legacy": {"agent_pool_name": "train"}},
        "the second changes the first; aks/create-node-pools",
    ),
    "more nodes at least than at most": ("serve", serve(min_count=10), "refuses the pool; aks/cluster-autoscaler"),
    "a pool that scales between nothing": (
        "serve",
        serve(min_count=None, max_count=None),
        "wants both; aks/cluster-autoscaler",
    ),
    "limits of a pool that does not scale": (
        "batch",
        batch(min_count=1, max_count=3),
        "refuses them without the autoscaler; aks/cluster-autoscaler",
    ),
    "more nodes than the autoscaler may have": ("serve", serve(count=20), "refuses the count; aks/cluster-autoscaler"),
    "more nodes than a pool may have": ("batch", batch(count=1001), "takes 1000; aks/quotas-skus-regions"),
    "fewer nodes than none": ("batch", batch(count=-1), "refuses the count; aks/scale-cluster"),
    "a system pool that can be taken away": (
        "serve",
        serve(mode="System"),
        "has no system pool of spot machines; aks/spot-node-pool",
    ),
    "a price for machines that are not for sale": (
        "train",
        train(spot_max_price=2.0),
        "takes it for Spot alone; aks/spot-node-pool",
    ),
    "an eviction of machines that stay": (
        "train",
        train(scale_set_eviction_policy="Delete"),
        "takes it for Spot alone; aks/spot-node-pool",
    ),
    "a price of nothing": ("serve", serve(spot_max_price=0), "takes -1 or more than 0; aks/spot-node-pool"),
    "a price in millionths": ("serve", serve(spot_max_price=1.2345678), "takes five decimals; aks/spot-node-pool"),
    "too few pods": ("batch", batch(max_pods=5), "takes 10 to 250; aks/concepts-network-ip-address-planning"),
    "too many pods": ("batch", batch(max_pods=300), "takes 10 to 250; aks/concepts-network-ip-address-planning"),
    "a size that is none": (
        "train",
        train(vm_size="Standard_ND96isr_H100"),
        "has no such size; virtual-machines/sizes/gpu-accelerated/ndh100v5-series",
    ),
    "a size without Standard": (
        "train",
        train(vm_size="ND96isr_H100_v5"),
        "has no such size; virtual-machines/sizes/gpu-accelerated/ndh100v5-series",
    ),
    "a rack without NDR": (
        "train",
        train(vm_size="Standard_ND128isr_GB200_v6"),
        "has no such size; virtual-machines/sizes/gpu-accelerated/nd-gb200-v6-series",
    ),
    "a driver of NVIDIA for AMD": (
        "amd",
        {"amd": {"gpu_profile": {"driver": "Install"}}},
        "wants None; aks/use-amd-gpus",
    ),
    "AMD on Azure Linux": ("amd", {"amd": {"os_sku": "AzureLinux"}}, "wants Ubuntu; aks/use-amd-gpus"),
    "slices of an AMD GPU": (
        "amd",
        {"amd": {"gpu_instance_profile": "MIG1g"}},
        "slices NVIDIA's alone; aks/gpu-multi-instance",
    ),
    "slices of a CPU": ("batch", batch(gpu_instance_profile="MIG1g"), "slices GPUs alone; aks/gpu-multi-instance"),
    "slices in fifths": (
        "train",
        train(gpu_instance_profile="MIG5g"),
        "takes MIG1g, 2g, 3g, 4g, 7g; aks/gpu-multi-instance",
    ),
    "a label that is Azure's": (
        "train",
        train(node_labels={"kubernetes.azure.com/team": "a"}),
        "keeps the prefix; aks/use-labels",
    ),
    "a label of two slashes": ("train", train(node_labels={"a/b/c": "d"}), "refuses the label; aks/use-labels"),
    "a taint without its effect": (
        "train",
        train(node_taints=["sku=gpu"]),
        "wants key=value:effect; aks/use-node-taints",
    ),
    "a taint of an effect that is none": (
        "train",
        train(node_taints=["sku=gpu:NoScheduling"]),
        "knows three effects; aks/use-node-taints",
    ),
    "an upgrade with more and fewer": (
        "train",
        train(upgrade_settings={"max_surge": "1", "max_unavailable": "1"}),
        "takes one of the two above 0; aks/upgrade-options",
    ),
    "an upgrade of neither": (
        "train",
        train(upgrade_settings={"max_surge": "0", "max_unavailable": "0"}),
        "wants one of the two above 0; aks/upgrade-options",
    ),
    "a surge in words": (
        "train",
        train(upgrade_settings={"max_surge": "a third"}),
        "takes 1 or 33%; aks/upgrade-aks-cluster",
    ),
    "reserved machines by the service's own identity": (
        "cluster train",
        {"cluster": {"identity": {"type": "SystemAssigned", "user_assigned_identities": None}}},
        "wants an identity of one's own with rights; aks/use-capacity-reservation-groups",
    ),
    "reserved machines of another size": (
        "train reservation",
        {"reservation": {"sku": {"name": "Standard_ND96isr_H200_v5"}}},
        "warns, and the pool is not reserved; aks/use-capacity-reservation-groups",
    ),
    "reserved machines in another zone": (
        "train reserved reservation",
        {"reserved": {"zones": ["2"]}, "reservation": {"zones": ["2"]}},
        "has none for the pool's zone; virtual-machines/capacity-reservation-associate-virtual-machine-scale-set",
    ),
    "a reservation outside the zones of its group": (
        "reservation",
        {"reservation": {"zones": ["3"]}},
        "refuses the zone; virtual-machines/capacity-reservation-create",
    ),
    "a reservation of no size": (
        "reservation",
        {"reservation": {"sku": {"name": None}}},
        "wants the size; virtual-machines/capacity-reservation-create",
    ),
    "more nodes than reserved": (
        "train reservation",
        train(count=6),
        "the further machines are not reserved; aks/use-capacity-reservation-groups",
    ),
    "machines near each other in two zones": (
        "legacy near",
        {"legacy": {"availability_zones": ["1", "2"]}},
        "wants one zone; aks/reduce-latency-ppg",
    ),
    "InfiniBand among single machines": (
        "train",
        train(type="VirtualMachines", capacity_reservation_group_id=None),
        "has no InfiniBand there; aks/virtual-machines-node-pools",
    ),
    "more machines than one InfiniBand holds": (
        "legacy",
        {"legacy": {"count": 150}},
        "has 100 in a placement group; virtual-machines/setup-infiniband",
    ),
    "a disk that would be lost on a machine without any": (
        "batch",
        batch(os_disk_type="Ephemeral"),
        "wants cache or temporary disk; aks/concepts-storage",
    ),
    "a disk of five gigabytes": ("batch", batch(os_disk_size_gb=5), "wants 30; aks/concepts-storage"),
    "Windows under Linux": ("batch", batch(os_sku="Windows2022"), "refuses the SKU; aks/upgrade-windows-2019-2022"),
    "a zone that is none": ("train", train(availability_zones=["4"]), "has 1, 2 and 3; aks/availability-zones"),
    "a zone with its region": (
        "train",
        train(availability_zones=["eastus-1"]),
        "has 1, 2 and 3; aks/availability-zones",
    ),
    "nodes newer than their cluster": (
        "batch",
        batch(orchestrator_version="1.35"),
        "wants nodes at or below; aks/create-node-pools",
    ),
    "nodes far older than their cluster": (
        "batch",
        batch(orchestrator_version="1.30"),
        "lets them be three minor versions behind; aks/supported-kubernetes-versions",
    ),
    "a pool in another network": (
        "batch",
        batch(vnet_subnet_id=lambda made: made["desks"].id),
        "wants one network for all; aks/node-pool-unique-subnet",
    ),
    "more nodes than addresses": (
        "nodes cluster train legacy amd serve batch",
        {"nodes": {"address_prefix": "10.60.0.0/28"}},
        "has 11 addresses there, and the pools 20 nodes; aks/azure-cni-overlay",
    ),
    "addresses for pods beside an overlay": (
        "batch",
        batch(pod_subnet_id=lambda made: made["private"].id),
        "refuses the subnet; aks/azure-cni-overlay",
    ),
    "a pool in a subnet of databases": (
        "batch databases",
        batch(vnet_subnet_id=lambda made: made["databases"].id),
        "refuses a delegated subnet; aks/concepts-network",
    ),
    "processors managed somehow": (
        "train",
        train(kubelet_config={"cpu_manager_policy": "full"}),
        "takes none and static; aks/custom-node-configuration",
    ),
    "topology managed somehow": (
        "train",
        train(kubelet_config={"topology_manager_policy": "numa"}),
        "knows four; aks/custom-node-configuration",
    ),
    "swap that the kubelet refuses": (
        "batch",
        batch(linux_os_config={"swap_file_size_mb": 1500}),
        "wants failSwapOn false; aks/custom-node-configuration",
    ),
    "huge pages somehow": (
        "train",
        train(linux_os_config={"transparent_huge_page_enabled": "on"}),
        "takes always, madvise, never; aks/custom-node-configuration",
    ),
    "fewer maps than Linux has": (
        "train",
        train(linux_os_config={"sysctls": {"vm_max_map_count": 1000}}),
        "takes 65530 and more; aks/custom-node-configuration",
    ),
    "images cleaned between wrong marks": (
        "batch",
        batch(kubelet_config={"image_gc_high_threshold": 70, "image_gc_low_threshold": 80}),
        "wants the low one below; aks/custom-node-configuration",
    ),
    "a disk for the kubelet that is none": (
        "batch",
        batch(kubelet_disk_type="Local"),
        "takes OS and Temporary; rest/api/aks/agent-pools/create-or-update",
    ),
    "a runtime that is none": (
        "batch",
        batch(workload_runtime="Docker"),
        "refuses the value; rest/api/aks/agent-pools/create-or-update",
    ),
    "a signed start with a driver that is not": (
        "serve",
        serve(security_profile={"enable_secure_boot": True}),
        "wants driver None; aks/use-trusted-launch",
    ),
    "a placement that is none": (
        "near",
        {"near": {"proximity_placement_group_type": "Cluster"}},
        "takes Standard; virtual-machines/co-location",
    ),
    "a scale set on InfiniBand in several placement groups": (
        "slurm-nodes",
        {"slurm-nodes": {"single_placement_group": False}},
        "has no common InfiniBand; virtual-machines/setup-infiniband",
    ),
    "a scale set with more than its placement group holds": (
        "slurm-nodes",
        {"slurm-nodes": {"sku": {"capacity": 150}}},
        "has 100 there; virtual-machine-scale-sets/virtual-machine-scale-sets-placement-groups",
    ),
    "a scale set that is evicted and not for sale": (
        "slurm-nodes",
        {"slurm-nodes": {"virtual_machine_profile": {"eviction_policy": "Delete"}}},
        "takes it for Spot alone; virtual-machine-scale-sets/use-spot",
    ),
    "a machine in two zones": (
        "login",
        {"login": {"zones": ["1", "2"]}},
        "takes one; virtual-machines/availability-zones",
    ),
    "a machine in another zone than its disk": (
        "login",
        {"login": {"zones": ["2"]}},
        "refuses the disk; virtual-machines/disks-deploy-premium-v2",
    ),
    "two disks at one place": (
        "login",
        {
            "login": {
                "storage_profile": {
                    "data_disks": [
                        {"lun": 0, "create_option": "Empty", "disk_size_gb": 64},
                        {"lun": 0, "create_option": "Empty", "disk_size_gb": 64},
                    ]
                }
            }
        },
        "wants a LUN for each; virtual-machines/linux/attach-disk-portal",
    ),
    "a person who may not be": (
        "login",
        {"login": {"os_profile": {"admin_username": "admin"}}},
        "refuses the name; virtual-machines/linux/faq",
    ),
    "neither password nor key": (
        "login",
        {"login": {"os_profile": {"linux_configuration": {"ssh": None}}}},
        "wants a key; virtual-machines/linux/faq",
    ),
    "a disk with more operations than it may have": (
        "disk",
        {"disk": {"disk_iops_read_write": 900000}},
        "has 80000 at most; virtual-machines/disks-types",
    ),
    "a disk that is not sold": (
        "disk",
        {"disk": {"sku": {"name": "PremiumV3_LRS"}}},
        "has no such disks; virtual-machines/disks-types",
    ),
}
