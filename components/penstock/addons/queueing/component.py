"""Kueue, with a queue for each team that shares the accelerators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import pulumi

from penstock.addons.queueing import (
    controller,
    fabric_admission,
    objects,
    pod_priority,
    pod_volumes,
    service_addresses,
)
from penstock.addons.queueing.block import PRIORITIES, QueueingSpec
from penstock.addons.queueing.flavors import Flavor, flavors_of, topology_name
from penstock.addons.queueing.quotas import share_out
from penstock.addons.queueing.team import Team
from penstock.kubernetes.components.in_cluster import InCluster
from penstock.kubernetes.components.monitored import controllers_to_monitoring
from penstock.kubernetes.components.namespace import Namespace, PortOpening
from penstock.kubernetes.components.release import release

_NAMESPACE = "kueue-system"
_PRIORITIES: Final = dict(zip(PRIORITIES, (-1000, 0, 1000), strict=True))
"""A job that names none has the value 0, and so is a normal one."""


class Queueing(pulumi.ComponentResource):
    """Kueue, the flavors and topologies of the pools, and a namespace with a queue for each team.

    Jobs of a team wait in the queue `default` of its namespace until all of their accelerators are free. What a team
    leaves idle, others borrow, and give back when the team wants it.
    """

    offers: Mapping[str, pulumi.Input[Any]]

    def __init__(
        self, name: str, spec: QueueingSpec, *, cluster: InCluster, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        """Install it, and set up the teams."""
        super().__init__("penstock:kubernetes:Queueing", name, spec.inputs(), opts)
        installed = self._install(name, cluster)
        after = pulumi.ResourceOptions(parent=self, depends_on=[installed])
        flavors = flavors_of(cluster.open_pools, beside=cluster.pools)
        quotas = share_out(spec.teams, flavors)
        shared = [
            *self._flavors(name, flavors, after),
            objects.create(f"{name}-cohort", "Cohort", objects.COHORT, objects.cohort(quotas.left), after),
            *self._queued(name, flavors, after),
        ]
        for priority, value in _PRIORITIES.items():
            objects.create_priority(f"{name}-{priority}", priority, value, after)
        pod_priority.refuse_classes(
            f"{name}-pod-priority",
            controller.frameworks(cluster),
            pulumi.ResourceOptions(parent=self),
        )
        pod_volumes.refuse_servers(f"{name}-pod-volumes", pulumi.ResourceOptions(parent=self))
        service_addresses.refuse_external_ips(f"{name}-service-addresses", pulumi.ResourceOptions(parent=self))
        pod_volumes.refuse_volumes_of_others(f"{name}-claims", name, pulumi.ResourceOptions(parent=self))
        fabric = None
        if fabric_admission.needs_more(cluster.open_pools):
            fabric = fabric_admission.admit(
                f"{name}-pod-fabric", cluster.open_pools, pulumi.ResourceOptions(parent=self)
            )
        queued = [flavor.name for flavor in flavors if flavor.queued]
        for team in spec.teams:
            its = quotas.of_teams[team.name]
            Team(
                f"{name}-{team.name}",
                team,
                cluster=cluster,
                queue=objects.cluster_queue(team.home, team.share, its, queued),
                after=[installed, *shared],
                fabric=fabric,
                opts=pulumi.ResourceOptions(parent=self),
            )
        self.offers = {"namespaces": {team.name: team.home for team in spec.teams}}
        self.register_outputs(dict(self.offers))

    def _install(self, name: str, cluster: InCluster) -> pulumi.Resource:
        namespace = Namespace(
            name,
            namespace=_NAMESPACE,
            pod_security="restricted",
            openings=[
                PortOpening(port=controller.WEBHOOK),
                PortOpening(port=controller.VISIBILITY),
                *controllers_to_monitoring(cluster, _NAMESPACE),
            ],
            critical_pods=True,
            opts=pulumi.ResourceOptions(parent=self),
        )
        return release(
            name,
            controller.CHART,
            values=controller.values(cluster),
            mirrored=cluster.image_mirror is not None,
            opts=pulumi.ResourceOptions(parent=self, depends_on=[namespace]),
        )

    def _flavors(
        self, name: str, flavors: Sequence[Flavor], after: pulumi.ResourceOptions
    ) -> list[pulumi.CustomResource]:
        levels = dict.fromkeys(flavor.topology for flavor in flavors if flavor.topology is not None)
        topologies: list[pulumi.CustomResource] = [
            objects.create(f"{name}-{called}", "Topology", called, objects.topology(each), after)
            for each in levels
            for called in (topology_name(each),)
        ]
        # A flavor that names a topology is inactive until that is there.
        last = pulumi.ResourceOptions.merge(after, pulumi.ResourceOptions(depends_on=topologies))
        return [
            *topologies,
            *(
                objects.create(f"{name}-{each.name}", "ResourceFlavor", each.name, objects.resource_flavor(each), last)
                for each in flavors
            ),
        ]

    def _queued(
        self, name: str, flavors: Sequence[Flavor], after: pulumi.ResourceOptions
    ) -> list[pulumi.CustomResource]:
        resources = sorted({flavor.resource for flavor in flavors if flavor.queued})
        if not resources:
            return []
        called = objects.QUEUED_CHECK
        how = objects.create(
            f"{name}-{called}", "ProvisioningRequestConfig", called, objects.provisioning(resources), after
        )
        last = pulumi.ResourceOptions.merge(after, pulumi.ResourceOptions(depends_on=[how]))
        return [
            how,
            objects.create(f"{name}-{called}-check", "AdmissionCheck", called, objects.admission_check(), last),
        ]
