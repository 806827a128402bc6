"""Machines beside the cluster: those of Slurm, and one to sign in."""

from __future__ import annotations

import pulumi_azure_native as azure
from tests.nd_platform.program import Program


def machines(program: Program) -> None:
    """Slurm's machines on InfiniBand, a disk for them, and one to sign in."""
    image = {"publisher": "microsoft-dsvm", "offer": "ubuntu-hpc", "sku": "2204", "version": "latest"}
    ssh = {"public_keys": [{"path": "/home/azureuser/.ssh/authorized_keys", "key_data": "ssh-rsa AAAAB3NzaC1yc2EA a"}]}
    linux = {"disable_password_authentication": True, "ssh": ssh}
    program.make(
        azure.compute.VirtualMachineScaleSet,
        "slurm-nodes",
        vm_scale_set_name="slurm-nodes",
        sku={"name": "Standard_ND96isr_H100_v5", "capacity": 8, "tier": "Standard"},
        single_placement_group=True,
        overprovision=False,
        upgrade_policy={"mode": "Manual"},
        orchestration_mode="Uniform",
        virtual_machine_profile={
            "priority": "Regular",
            "os_profile": {
                "computer_name_prefix": "slurm",
                "admin_username": "azureuser",
                "linux_configuration": linux,
            },
            "storage_profile": {
                "image_reference": image,
                "os_disk": {"create_option": "FromImage", "managed_disk": {"storage_account_type": "Premium_LRS"}},
            },
            "network_profile": {
                "network_interface_configurations": [
                    {
                        "name": "n",
                        "primary": True,
                        "enable_accelerated_networking": True,
                        "ip_configurations": [{"name": "i", "subnet": {"id": program.made["slurm"].id}}],
                    }
                ]
            },
        },
    )
    card = program.make(
        azure.network.NetworkInterface,
        "card",
        ip_configurations=[
            {"name": "i", "private_ip_allocation_method": "Dynamic", "subnet": {"id": program.made["slurm"].id}}
        ],
        enable_accelerated_networking=True,
    )
    disk = program.make(
        azure.compute.Disk,
        "disk",
        disk_name="shared",
        sku={"name": "PremiumV2_LRS"},
        disk_size_gb=1024,
        disk_iops_read_write=8000,
        disk_m_bps_read_write=500,
        creation_data={"create_option": "Empty"},
        zones=["1"],
    )
    program.make(
        azure.compute.VirtualMachine,
        "login",
        vm_name="login",
        zones=["1"],
        hardware_profile={"vm_size": "Standard_D8s_v5"},
        os_profile={"computer_name": "login", "admin_username": "azureuser", "linux_configuration": linux},
        storage_profile={
            "image_reference": image,
            "os_disk": {"create_option": "FromImage", "disk_size_gb": 128},
            "data_disks": [{"lun": 0, "create_option": "Attach", "managed_disk": {"id": disk.id}}],
        },
        network_profile={"network_interfaces": [{"id": card.id, "primary": True}]},
    )
