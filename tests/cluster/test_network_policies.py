"""Network policies in force: which packets reach which pods of a platform, by an engine that k3s has, too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.cluster import binaries
from tests.cluster.network_policies import enforced
from tests.cluster.pod_networks import Host, Node, Target, unavailable
from tests.descriptions import ONPREM_TRAINING, TRAINING
from tests.kubernetes.clusters import with_addons

from penstock.graph.graph import Graph
from penstock.testing import rehearse

pytestmark = pytest.mark.cluster

TEAMS: Mapping[str, Any] = {
    "queueing": {"teams": [{"name": "language", "groups": ["language"]}, {"name": "vision", "groups": ["vision"]}]},
    "observability": {"logs": {}},
    "training": {},
    "ray": {},
}
RENDEZVOUS, SSH, WEBHOOK, DASHBOARD, METRICS = 29500, 22, 9443, 8265, 8000

IDENTITY = Host(name="identity-agent", ip="169.254.170.23", listens=(80, 8080))
API_SERVER = Host(name="api-server", ip="10.40.0.10", listens=(443, 6443))
INTERNET = Host(name="internet", ip="198.51.100.7", listens=(80, 443, 5432))
DNS = Host(name="dns", ip="10.244.1.1", namespace="kube-system", listens=(53, 9153))
COLLECTOR = Host(name="collector", ip="10.244.1.2", namespace="kube-system")
BYSTANDER = Host(name="bystander", ip="10.244.1.3", namespace="default", listens=(8080,))
FIRST = Host(name="language-0", ip="10.244.2.1", namespace="language", listens=(RENDEZVOUS, SSH))
SECOND = Host(
    name="language-1",
    ip="10.244.2.2",
    namespace="language",
    labels={"penstock.dev/metrics": "true"},
    listens=(RENDEZVOUS, METRICS),
    named={"metrics": METRICS},
)
HEAD = Host(
    name="language-head",
    ip="10.244.2.3",
    namespace="language",
    labels={"ray.io/node-type": "head"},
    listens=(DASHBOARD, 10001),
)
OTHER_TEAM = Host(name="vision-0", ip="10.244.3.1", namespace="vision", listens=(RENDEZVOUS,))
PROMETHEUS = Host(name="prometheus", ip="10.244.4.1", namespace="monitoring", listens=(9090,))
LOKI = Host(name="loki", ip="10.244.4.2", namespace="loki", listens=(3100, 9095), named={"http-metrics": 3100})
KUEUE = Host(name="kueue", ip="10.244.4.3", namespace="kueue-system", listens=(WEBHOOK, 8082, 8081))
RAY = Host(name="ray-operator", ip="10.244.4.4", namespace="ray-system", listens=(8080,))
HOSTS = (
    *(IDENTITY, API_SERVER, INTERNET, DNS, COLLECTOR, BYSTANDER, FIRST, SECOND),
    *(HEAD, OTHER_TEAM, PROMETHEUS, LOKI, KUEUE, RAY),
)

ALLOWED: Mapping[Host, tuple[Target, ...]] = {
    FIRST: (
        Target("language-1", RENDEZVOUS),  # workers of a job, by TCP and UDP
        Target("language-1", RENDEZVOUS, "UDP"),
        Target("language-head", 10001),
        Target("dns", 53),
        Target("dns", 53, "UDP"),
        Target("api-server", 443),
        Target("api-server", 6443),
        Target("internet", 443),  # buckets, registries, trackers of experiments
    ),
    SECOND: (Target("language-0", SSH),),  # mpirun
    PROMETHEUS: (Target("language-1", METRICS), Target("loki", 3100), Target("dns", 9153)),
    COLLECTOR: (Target("loki", 3100),),
    RAY: (Target("language-head", DASHBOARD), Target("api-server", 443)),
    API_SERVER: (Target("kueue", WEBHOOK), Target("kueue", 8082)),
}
DENIED: Mapping[Host, tuple[Target, ...]] = {
    FIRST: (
        Target("vision-0", RENDEZVOUS),
        Target("vision-0", RENDEZVOUS, "UDP"),
        Target("bystander", 8080),
        Target("prometheus", 9090),
        Target("loki", 3100),
        Target("kueue", 8081),
        Target("internet", 5432),
        Target("identity-agent", 8080),
    ),
    OTHER_TEAM: (Target("language-0", SSH), Target("language-1", METRICS), Target("language-head", DASHBOARD)),
    BYSTANDER: (Target("language-0", SSH), Target("language-1", RENDEZVOUS), Target("loki", 3100)),
    PROMETHEUS: (Target("language-0", SSH), Target("language-1", RENDEZVOUS), Target("kueue", 8081)),
    COLLECTOR: (Target("loki", 9095),),
    RAY: (Target("language-head", 10001), Target("vision-0", RENDEZVOUS)),
    API_SERVER: (Target("kueue", 8081), Target("language-0", SSH)),
}


ADDONS: Mapping[str, Any] = {
    "security": {},
    "observability": {},
    "cost": {"accelerator_hour_usd": 2.5},
    "gitops": {"repository": "ssh://git@git.example.com:2222/edge.git", "namespaces": ["serving"]},
    "secrets": {
        "names": ["wandb"],
        "delivered_to": ["default"],
        "vault": {"server": "https://vault.example.com:8200", "role": "platform"},
    },
}
GIT = Host(name="git", ip="198.51.100.8", listens=(SSH, 2222))
VAULT = Host(name="vault", ip="198.51.100.9", listens=(8200,))
ARGO_CD = Host(name="argo-cd", ip="10.244.5.1", namespace="argocd", listens=(8082, 8084))
KYVERNO = Host(name="kyverno", ip="10.244.5.2", namespace="kyverno", listens=(WEBHOOK, METRICS))
OPEN_COST = Host(name="opencost", ip="10.244.5.3", namespace="opencost", listens=(9003,))
SECRETS = Host(name="external-secrets", ip="10.244.5.4", namespace="external-secrets", listens=(8080, 10250))
ADDON_HOSTS = (API_SERVER, GIT, VAULT, BYSTANDER, PROMETHEUS, ARGO_CD, KYVERNO, OPEN_COST, SECRETS)
ADDONS_ALLOWED: Mapping[Host, tuple[Target, ...]] = {
    ARGO_CD: (Target("git", 2222), Target("api-server", 443)),
    OPEN_COST: (Target("prometheus", 9090),),
    SECRETS: (Target("vault", 8200),),
    API_SERVER: (Target("kyverno", WEBHOOK), Target("external-secrets", 10250)),
    PROMETHEUS: (
        Target("argo-cd", 8082),
        Target("kyverno", METRICS),
        Target("opencost", 9003),
        Target("external-secrets", 8080),
    ),
}
ADDONS_DENIED: Mapping[Host, tuple[Target, ...]] = {
    ARGO_CD: (Target("git", SSH), Target("vault", 8200), Target("kyverno", METRICS)),
    OPEN_COST: (Target("vault", 8200), Target("argo-cd", 8084)),
    SECRETS: (Target("git", 2222), Target("prometheus", 9090)),
    API_SERVER: (Target("kyverno", METRICS), Target("argo-cd", 8084)),
    BYSTANDER: (Target("argo-cd", 8082), Target("opencost", 9003), Target("prometheus", 9090)),
}


def wrong(node: Node, expected: Mapping[Host, tuple[Target, ...]], *, reached: bool) -> list[str]:
    """Return the unexpected connections, each as source and target."""
    return [
        f"{source.name} -> {target.host}:{target.port}/{target.protocol}"
        for source, targets in expected.items()
        for target, is_reached in zip(targets, node.reached(source.name, targets), strict=True)
        if is_reached is not reached
    ]


@pytest.fixture(scope="module", params=[TRAINING, ONPREM_TRAINING], ids=["aws", "on-premises"])
def graph(request: pytest.FixtureRequest) -> Graph:
    skip_where_nothing_enforces()
    return built(request.param, TEAMS)


def skip_where_nothing_enforces() -> None:
    if reason := unavailable():
        pytest.skip(reason)
    if binaries.find(binaries.ENGINE.name) is None:
        pytest.skip(f"{binaries.ENGINE.name} is not built: make test-cluster")


def built(description: Mapping[str, Any], addons: Mapping[str, Any]) -> Graph:
    rehearsal = rehearse(with_addons(description, addons))
    assert rehearsal.findings == ()
    return rehearsal.graph


@pytest.fixture(scope="module")
def node(graph: Graph, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Node]:
    folder: Path = tmp_path_factory.mktemp("policies")
    with enforced(graph, HOSTS, folder) as found:
        yield found


def test_pods_reach_what_a_job_needs(node: Node) -> None:
    assert not wrong(node, ALLOWED, reached=True)


def test_pods_reach_nothing_else(node: Node) -> None:
    assert not wrong(node, DENIED, reached=False)


def test_the_kubelet_probes_pods_of_closed_namespaces(node: Node) -> None:
    probed = (Target("language-0", RENDEZVOUS), Target("vision-0", RENDEZVOUS), Target("kueue", 8081))

    assert node.reached(None, probed) == [True] * len(probed)


def test_on_aws_pods_of_teams_ask_the_identity_agent(node: Node, graph: Graph) -> None:
    (reached,) = node.reached("language-0", [Target("identity-agent", 80)])

    assert reached is bool(graph.of_type("aws:eks/cluster:Cluster"))


@pytest.mark.usefixtures("graph")
def test_without_an_engine_everything_is_reached() -> None:
    with Node(HOSTS).running() as node:
        assert not wrong(node, DENIED, reached=True)


def test_addons_reach_and_are_reached_where_they_must_be_only(tmp_path: Path) -> None:
    skip_where_nothing_enforces()

    with enforced(built(ONPREM_TRAINING, ADDONS), ADDON_HOSTS, tmp_path) as node:
        assert not wrong(node, ADDONS_ALLOWED, reached=True)
        assert not wrong(node, ADDONS_DENIED, reached=False)
