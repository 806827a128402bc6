"""Misconfigurations of Managed Lustre and what it imports."""

from __future__ import annotations

from typing import Any

from tests.nd_platform.program import Misconfiguration
from tests.simulate.azure_misconfigurations.misconfigurations import Misconfigurations


def scratch(**changes: Any) -> Misconfiguration:
    """A misconfiguration of the file system."""
    return {"scratch": changes}


def imported(**changes: Any) -> Misconfiguration:
    """A misconfiguration in what the file system imports."""
    return scratch(hsm={"settings": changes})


_SIZES = "azure-managed-lustre/create-file-system-portal"
_NETWORK = "azure-managed-lustre/amlfs-prerequisites"

MISCONFIGURATIONS: Misconfigurations = {
    "a size between two steps": ("scratch", scratch(storage_capacity_ti_b=20), f"sells steps of 8 TiB; {_SIZES}"),
    "a size below the first step": ("scratch", scratch(storage_capacity_ti_b=4), f"begins at 8 TiB; {_SIZES}"),
    "a size of 125 for another SKU": (
        "scratch",
        scratch(sku={"name": "AMLFS-Durable-Premium-40"}),
        f"sells steps of 48 TiB; {_SIZES}",
    ),
    "a throughput that is not sold": (
        "scratch",
        scratch(sku={"name": "AMLFS-Durable-Premium-300"}),
        f"sells 40, 125, 250 and 500; {_SIZES}",
    ),
    "a window at an hour that is none": (
        "scratch",
        scratch(maintenance_window={"time_of_day_utc": "25:00"}),
        f"takes HH:MM; {_SIZES}",
    ),
    "a window in the evening": (
        "scratch",
        scratch(maintenance_window={"time_of_day_utc": "10pm"}),
        f"takes HH:MM; {_SIZES}",
    ),
    "a window on Fridays": (
        "scratch",
        scratch(maintenance_window={"day_of_week": "Fridays"}),
        f"takes a day of the week; {_SIZES}",
    ),
    "two zones": ("scratch", scratch(zones=["1", "2"]), f"takes one; {_SIZES}"),
    "a zone that is none": ("scratch", scratch(zones=["eastus-1"]), f"has 1, 2 and 3; {_SIZES}"),
    "a subnet with too few addresses": (
        "scratch fast",
        {"scratch": {"storage_capacity_ti_b": 64}, "fast": {"address_prefix": "10.60.16.0/28"}},
        f"wants 512 MiB/s for each address, /25 for 64 TiB; {_NETWORK}",
    ),
    "a subnet of databases": (
        "scratch databases",
        scratch(filesystem_subnet=lambda made: made["databases"].id),
        f"refuses a delegated subnet; {_NETWORK}",
    ),
    "the data's own container for what is logged": (
        "scratch",
        imported(logging_container=lambda made: made["datasets"].id),
        f"wants two containers; {_NETWORK}",
    ),
    "nowhere to log": ("scratch", imported(logging_container=None), f"wants a container for it; {_NETWORK}"),
    "a container by its name": ("scratch", imported(container="datasets"), f"wants its resource id; {_NETWORK}"),
    "an account without keys": (
        "scratch data",
        {"data": {"allow_shared_key_access": False}},
        f"imports with the account's key; {_NETWORK}",
    ),
    "an identity of Azure's making": (
        "scratch",
        scratch(identity={"type": "SystemAssigned"}),
        "takes UserAssigned and None; azure-managed-lustre/customer-managed-encryption-keys",
    ),
    "a key that nobody may use": (
        "scratch",
        scratch(
            encryption_settings={
                "key_encryption_key": {
                    "key_url": lambda made: made["key"].key_uri_with_version,
                    "source_vault": {"id": lambda made: made["vault"].id},
                }
            }
        ),
        "wants a user-assigned identity; azure-managed-lustre/customer-managed-encryption-keys",
    ),
    "a name that begins with a hyphen": (
        "scratch",
        scratch(aml_filesystem_name="-scratch"),
        f"begins with a letter or digit; {_SIZES}",
    ),
    "root squashed somehow": (
        "scratch",
        scratch(root_squash_settings={"mode": "Root"}),
        "takes None, RootOnly and All; azure-managed-lustre/root-squash-configure-settings",
    ),
    "root squashed for nobody": (
        "scratch",
        scratch(root_squash_settings={"mode": "All", "squash_uid": 1000}),
        "wants group and exceptions too; azure-managed-lustre/root-squash-configure-settings",
    ),
    "a file system in another region than its network": (
        "scratch",
        scratch(location="westeurope"),
        f"wants one region; {_NETWORK}",
    ),
}
