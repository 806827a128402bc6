"""Rules on the cluster that exists: the way to it, and its version."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.spec import kubeconfig, kubernetes_pools
from penstock.spec.platform import Spec
from penstock.spec.problems import Problem
from penstock.spec.rules.addons import advertisers
from penstock.spec.rules.rule import rule


@rule("SPEC-152", reads=("cluster",), provider="kubernetes")
def cluster_is_named(spec: Spec) -> Iterator[Problem]:
    """The cluster is named by a kubeconfig or context, never by whichever one happens to be current."""
    if not spec.cluster.kubeconfig:
        hint = "Set cluster.kubeconfig to a path, such as ~/.kube/dgx.yaml, or to a context of your kubeconfig."
        yield Problem(("cluster", "kubeconfig"), "cluster.kubeconfig is missing.", hint)


@rule("SPEC-153", reads=("cluster",), provider="kubernetes")
def kubeconfig_leads_to_a_cluster(spec: Spec) -> Iterator[Problem]:
    """A kubeconfig that is here is one, and has the context, with its cluster and user."""
    trouble = kubeconfig.trouble_with(spec.cluster) if spec.cluster.kubeconfig else None
    if trouble is not None:
        yield Problem(("cluster", trouble.field), trouble.message, trouble.hint)


@rule("SPEC-154", reads=("cloud", "cluster"), provider="kubernetes")
def cluster_is_new_enough(spec: Spec) -> Iterator[Problem]:
    """The Kubernetes version is not older than the components need."""
    oldest = kubernetes_pools.profile(spec).oldest
    version = spec.cluster.version
    if version is not None and _minor(version) < _minor(oldest):
        message = f"Kubernetes {version} is too old: the components need {oldest} or later."
        yield Problem(("cluster", "version"), message, "Upgrade the cluster first.")


@rule("SPEC-165", reads=("cloud", "cluster", "node_pools"), provider="kubernetes")
def devices_have_one_advertiser(spec: Spec) -> Iterator[Problem]:
    """Each device has one advertiser: two hand it out twice, to two pods."""
    yield from advertisers.doubled(spec)


def _minor(version: str) -> int:
    return int(version.partition(".")[2])
