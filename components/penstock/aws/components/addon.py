"""Software in the cluster that EKS installs and keeps up to date."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pulumi
from pulumi_aws import eks

from penstock.aws.components.adoption import lookups
from penstock.aws.components.roles import pod_role
from penstock.aws.facts import eks_addons


class Addon(pulumi.ComponentResource):
    """One add-on, in the version that EKS recommends for the Kubernetes version of the cluster.

    An add-on that calls AWS gets a role of its own through Pod Identity: the machines' role is out of reach of pods.
    Add-ons that run as deployments, such as coredns, are done only when nodes have joined; EKS waits for them.
    """

    ready: pulumi.Resource

    def __init__(
        self,
        name: str,
        addon: str,
        *,
        cluster_name: pulumi.Input[str],
        kubernetes_version: pulumi.Input[str],
        moves: bool,
        partition: str,
        tags: Mapping[str, str],
        configuration: Mapping[str, Any] | None = None,
        after: Sequence[pulumi.Resource] = (),
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Install an add-on.

        Args:
            name: The start of every name in it.
            addon: As EKS spells it; `penstock.aws.facts.eks_addons` has it.
            cluster_name: The cluster that it goes to.
            kubernetes_version: The cluster's.
            moves: Whether an installed add-on goes along with later versions, of the cluster and of EKS' advice.
            partition: The cluster's, such as aws.
            tags: On every resource.
            configuration: Values that differ from the add-on's own.
            after: What the add-on waits for and its role does not: the cluster, where its name is known beforehand.
            opts: Pulumi's options.
        """
        super().__init__("penstock:aws:Addon", name, None, opts)
        child = pulumi.ResourceOptions(parent=self)
        facts = eks_addons.find_addon(addon)

        associations: list[eks.AddonPodIdentityAssociationArgsDict] = []
        rights: list[pulumi.Resource] = []
        if facts.service_accounts:
            role = pod_role(
                name,
                facts.service_accounts,
                namespace=facts.namespace,
                cluster_name=cluster_name,
                partition=partition,
                policies=facts.policies,
                tags=tags,
                opts=child,
            )
            associations = [{"role_arn": role.arn, "service_account": account} for account in facts.service_accounts]
            rights = list(role.rights)

        self.ready = eks.Addon(
            name,
            addon_name=addon,
            addon_version=eks.get_addon_version_output(
                addon_name=addon, kubernetes_version=kubernetes_version, opts=lookups(child)
            ).version,
            cluster_name=cluster_name,
            pod_identity_associations=associations,
            configuration_values=json.dumps(configuration) if configuration else None,
            resolve_conflicts_on_update="OVERWRITE",
            tags=tags,
            opts=pulumi.ResourceOptions.merge(
                child,
                pulumi.ResourceOptions(
                    depends_on=[*rights, *after],
                    ignore_changes=[] if moves else ["addonVersion"],
                    custom_timeouts=pulumi.CustomTimeouts(create="30m", update="30m", delete="30m"),
                ),
            ),
        )
        self.register_outputs({})
