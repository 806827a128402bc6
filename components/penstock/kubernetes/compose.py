"""A platform on a cluster that exists, by its kubeconfig alone."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import pulumi
import pulumi_kubernetes

from penstock.core.errors import InvalidDescription
from penstock.core.rehearsed import is_rehearsal
from penstock.description import kubeconfig, storage
from penstock.description.cluster import ClusterSpec
from penstock.description.problems import Problem, finding
from penstock.kubernetes.components.in_cluster import InCluster
from penstock.kubernetes.description import pools
from penstock.platform.api_server_port import opened
from penstock.platform.in_cluster import in_cluster, install
from penstock.platform.namespace_labels import labelled
from penstock.platform.site import PlatformSite


class Composer:
    """The add-ons of a description, in the order in which they need each other."""

    decided_by: Mapping[str, str] = MappingProxyType({})
    outputs: Mapping[str, pulumi.Input[object]]

    def __init__(self, site: PlatformSite) -> None:
        """Install them.

        Raises:
            InvalidDescription: a deployment cannot use the kubeconfig on this machine, or an update finds none.
        """
        cluster = site.spec.cluster
        _require_kubeconfig(cluster)
        source = kubeconfig.source_of(cluster)
        # Left out, the SDK puts what KUBECONFIG says into the state: a path of this machine, or credentials.
        nothing: pulumi.Output[Any] = pulumi.Output.from_input(None)
        provider = pulumi_kubernetes.Provider(
            site.name_of("kubernetes"),
            kubeconfig=source.written or nothing,
            context=source.context,
            # Another path to the same cluster must not replace all that is in it.
            cluster_identifier=site.name_of("cluster"),
            opts=site.child,
        )
        child = pulumi.ResourceOptions.merge(site.child, pulumi.ResourceOptions(provider=provider))
        child = pulumi.ResourceOptions.merge(child, labelled(site.spec))
        child = pulumi.ResourceOptions.merge(child, opened(kubeconfig.api_server_port(cluster)))
        there = in_cluster(site, profile=pools.profile(site.spec))
        _mount(site, there, child)
        self.outputs = install(site, there, opts=child)


def _require_kubeconfig(cluster: ClusterSpec) -> None:
    if is_rehearsal():
        return
    trouble = kubeconfig.trouble_with(cluster)
    if trouble is None and not pulumi.runtime.is_dry_run():
        trouble = kubeconfig.missing(cluster)
    if trouble is not None:
        problem = Problem(("cluster", trouble.field), trouble.message, trouble.hint)
        raise InvalidDescription([finding("SPEC-153", problem)])


def _mount(site: PlatformSite, cluster: InCluster, child: pulumi.ResourceOptions) -> None:
    """Make storage ready to mount in the namespace of jobs without a team; teams have claims of their own."""
    if not cluster.storage:
        return
    from penstock.kubernetes.components import existing_files, nfs

    if any(item.kind == "nfs" for item in cluster.storage) and "nfs" not in cluster.installed:
        nfs.NfsDriver(site.name_of("nfs-driver"), cluster=cluster, opts=child)
    for item in storage.existing_files(cluster.storage):
        existing_files.claim(
            site.name_of(item.name),
            item,
            namespace="default",
            described_at=site.path_of("storage", item.name),
            opts=child,
        )
