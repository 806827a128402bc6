"""Private endpoints: addresses in the network by which services of Azure are reached."""

from __future__ import annotations

from collections.abc import Mapping

import pulumi
from pulumi_azure_native import network

from penstock.azure.components.handles import GroupHandle, NetworkHandle


def private_endpoint(
    name: str,
    resource: str,
    *,
    of: pulumi.Input[str],
    at: NetworkHandle,
    group: GroupHandle,
    tags: Mapping[str, str],
    opts: pulumi.ResourceOptions,
) -> pulumi.Resource:
    """Give a sub-resource of a service an address in a network, and its name where the network knows the zone.

    Args:
        name: The endpoint's.
        resource: The sub-resource: blob, vault, registry.
        of: The id of the service's resource.
        at: The network.
        group: Where the endpoint is built.
        tags: The endpoint's.
        opts: Pulumi's options.

    Returns:
        What exists once the service is reached by its name.
    """
    endpoint = network.PrivateEndpoint(
        name,
        resource_group_name=group.name,
        location=group.region,
        subnet={"id": at.endpoints},
        private_link_service_connections=[
            {"name": resource, "private_link_service_id": of, "group_ids": [resource]},
        ],
        tags=tags,
        opts=opts,
    )
    reached: pulumi.Resource = endpoint
    if resource in at.zones:
        reached = network.PrivateDnsZoneGroup(
            name,
            resource_group_name=group.name,
            private_endpoint_name=endpoint.name,
            private_dns_zone_group_name="default",
            private_dns_zone_configs=[{"name": resource, "private_dns_zone_id": at.zones[resource]}],
            opts=opts,
        )
    return reached
