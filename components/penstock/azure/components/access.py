"""The ways in to a cluster's API: an address in the network, and a public one for named ranges."""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import IPv4Network
from typing import Any

from penstock.azure.components.handles import NetworkHandle
from penstock.description.cluster import ClusterSpec
from penstock.description.offer import access_of


def api_server_access(
    spec: ClusterSpec, allowed_cidrs: Sequence[IPv4Network], *, network: NetworkHandle
) -> dict[str, Any]:
    """The API in a subnet of the network, where nodes reach it always, and on the internet for whom is named.

    A cluster without that subnet is public or private forever; with it, the public address comes and goes.
    """
    public = access_of(spec, "azure") == "restricted" or bool(spec.deployer_cidrs)
    restricted = allowed_cidrs if access_of(spec, "azure") == "restricted" else ()
    ranges = [str(cidr) for cidr in dict.fromkeys((*restricted, *spec.deployer_cidrs))]
    return {
        "enable_vnet_integration": True,
        "subnet_id": network.api_server,
        "enable_private_cluster": not public,
        "disable_run_command": True,
        **({"authorized_ip_ranges": ranges} if public else {"private_dns_zone": "system"}),
    }
