"""Namespaces of add-ons and teams: bounded, closed and held to a Pod Security level."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import pulumi
from pulumi_kubernetes.core import v1 as core
from pulumi_kubernetes.meta import v1 as meta
from pulumi_kubernetes.networking import v1 as networking

from penstock.kubernetes.facts.device_software import resources

PodSecurity = Literal["restricted", "baseline", "privileged"]

_CRITICAL = ("system-node-critical", "system-cluster-critical")

OPEN_PORTS = (443, 6443)
"""Of the API servers of clusters and clouds, whose addresses no policy can know beforehand."""

_WAYS_OUT = ((53, "UDP"), (53, "TCP"), *((port, "TCP") for port in OPEN_PORTS))

NO_ACCELERATORS: Mapping[str, str] = {f"requests.{device}": "0" for device in resources()}
"""The quota of a namespace whose pods take no accelerators."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PortOpening:
    """A port that pods of the namespace are reached at.

    Attributes:
        port: its number, or the name that pods give it.
        pods: the labels of the pods; empty for all.
        namespaces: the labels of the namespaces that reach it; None for whoever has a way there, such as the API
            server, which has no pod.
    """

    port: int | str
    pods: Mapping[str, str] = field(default_factory=dict)
    namespaces: Mapping[str, str] | None = None


class Namespace(pulumi.ComponentResource):
    """A namespace whose pods keep to a Pod Security level and are reached at its openings alone.

    Pods reach each other, unless `among_pods` says no, DNS and API servers; `ways_out` are further ports, and None
    opens every way out. With `critical_pods` it may hold pods of the system's priority classes, which GKE refuses
    elsewhere.
    """

    name: pulumi.Output[str]

    def __init__(
        self,
        name: str,
        *,
        namespace: str,
        pod_security: PodSecurity,
        openings: Sequence[PortOpening] = (),
        ways_out: Sequence[int] | None = (),
        among_pods: bool = True,
        critical_pods: bool = False,
        quota: Mapping[str, str] | None = NO_ACCELERATORS,
        labels: Mapping[str, str] | None = None,
        after: Sequence[pulumi.Resource] = (),
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Create the namespace, its network policy, and its quotas.

        Args:
            name: The component's name.
            namespace: The name in the cluster.
            pod_security: The level that is enforced; what would break the next stricter one is warned of.
            openings: Where its pods are reached from other namespaces.
            ways_out: Further ports that its pods reach; None for all.
            among_pods: Whether its pods reach each other; further policies may open what is closed.
            critical_pods: Whether it holds pods of the system's priority classes.
            quota: The most of each resource, as in a ResourceQuota; None for no bound.
            labels: Further labels.
            after: What is in force before there is a namespace.
            opts: Pulumi's options.
        """
        super().__init__("penstock:kubernetes:Namespace", name, None, opts)
        child = pulumi.ResourceOptions(parent=self)
        created = core.Namespace(
            name,
            metadata=meta.ObjectMetaArgs(name=namespace, labels={**_pod_security(pod_security), **(labels or {})}),
            opts=pulumi.ResourceOptions(parent=self, depends_on=list(after)),
        )
        inside = created.metadata.name
        # An opening to everybody is a policy of its own: what is closed stays one that lets in nobody but those named.
        named = [each for each in openings if each.namespaces is not None and not each.pods]
        networking.NetworkPolicy(
            name,
            metadata=meta.ObjectMetaArgs(name="closed", namespace=inside),
            spec=networking.NetworkPolicySpecArgs(
                pod_selector=meta.LabelSelectorArgs(),
                policy_types=["Ingress", "Egress"],
                ingress=[*([_from_inside()] if among_pods else []), *map(_opened, named)],
                egress=_egress(ways_out, among_pods=among_pods),
            ),
            opts=child,
        )
        for opening in (each for each in openings if each not in named):
            networking.NetworkPolicy(
                f"{name}-{opening.port}",
                metadata=meta.ObjectMetaArgs(name=f"open-{opening.port}", namespace=inside),
                spec=networking.NetworkPolicySpecArgs(
                    pod_selector=meta.LabelSelectorArgs(match_labels=dict(opening.pods) or None),
                    policy_types=["Ingress"],
                    ingress=[_opened(opening)],
                ),
                opts=child,
            )
        if critical_pods:
            core.ResourceQuota(
                f"{name}-critical-pods",
                metadata=meta.ObjectMetaArgs(name="critical-pods", namespace=inside),
                spec=core.ResourceQuotaSpecArgs(hard={"pods": "1G"}, scope_selector=critical()),
                opts=child,
            )
        if quota:
            core.ResourceQuota(
                f"{name}-quota",
                metadata=meta.ObjectMetaArgs(name="quota", namespace=inside),
                spec=core.ResourceQuotaSpecArgs(hard=dict(quota)),
                opts=child,
            )
        self.name = inside
        self.register_outputs({"name": self.name})


def _pod_security(level: PodSecurity) -> dict[str, str]:
    stricter = "restricted" if level == "restricted" else "baseline"
    kept = {"enforce": level, "warn": stricter, "audit": stricter}
    return {f"pod-security.kubernetes.io/{mode}": each for mode, each in kept.items()}


def _from_inside() -> networking.NetworkPolicyIngressRuleArgs:
    everyone = networking.NetworkPolicyPeerArgs(pod_selector=meta.LabelSelectorArgs())
    return networking.NetworkPolicyIngressRuleArgs(from_=[everyone])


def _egress(further: Sequence[int] | None, *, among_pods: bool) -> list[networking.NetworkPolicyEgressRuleArgs]:
    if further is None:
        return [networking.NetworkPolicyEgressRuleArgs()]
    inside = networking.NetworkPolicyPeerArgs(pod_selector=meta.LabelSelectorArgs())
    ports = [*_WAYS_OUT, *((port, "TCP") for port in further)]
    return [
        *([networking.NetworkPolicyEgressRuleArgs(to=[inside])] if among_pods else []),
        networking.NetworkPolicyEgressRuleArgs(
            ports=[networking.NetworkPolicyPortArgs(port=port, protocol=protocol) for port, protocol in ports]
        ),
    ]


def _opened(opening: PortOpening) -> networking.NetworkPolicyIngressRuleArgs:
    ports = [networking.NetworkPolicyPortArgs(port=opening.port, protocol="TCP")]
    if opening.namespaces is None:
        return networking.NetworkPolicyIngressRuleArgs(ports=ports)
    selector = meta.LabelSelectorArgs(match_labels=dict(opening.namespaces) or None)
    return networking.NetworkPolicyIngressRuleArgs(
        ports=ports, from_=[networking.NetworkPolicyPeerArgs(namespace_selector=selector)]
    )


def critical() -> core.ScopeSelectorArgs:
    """Pods of the system's priority classes, as the scope of a quota."""
    chosen = core.ScopedResourceSelectorRequirementArgs(
        scope_name="PriorityClass", operator="In", values=list(_CRITICAL)
    )
    return core.ScopeSelectorArgs(match_expressions=[chosen])
