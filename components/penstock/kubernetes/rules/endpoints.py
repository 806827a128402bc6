"""Endpoints of clusters: whether the run that creates a cluster and its network reaches the cluster's API."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from penstock.catalog import limits
from penstock.core.wording import inflect, listed, plural
from penstock.graph.graph import STACK_TYPE
from penstock.graph.verdict import NOT_APPLICABLE, PASS, NotKnown, TypeMismatch, Verdict, allow, each, fail
from penstock.graph.view import Site, View
from penstock.kubernetes.facts.dns_endpoints import GKE_SUFFIX
from penstock.kubernetes.rules.types import PROVIDER
from penstock.model.endpoints import ClusterApi, WayIn, cluster_api, clusters_behind, uses_name, ways_in
from penstock.model.endpoints.kubeconfigs import ClusterEntry, cluster_entries
from penstock.model.pools import program_pools
from penstock.providers import all_providers
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_SOURCES = (
    "pulumi-kubernetes issue 2365: unreachable clusters, time-out of 32 seconds",
    "pulumi-eks issue 1134: a cluster with a private endpoint only",
)


@RULES.rule(
    on=STACK_TYPE,
    severity=HIGH,
    rationale=(
        "Nobody is in a network before the run that creates it, so Pulumi waits for a time-out at the first object. "
        "Everything created until then exists and is billed, and `destroy` and `preview` need the API, too."
    ),
    fix=(
        "Open an endpoint to whoever runs Pulumi: on GKE dnsEndpointConfig.allowExternalTraffic, where IAM decides, "
        "elsewhere the public endpoint for its ranges only. Or create the network before (an adopted network), or the "
        "objects in a second stack that runs inside the network."
    ),
    joins=True,
    sources=_SOURCES,
)
def k8s_endpoint_unreachable(stack: View) -> Verdict:
    """Objects go to a cluster whose API is reached from outside a network that the same program creates."""
    return _of_each_connection(stack.site, _reached)


@RULES.rule(
    on=STACK_TYPE,
    severity=MEDIUM,
    rationale=(
        "The way into the network is created by the same run, and nobody has come in through it when the first object "
        "is created. That run ends with a time-out. Where the cluster exists already, the run that closes its endpoint "
        "is the last one from outside."
    ),
    fix=(
        "Admit the ranges that Pulumi runs from in the first run (cluster.deployer_cidrs of a description), and close "
        "the endpoint when Pulumi runs inside the network or through the way in."
    ),
    joins=True,
    sources=_SOURCES,
)
def k8s_endpoint_first_run(stack: View) -> Verdict:
    """A closed API is reached by a way in that exists before the run that creates its network."""
    return _of_each_connection(stack.site, _entered)


@RULES.rule(
    on=PROVIDER,
    each_of=cluster_entries,
    severity=HIGH,
    rationale=(
        "Google's front end answers for the name, with a certificate of a public authority; that of the cluster signs "
        'the certificate of its addresses only. A client that trusts nothing else ends with "x509: certificate signed '
        'by unknown authority".'
    ),
    fix="Leave certificate-authority-data out of the kubeconfig.",
    sources=(
        "GKE documentation, network isolation: certificate of the DNS-based endpoint",
        "terraform-provider-kubernetes issue 2637: the DNS endpoint needs no CA certificate",
    ),
)
def k8s_gke_dns_authority(entry: ClusterEntry) -> Verdict:
    """A kubeconfig whose server is the DNS endpoint of a GKE cluster names no certificate authority of its own."""
    if not entry.host.endswith(GKE_SUFFIX):
        return NOT_APPLICABLE
    message = f"{entry.authority} is set for {entry.host}, whose certificate a public authority has signed"
    return allow(not entry.authority, message, hint=f"Leave {entry.authority} out.", path="kubeconfig")


@dataclass(frozen=True, slots=True)
class _Connection:
    """Objects of one provider, and the API of the cluster that they go to."""

    objects: int
    provider: View
    cluster: View

    def closed(self) -> tuple[ClusterApi, View] | None:
        """The API and its network where only that network reaches it, and the program creates both; None otherwise."""
        api = cluster_api(self.cluster)
        if api.is_reached_from_outside(by_name=uses_name(self.provider, api)):
            return None
        return api, api.network


def _of_each_connection(site: Site, check: Callable[[_Connection], Verdict]) -> Verdict:
    """The verdict on each provider of objects, with each cluster of the program that is behind it."""
    users = Counter(resource.provider_urn for resource in site.graph if resource.custom and not resource.external)

    def of_provider(provider: View) -> Verdict:
        clusters = clusters_behind(provider)
        return each([_Connection(users[provider.urn], provider, cluster) for cluster in clusters], check)

    return each([provider for provider in site.of_type(PROVIDER) if users[provider.urn]], of_provider)


def _reached(connection: _Connection) -> Verdict:
    closed = connection.closed()
    if closed is None or ways_in(closed[1]):
        return PASS
    api, network = closed
    seconds = limits.find_limit("api_timeout_seconds", "kubernetes").most
    whose = "a network of its own" if network.urn == api.cluster.urn else f"the network {network.name}"
    return fail(
        f"only {whose} reaches the API of {api.cluster.name}, the same run creates both, and {_counted(connection)} "
        f"there through {connection.provider.name}: the first one fails after {seconds} s without an answer, when "
        f"{_standing(connection.cluster.site)}",
        hint=f"For {api.cluster.name}, {api.opening}; or adopt a network, or create the objects in a second stack.",
        path=api.path,
        urn=api.cluster.urn,
    )


def _entered(connection: _Connection) -> Verdict:
    closed = connection.closed()
    if closed is None:
        return PASS
    api, network = closed
    found = ways_in(network)
    if not found:
        return NOT_APPLICABLE
    site, way_in = api.cluster.site, found[0].view.name
    if any(site.existing(way.view) for way in found):
        return PASS
    created = f"{_named(found)} into it {inflect(len(found), 'is', 'are')} created by the same run"
    message = f"only {network.name} reaches the API of {api.cluster.name}, and {created}"
    hint = f"For the first run, {api.opening}. Close it when Pulumi runs through {way_in}."
    existing = site.existing(api.cluster)
    if existing is not None:
        old, client = cluster_api(existing), site.existing(connection.provider) or connection.provider
        if not old.is_reached_from_outside(by_name=uses_name(client, old)):
            return PASS
        message = f"this run closes the API of {api.cluster.name} to all but {network.name}, and {created}"
        hint = (
            f"From the next run on, run Pulumi through {way_in}. Objects that this run still changes in the cluster "
            f"may find it closed: where there are any, create {way_in} first, and close the endpoint in a second run."
        )
    return fail(message, hint=hint, path=api.path, urn=api.cluster.urn)


def _counted(connection: _Connection) -> str:
    return f"{plural(connection.objects, 'object')} {inflect(connection.objects, 'goes', 'go')}"


def _named(found: list[WayIn]) -> str:
    return listed(f"{way.view.name} ({way.what})" for way in found)


def _standing(site: Site) -> str:
    """What exists when the first object fails: the cluster, and the machines that pools start with."""
    machines: Counter[str] = Counter()
    for pool in program_pools(site, *(provider.name for provider in all_providers())):
        with suppress(NotKnown, TypeMismatch):
            machines.update({named.name: pool.start() for named in pool.machine_types()[:1]})
    started = [f"{count} x {name}" for name, count in machines.most_common() if count]
    return f"the cluster and {listed(started)} exist and are billed" if started else "the cluster exists and is billed"
