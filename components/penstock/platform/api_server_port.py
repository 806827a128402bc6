"""The way out of namespaces to an API server on a port of its own."""

from __future__ import annotations

import copy
from typing import Any, Final

import pulumi
from pulumi_kubernetes.networking import v1 as networking

from penstock.kubernetes.components.namespace import OPEN_PORTS

_POLICY: Final = "kubernetes:networking.k8s.io/v1:NetworkPolicy"


def opened(port: int | None) -> pulumi.ResourceOptions:
    """Return options by which each network policy that opens the usual ports opens this one, too.

    Pods reach the API server by a service on 443; network plug-ins judge the port behind it.
    """
    if port is None or port in OPEN_PORTS:
        return pulumi.ResourceOptions()
    way = networking.NetworkPolicyEgressRuleArgs(ports=[networking.NetworkPolicyPortArgs(port=port, protocol="TCP")])

    def open_it(args: pulumi.ResourceTransformationArgs) -> pulumi.ResourceTransformationResult | None:
        if args.type_ != _POLICY:
            return None
        spec: Any = copy.copy(args.props["spec"])
        if not any(each.port in OPEN_PORTS for rule in spec.egress or () for each in rule.ports or ()):
            return None
        spec.egress = [*spec.egress, way]
        return pulumi.ResourceTransformationResult({**args.props, "spec": spec}, args.opts)

    return pulumi.ResourceOptions(transformations=[open_it])
