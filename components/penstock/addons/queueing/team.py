"""A team: its namespace, its members' rights, and its queue."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import pulumi
from pulumi_kubernetes.admissionregistration import v1 as admission
from pulumi_kubernetes.core import v1 as core
from pulumi_kubernetes.meta import v1 as meta
from pulumi_kubernetes.rbac import v1 as rbac

from penstock.addons.queueing import controller, fabric_admission, objects
from penstock.addons.queueing.block import PRIORITIES, TeamSpec
from penstock.addons.queueing.rights import rights
from penstock.addons.ray.heads import to_operator
from penstock.description import storage
from penstock.kubernetes.components import nccl, storage_claims
from penstock.kubernetes.components.identity_ports import IDENTITY_PORTS
from penstock.kubernetes.components.in_cluster import InCluster, device_quota
from penstock.kubernetes.components.monitored import JOB_LABEL, JOB_PORT, to_monitoring
from penstock.kubernetes.components.namespace import Namespace, critical

_RBAC = "rbac.authorization.k8s.io"
_ROLE = "team-member"
_QUEUE = "default"
_PRIORITY_LABEL = "kueue.x-k8s.io/priority-class"
_MOST_CLAIMS = "100"

_JOBS: Final = {
    "batch": ["jobs"],
    "jobset.x-k8s.io": ["jobsets"],
    "trainer.kubeflow.org": ["trainjobs"],
    "ray.io": ["rayjobs", "rayclusters", "rayservices"],
    "": ["pods"],
}


class Team(pulumi.ComponentResource):
    """A closed namespace with the queue `default`, whose members run jobs and change nothing that teams share.

    Its pods together never take more accelerators than the platform has, so that a pod which got past the queue
    cannot keep an autoscaler busy.
    """

    def __init__(
        self,
        name: str,
        spec: TeamSpec,
        *,
        cluster: InCluster,
        queue: Mapping[str, Any],
        after: Sequence[pulumi.Resource],
        fabric: pulumi.Resource | None,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Set the team up.

        Args:
            name: The component's name.
            spec: The team.
            cluster: Its platform.
            queue: What its ClusterQueue says.
            after: What that names or is served by.
            fabric: What refuses all that baseline does, but for the pools' fabrics; None where these need no more.
            opts: Pulumi's options.
        """
        super().__init__("penstock:kubernetes:Team", name, None, opts)
        child = pulumi.ResourceOptions(parent=self)
        namespace = Namespace(
            name,
            namespace=spec.home,
            # The level knows no exceptions.
            pod_security="baseline" if fabric is None else "privileged",
            openings=[*to_monitoring(cluster, JOB_PORT, {JOB_LABEL: "true"}), *to_operator(cluster)],
            ways_out=IDENTITY_PORTS.get(cluster.provider, ()),
            quota=_ceiling(cluster),
            labels={controller.TEAM: spec.name, **({} if fabric is None else fabric_admission.HELD)},
            after=[] if fabric is None else [fabric],
            opts=child,
        )
        inside = pulumi.ResourceOptions.merge(child, pulumi.ResourceOptions(depends_on=[namespace]))
        self._bound(name, spec, inside)
        self._admit_members(name, spec, cluster, inside)
        self._cap_priority(name, spec, inside)
        self._claim_storage(name, spec, cluster, namespace)
        nccl.topologies(name, cluster.open_pools, spec.home, inside)
        nccl.variables(name, cluster, spec.home, inside)
        # What a component waits for, its children do not.
        served = pulumi.ResourceOptions.merge(child, pulumi.ResourceOptions(depends_on=list(after)))
        its = objects.create(name, "ClusterQueue", spec.name, queue, served)
        last = pulumi.ResourceOptions.merge(inside, pulumi.ResourceOptions(depends_on=[its]))
        objects.create(f"{name}-queue", "LocalQueue", _QUEUE, {"clusterQueue": spec.name}, last, namespace=spec.home)
        self.register_outputs({})

    def _claim_storage(self, name: str, spec: TeamSpec, cluster: InCluster, namespace: Namespace) -> None:
        child = pulumi.ResourceOptions(parent=self)
        for item in storage.of_team(cluster.storage, spec.home):
            # Names have single hyphens: team a-b with storage c is not team a with storage b-c.
            called = f"{name}--{item.name}"
            storage_claims.claim(called, item, cluster=cluster, namespace=namespace, directory=spec.home, opts=child)

    def _bound(self, name: str, spec: TeamSpec, inside: pulumi.ResourceOptions) -> None:
        # A default limit would refuse containers that request more than it and name no limit: only requests are given.
        requests = core.LimitRangeItemArgs(type="Container", default_request={"cpu": "500m", "memory": "1Gi"})
        core.LimitRange(
            name,
            metadata=meta.ObjectMetaArgs(name="defaults", namespace=spec.home),
            spec=core.LimitRangeSpecArgs(limits=[requests]),
            opts=inside,
        )
        # Such a pod would have the scheduler end what keeps the cluster going.
        core.ResourceQuota(
            f"{name}-critical-pods",
            metadata=meta.ObjectMetaArgs(name="critical-pods", namespace=spec.home),
            spec=core.ResourceQuotaSpecArgs(hard={"pods": "0"}, scope_selector=critical()),
            opts=inside,
        )

    def _admit_members(self, name: str, spec: TeamSpec, cluster: InCluster, inside: pulumi.ResourceOptions) -> None:
        role = rbac.Role(
            name,
            metadata=meta.ObjectMetaArgs(name=_ROLE, namespace=spec.home),
            rules=[
                rbac.PolicyRuleArgs(api_groups=[each.group], resources=list(each.kinds), verbs=list(each.verbs))
                for each in rights(
                    controller.frameworks(cluster), claims=any(pool.claims for pool in cluster.open_pools)
                )
            ],
            opts=inside,
        )
        members = [("Group", member) for member in spec.groups] + [("User", member) for member in spec.users]
        if members:
            rbac.RoleBinding(
                name,
                metadata=meta.ObjectMetaArgs(name=_ROLE, namespace=spec.home),
                role_ref=rbac.RoleRefArgs(api_group=_RBAC, kind="Role", name=_ROLE),
                subjects=[rbac.SubjectArgs(api_group=_RBAC, kind=kind, name=member) for kind, member in members],
                opts=pulumi.ResourceOptions.merge(inside, pulumi.ResourceOptions(depends_on=[role])),
            )

    def _cap_priority(self, name: str, spec: TeamSpec, inside: pulumi.ResourceOptions) -> None:
        """Refuse jobs that name a higher priority class than the team may use."""
        allowed = PRIORITIES[: PRIORITIES.index(spec.priority) + 1]
        if allowed == PRIORITIES:
            return
        called = f"penstock-priority-{spec.name}"
        label = f"object.metadata.labels['{_PRIORITY_LABEL}']"
        policy = admission.ValidatingAdmissionPolicy(
            f"{name}-priority",
            metadata=meta.ObjectMetaArgs(name=called),
            spec=admission.ValidatingAdmissionPolicySpecArgs(
                failure_policy="Fail",
                match_constraints=admission.MatchResourcesArgs(
                    resource_rules=[
                        admission.NamedRuleWithOperationsArgs(
                            api_groups=[group],
                            api_versions=["*"],
                            operations=["CREATE", "UPDATE"],
                            resources=kinds,
                        )
                        for group, kinds in _JOBS.items()
                    ]
                ),
                validations=[
                    admission.ValidationArgs(
                        expression=(
                            f"!has(object.metadata.labels) || !('{_PRIORITY_LABEL}' in object.metadata.labels) || "
                            f"{label} in {list(allowed)}"
                        ),
                        message=f"Team {spec.name} may name the priority classes {', '.join(allowed)}.",
                    )
                ],
            ),
            opts=inside,
        )
        selector = meta.LabelSelectorArgs(match_labels={"kubernetes.io/metadata.name": spec.home})
        admission.ValidatingAdmissionPolicyBinding(
            f"{name}-priority",
            metadata=meta.ObjectMetaArgs(name=called),
            spec=admission.ValidatingAdmissionPolicyBindingSpecArgs(
                policy_name=called,
                validation_actions=["Deny"],
                match_resources=admission.MatchResourcesArgs(namespace_selector=selector),
            ),
            opts=pulumi.ResourceOptions.merge(inside, pulumi.ResourceOptions(depends_on=[policy])),
        )


def _ceiling(cluster: InCluster) -> dict[str, str]:
    """The most that the pods of a team request together: all that their pools may have, and a hundred claims."""
    return {
        **device_quota(cluster.open_pools),
        "persistentvolumeclaims": _MOST_CLAIMS,
        # Members create services for the pods of a job, never ways in from outside.
        "services.loadbalancers": "0",
        "services.nodeports": "0",
    }
