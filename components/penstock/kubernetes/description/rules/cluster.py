"""Rules on the cluster that exists: the way to it, and its version."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from penstock.catalog import kubernetes_versions
from penstock.core.versions import minor
from penstock.core.wording import quoted
from penstock.description import kubeconfig
from penstock.description.platform import Spec
from penstock.description.problems import Problem
from penstock.description.rules import advertisers
from penstock.description.rules.rule import rule
from penstock.kubernetes.description import pools

_RELEASES_AHEAD: Final = 3
"""What may be released, a minor version every four months, until the tables of versions are read again."""


@rule("SPEC-152", reads=("cluster",), provider="kubernetes")
def cluster_is_named(spec: Spec) -> Iterator[Problem]:
    """The cluster is named by a kubeconfig or context, never by whichever one happens to be current."""
    if not spec.cluster.kubeconfig:
        hint = "Set cluster.kubeconfig to a path, such as ~/.kube/dgx.yaml, or to a context of your kubeconfig."
        yield Problem(("cluster", "kubeconfig"), "cluster.kubeconfig is missing.", hint)


@rule("SPEC-152", reads=("cluster",), provider="kubernetes")
def one_context_is_named(spec: Spec) -> Iterator[Problem]:
    """A context is named once: by the kubeconfig that is one, or beside the path of a file."""
    cluster = spec.cluster
    if cluster.context is None or not cluster.kubeconfig or kubeconfig.is_path(cluster.kubeconfig):
        return
    message = (
        f"cluster.kubeconfig names the context {quoted(cluster.kubeconfig)} already, and this one would be ignored."
    )
    hint = "Leave one of them out; or give the path of the file as kubeconfig, such as ~/.kube/config."
    yield Problem(("cluster", "context"), message, hint)


@rule("SPEC-153", reads=("cluster",), provider="kubernetes")
def kubeconfig_is_named(spec: Spec) -> Iterator[Problem]:
    """`kubeconfig` is a path or a context, not the login itself. Deployments and preflight read the file."""
    trouble = kubeconfig.login_in(spec.cluster)
    if trouble is not None:
        yield Problem(("cluster", trouble.field), trouble.message, trouble.hint)


@rule("SPEC-154", reads=("cloud", "cluster"), provider="kubernetes")
def cluster_is_new_enough(spec: Spec) -> Iterator[Problem]:
    """The Kubernetes version is not older than the components need, and one that exists."""
    oldest, newest = pools.profile(spec).oldest, kubernetes_versions.newest_known()
    version = spec.cluster.version
    if version is not None and minor(version) < minor(oldest):
        message = f"Kubernetes {version} is too old: the components need {oldest} or later."
        yield Problem(("cluster", "version"), message, "Upgrade the cluster first.")
    if version is not None and minor(version) > minor(newest).later(_RELEASES_AHEAD):
        message = f"There is no Kubernetes {version} yet: the newest that Penstock knows is {newest}."
        hint = "Write the version of the cluster, as `kubectl version` shows it, or leave it out."
        yield Problem(("cluster", "version"), message, hint)


@rule("SPEC-165", reads=("cloud", "cluster", "node_pools"), provider="kubernetes")
def devices_have_one_advertiser(spec: Spec) -> Iterator[Problem]:
    """Each device has one advertiser: two hand it out twice, to two pods."""
    yield from advertisers.doubled(spec)
