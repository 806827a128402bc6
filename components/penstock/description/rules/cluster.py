"""Rules on the cluster: its version, who reaches it, and what an adopted one needs."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.catalog import kubernetes_versions
from penstock.core.wording import listed
from penstock.description.offer import access_of
from penstock.description.platform import Spec
from penstock.description.problems import Problem
from penstock.description.rules import known
from penstock.description.rules.network import is_private, too_wide
from penstock.description.rules.rule import CLOUDS, rule


@rule("SPEC-050", reads=("cluster",), provider=CLOUDS)
def version_is_offered(spec: Spec) -> Iterator[Problem]:
    """The Kubernetes version is one that the cloud offers."""
    offer = known.offer(spec)
    versions = kubernetes_versions.supported_versions(
        spec.cloud.provider, known.today(), extended=offer.extended_support
    )
    if spec.cluster.version is not None and spec.cluster.version not in versions:
        message = f"{offer.kubernetes} does not offer Kubernetes {spec.cluster.version}."
        yield Problem(("cluster", "version"), message, f"Offered: {listed(versions)}.")


@rule("SPEC-058", reads=("cluster", "network"), provider=CLOUDS)
def whoever_runs_pulumi_reaches_the_cluster(spec: Spec) -> Iterator[Problem]:
    """A private cluster in a network of its own has a way in: what Pulumi installs in it goes through its endpoint."""
    cluster, network = spec.cluster, spec.network
    adopted = cluster.existing is not None or network.existing is not None
    if adopted or access_of(cluster, spec.cloud.provider) != "private":
        return
    if not (cluster.deployer_cidrs or cluster.runner or network.allowed_cidrs):
        message = "cluster.access is private, and from outside of the new network nothing reaches the cluster."
        runner = " cluster.runner: true for a machine inside;" if known.offer(spec).runners else ""
        hint = (
            "Set cluster.deployer_cidrs to the ranges that Pulumi runs from, such as [203.0.113.0/24], for the first "
            f"runs;{runner} or network.allowed_cidrs for a VPN or peering."
        )
        yield Problem(("cluster", "access"), message, hint)


@rule("SPEC-059", reads=("cluster",), provider=CLOUDS)
def deployers_are_on_the_internet(spec: Spec) -> Iterator[Problem]:
    """Pulumi reaches the public endpoint of a new cluster from public ranges, never from all of them."""
    for index, cidr in enumerate(spec.cluster.deployer_cidrs):
        path = ("cluster", "deployer_cidrs", index)
        if is_private(cidr):
            message = f"{cidr} is a private range, which the public endpoint never sees."
            yield Problem(path, message, "List public ranges here, and those of a VPN or peering in allowed_cidrs.")
        elif (what := too_wide(cidr)) is not None:
            yield Problem(path, f"{cidr} is {what}.", "List the ranges that Pulumi runs from, such as 203.0.113.7/32.")
    for field in ("deployer_cidrs", "runner") if spec.cluster.existing is not None else ():
        if getattr(spec.cluster, field):
            message = f"cluster.{field} is for new clusters; an existing one keeps its own access."
            yield Problem(("cluster", field), message, "Leave it out.")
