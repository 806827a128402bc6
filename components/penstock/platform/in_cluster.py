"""The add-ons of a description, installed into its cluster: the same on every provider."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pulumi

from penstock.description import addon, addon_conditions
from penstock.description.block import ComponentSpec
from penstock.description.nodes import nodes_of
from penstock.description.platform import full_name
from penstock.kubernetes.components.in_cluster import InCluster
from penstock.platform.site import PlatformSite


def in_cluster(site: PlatformSite, **facts: Any) -> InCluster:
    """Return what add-ons know of a platform; `facts` are those that its composer alone has."""
    spec = site.spec
    return InCluster(
        **{
            "platform": full_name(spec),
            "provider": spec.cloud.provider,
            "region": site.region,
            "environment": spec.environment,
            "profile": None,
            "version": spec.cluster.version,
            "pools": nodes_of(spec),
            "storage": spec.storage,
            "addons": spec.addons,
            "image_mirror": spec.network.image_mirror,
            "adopted": spec.cluster.existing is not None,
            "installed": addon_conditions.installed(spec),
            **facts,
        }
    )


def install(site: PlatformSite, cluster: InCluster, *, opts: pulumi.ResourceOptions) -> dict[str, pulumi.Input[Any]]:
    """Install the add-ons that the description enables by a field or by its pools, and what they need, in their order.

    Returns what they offer, by the names of the add-ons.
    """
    enabled = site.spec.addons.enabled()
    built: dict[str, pulumi.ComponentResource] = {}
    outputs: dict[str, pulumi.Input[Any]] = {}
    for each in addon.in_order(enabled, site.spec.cloud.provider, addon_conditions.needed(site.spec)):
        if each.component is None:
            continue
        block = enabled.get(each.name)
        after = [built[name] for name in (*each.needs, *each.after) if name in built]
        make: Callable[..., pulumi.ComponentResource] = each.load("component", each.component)
        component = make(
            site.name_of(each.name),
            site.own(block, "addons", each.name) if isinstance(block, ComponentSpec) else block,
            cluster=cluster,
            opts=pulumi.ResourceOptions.merge(opts, _once_there(after)),
        )
        built[each.name] = component
        offered: Mapping[str, pulumi.Input[Any]] = getattr(component, "offers", {})
        if offered:
            outputs[each.name] = dict(offered)
    return outputs


def _once_there(before: Sequence[pulumi.ComponentResource]) -> pulumi.ResourceOptions:
    """Return options by which all that a component registers waits: Pulumi hands `depends_on` to no child."""
    if not before:
        return pulumi.ResourceOptions()
    waiting = pulumi.ResourceOptions(depends_on=list(before))

    def wait(args: pulumi.ResourceTransformationArgs) -> pulumi.ResourceTransformationResult | None:
        if isinstance(args.resource, pulumi.ComponentResource):
            return None
        return pulumi.ResourceTransformationResult(args.props, pulumi.ResourceOptions.merge(args.opts, waiting))

    return pulumi.ResourceOptions(transformations=[wait])
