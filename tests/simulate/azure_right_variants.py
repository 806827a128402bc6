"""What Azure takes of the same platform, and a simple-minded rule would refuse."""

from __future__ import annotations

from collections.abc import Mapping

from tests.nd_platform.clusters import system_pool
from tests.nd_platform.networks import rule
from tests.nd_platform.program import Misconfiguration
from tests.simulate.azure_misconfigurations.networks import doors


def _systemic(**changes: object) -> Misconfiguration:
    pools = [{**pool, "vnet_subnet_id": lambda made: made["nodes"].id} for pool in system_pool(**changes)]
    return {"cluster": {"agent_pool_profiles": pools}}


def _networked(**changes: object) -> Misconfiguration:
    return {"cluster": {"network_profile": changes}}


def _share(quota: int, **changes: object) -> Misconfiguration:
    return {"home": {"share_quota": quota, **changes}}


VARIANTS: Mapping[str, Misconfiguration] = {
    "a network of two ranges": {"vnet": {"address_space": {"address_prefixes": ["10.60.0.0/16", "10.61.0.0/16"]}}},
    "a network beside InfiniBand's addresses": {
        "vnet": {"address_space": {"address_prefixes": ["10.60.0.0/16", "172.17.0.0/16"]}}
    },
    "the smallest subnet": {"private": {"address_prefix": "10.60.17.0/29"}},
    "a subnet by a list of one": {"private": {"address_prefix": None, "address_prefixes": ["10.60.17.0/24"]}},
    "rules of one priority in two directions": doors(rule("out", 200, "443", direction="Outbound")),
    "a rule for a service tag of a region": doors(
        rule("backup", 300, "443", direction="Outbound", destination_address_prefix="Storage.EastUS")
    ),
    "a rule for any protocol and port": doors(rule("any", 4096, "*", protocol="*")),
    "a rule for several ports": doors(
        rule("web", 300, "0", destination_port_range=None, destination_port_ranges=["80", "443"])
    ),
    "a rule in small letters": doors(rule("small", 300, "443", protocol="tcp", access="allow", direction="inbound")),
    "doors shut to the world with Lustre's open": doors(
        rule("closed", 4000, "*", access="Deny", protocol="*", source_address_prefix="Internet")
    ),
    "a NAT gateway in one zone": {"nat": {"zones": ["1"]}, "address": {"zones": ["1"]}},
    "a NAT gateway of one zone behind every zone's address": {"nat": {"zones": ["2"]}},
    "an address that waits as long as it may": {
        "address": {"idle_timeout_in_minutes": 30},
        "nat": {"idle_timeout_in_minutes": 120},
    },
    "a way to nowhere": {
        "routes": {"routes": [{"name": "r", "address_prefix": "192.0.2.0/24", "next_hop_type": "None"}]}
    },
    "a way to the internet by a service tag": {
        "routes": {"routes": [{"name": "r", "address_prefix": "AzureMonitor", "next_hop_type": "Internet"}]}
    },
    "endpoints that obey security groups": {"private": {"private_endpoint_network_policies": "Enabled"}},
    "an endpoint of files": {
        "dfs-endpoint": {
            "private_link_service_connections": [
                {"name": "f", "private_link_service_id": lambda made: made["data"].id, "group_ids": ["file"]}
            ]
        },
        "dfs-zone": {"private_zone_name": "privatelink.file.core.windows.net"},
    },
    "a link in Azure's own spelling": {"blob-link": {"location": "Global"}, "blob-zone": {"location": "Global"}},
    "one network that registers its machines": {"database-link": {"registration_enabled": True}},
    "services and pods in ranges that carriers share": _networked(
        service_cidr="100.64.0.0/16", dns_service_ip="100.64.0.10", pod_cidr="100.96.0.0/12"
    ),
    "the least of services": _networked(service_cidr="10.200.0.0/24", dns_service_ip="10.200.0.254"),
    "Azure's own dataplane and policies": _networked(network_dataplane="azure", network_policy="azure"),
    "Calico on an overlay": _networked(network_dataplane="azure", network_policy="calico"),
    "Azure's own dataplane without policies": _networked(network_dataplane=None, network_policy=None),
    "a load balancer that AKS manages": {
        "nodes": {"nat_gateway": None},
        "cluster": {
            "network_profile": {
                "outbound_type": "loadBalancer",
                "load_balancer_profile": {"managed_outbound_ips": {"count": 2}, "allocated_outbound_ports": 8000},
            }
        },
    },
    "a way out through an appliance": {
        "nodes": {"nat_gateway": None, "route_table": {"id": lambda made: made["routes"].id}},
        "routes": {
            "routes": [
                {
                    "name": "r",
                    "address_prefix": "0.0.0.0/0",
                    "next_hop_type": "VirtualAppliance",
                    "next_hop_ip_address": "10.60.30.4",
                }
            ]
        },
        **_networked(outbound_type="userDefinedRouting"),
    },
    "a private cluster": {
        "cluster": {"api_server_access_profile": {"authorized_ip_ranges": None, "enable_private_cluster": True}}
    },
    "a cluster that anybody reaches": {"cluster": {"api_server_access_profile": None}},
    "a version with its patch": {"cluster": {"kubernetes_version": "1.34.0", "auto_upgrade_profile": None}},
    "a cluster that Azure names": {"cluster": {"resource_name_": None, "node_resource_group": None}},
    "local accounts beside Entra ID": {"cluster": {"disable_local_accounts": False}},
    "support for years": {"cluster": {"sku": {"tier": "Premium"}, "support_plan": "AKSLongTermSupport"}},
    "a cluster for trials": {"cluster": {"sku": {"tier": "Free"}}},
    "no upgrade by itself": {
        "cluster": {"auto_upgrade_profile": {"upgrade_channel": "none", "node_os_upgrade_channel": "None"}}
    },
    "node images by themselves": {"cluster": {"auto_upgrade_profile": {"upgrade_channel": "node-image"}}},
    "a system pool that keeps others away": _systemic(node_taints=["CriticalAddonsOnly=true:NoSchedule"]),
    "a system pool that scales": _systemic(enable_auto_scaling=True, min_count=3, max_count=5),
    "a system pool in three zones": _systemic(
        availability_zones=["1", "2", "3"], vm_size="Standard_D4ads_v5", os_disk_type="Ephemeral"
    ),
    "a window of every second week": {
        "window": {"maintenance_window": {"schedule": {"weekly": {"day_of_week": "Sunday", "interval_weeks": 2}}}}
    },
    "a window of upgrades, with days off": {
        "window": {
            "config_name": "aksManagedAutoUpgradeSchedule",
            "maintenance_window": {
                "duration_hours": 24,
                "schedule": {
                    "weekly": None,
                    "relative_monthly": {"day_of_week": "Monday", "interval_months": 3, "week_index": "Last"},
                },
                "not_allowed_dates": [{"start": "2026-12-23", "end": "2027-01-05"}],
            },
        }
    },
    "a pool's name of twelve letters": {"train": {"agent_pool_name": "train0hopper"}},
    "an autoscaled pool of regular machines": {
        "serve": {"scale_set_priority": "Regular", "scale_set_eviction_policy": None, "spot_max_price": None}
    },
    "spot machines that are kept": {"serve": {"scale_set_eviction_policy": "Deallocate", "spot_max_price": 4.12345}},
    "slices of an H100": {"serve": {"gpu_instance_profile": "MIG1g"}},
    "as many pods as there may be": {"batch": {"max_pods": 250}},
    "a pool on Azure Linux": {"batch": {"os_sku": "AzureLinux"}},
    "nodes behind their cluster": {"batch": {"orchestrator_version": "1.33"}},
    "taints with and without values": {"batch": {"node_taints": ["a.example/b:NoExecute", "c=d:PreferNoSchedule"]}},
    "a pool that upgrades two at once": {
        "batch": {"upgrade_settings": {"max_surge": "2", "drain_timeout_in_minutes": 60}}
    },
    "swap": {"batch": {"linux_os_config": {"swap_file_size_mb": 1500}, "kubelet_config": {"fail_swap_on": False}}},
    "single machines of one family": {
        "batch": {
            "type": "VirtualMachines",
            "vm_size": None,
            "count": None,
            "virtual_machines_profile": {"scale": {"manual": [{"size": "Standard_D16s_v5", "count": 2}]}},
        }
    },
    "as many machines as one InfiniBand holds": {"legacy": {"proximity_placement_group_id": None, "count": 100}},
    "a reservation for any zone": {
        "reserved": {"zones": None},
        "reservation": {"zones": None},
        "train": {"availability_zones": None},
    },
    "a larger reservation than pool": {"reservation": {"sku": {"capacity": 6}}},
    "Lustre of 500": {"scratch": {"sku": {"name": "AMLFS-Durable-Premium-500"}, "storage_capacity_ti_b": 12}},
    "Lustre of 40": {"scratch": {"sku": {"name": "AMLFS-Durable-Premium-40"}, "storage_capacity_ti_b": 48}},
    "Lustre that imports nothing": {"scratch": {"hsm": None}},
    "Lustre with a key of one's own": {
        "scratch": {
            "identity": {"type": "UserAssigned", "user_assigned_identities": [lambda made: made["keeper"].id]},
            "encryption_settings": {
                "key_encryption_key": {
                    "key_url": lambda made: made["key"].key_uri_with_version,
                    "source_vault": {"id": lambda made: made["vault"].id},
                }
            },
        },
        "key": {"properties": {"key_size": 2048}},
        "vault": {"properties": {"public_network_access": "Enabled"}},
    },
    "Lustre with root squashed": {
        "scratch": {
            "root_squash_settings": {
                "mode": "RootOnly",
                "squash_uid": 1000,
                "squash_gid": 1000,
                "no_squash_nid_lists": "10.60.16.4@tcp",
            }
        }
    },
    "blobs over NFS": {"data": {"enable_nfs_v3": True, "enable_https_traffic_only": False}},
    "blobs on premium": {
        "data": {
            "kind": "BlockBlobStorage",
            "sku": {"name": "Premium_ZRS"},
            "access_tier": None,
            "is_sftp_enabled": True,
        }
    },
    "one address let in": {"data": {"network_rule_set": {"ip_rules": [{"i_p_address_or_range": "203.0.113.7"}]}}},
    "an account of two regions": {"data": {"sku": {"name": "Standard_RAGZRS"}}},
    "versions of blobs without folders": {
        "data": {"is_hns_enabled": False},
        "blobs": {
            "is_versioning_enabled": True,
            "restore_policy": {"enabled": True, "days": 5},
            "change_feed": {"enabled": True},
        },
        "scratch": {"hsm": None},
    },
    "the smallest share": _share(100, root_squash="AllSquash"),
    "the largest share over SMB": {
        "homes": {"enable_https_traffic_only": True},
        **_share(102400, enabled_protocols="SMB", root_squash=None),
    },
    "a vault with policies of access": {
        "vault": {
            "properties": {
                "enable_rbac_authorization": False,
                "access_policies": [
                    {
                        "tenant_id": "72f988bf-86f1-41af-91ab-2d7cd011db47",
                        "object_id": "5f1c7f9e-3a56-4d5b-9a3e-0c6a3c1c7b11",
                        "permissions": {"keys": ["get", "wrapKey", "unwrapKey"]},
                    }
                ],
            }
        }
    },
    "a vault that forgets in a week": {"vault": {"properties": {"soft_delete_retention_in_days": 7}}},
    "disks by a key that rotates": {
        "disks": {"active_key": {"key_url": lambda made: made["key"].key_uri}},
        "key": {
            "properties": {
                "kty": "RSA-HSM",
                "rotation_policy": {
                    "lifetime_actions": [{"action": {"type": "rotate"}, "trigger": {"time_after_create": "P90D"}}]
                },
            }
        },
    },
    "a burstable database": {
        "runs": {
            "sku": {"name": "Standard_B2ms", "tier": "Burstable"},
            "high_availability": None,
            "storage": {"storage_size_gb": 32},
        }
    },
    "a standby in the same zone": {
        "runs": {"high_availability": {"mode": "SameZone", "standby_availability_zone": "1"}}
    },
    "a database for people alone": {
        "runs": {
            "auth_config": {"password_auth": "Disabled"},
            "administrator_login": None,
            "administrator_login_password": None,
        }
    },
    "a large database": {
        "runs": {
            "sku": {"name": "Standard_E16ds_v5", "tier": "MemoryOptimized"},
            "storage": {"storage_size_gb": 16384},
            "backup": {"backup_retention_days": 35, "geo_redundant_backup": "Enabled"},
        }
    },
    "a registry that the world reads": {
        "images": {"anonymous_pull_enabled": True, "public_network_access": "Enabled", "zone_redundancy": "Disabled"}
    },
    "a job of GitHub's": {
        "trainer-pods": {
            "issuer": "https://token.actions.githubusercontent.com",
            "subject": "repo:acme/app:ref:refs/heads/main",
        }
    },
    "a role on a group": {"trainer-images": {"scope": lambda made: made["group"].id}},
    "a budget of a quarter": {
        "budget": {
            "time_grain": "Quarterly",
            "time_period": {"start_date": "2026-10-01T00:00:00Z", "end_date": None},
            "notifications": {"most": {"threshold_type": "Forecasted", "threshold": 110.5, "contact_roles": ["Owner"]}},
        }
    },
    "a budget of a group": {"budget": {"scope": lambda made: made["group"].id}},
    "a machine without a zone": {
        "login": {"zones": None, "storage_profile": {"data_disks": None}},
        "disk": {
            "sku": {"name": "Premium_LRS"},
            "zones": None,
            "disk_iops_read_write": None,
            "disk_m_bps_read_write": None,
        },
    },
    "a scale set of spot machines": {
        "slurm-nodes": {
            "virtual_machine_profile": {
                "priority": "Spot",
                "eviction_policy": "Delete",
                "billing_profile": {"max_price": -1},
            }
        }
    },
}
