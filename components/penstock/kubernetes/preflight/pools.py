"""The nodes of a cluster against the pools of a description: labels, capacities, taints, and who advertises devices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from penstock.core.wording import listed
from penstock.description.addon_conditions import installed
from penstock.description.nodes.pool_nodes import PoolNodes
from penstock.description.platform import Spec, node_pools
from penstock.graph.view import Site
from penstock.kubernetes.description import nodes as described_nodes
from penstock.kubernetes.facts.charts import RELEASE
from penstock.kubernetes.preflight.cluster import AskedCluster
from penstock.preconditions import Precondition
from penstock.preconditions.need import NamedNeed, named
from penstock.preflight.inquiry import Reply, met, not_met

POOL: Final = "kubernetes-pool"
ADVERTISER: Final = "kubernetes-advertiser"
RUNTIME: Final = "kubernetes-runtime-class"

_PLUGINS: Final = "/var/lib/kubelet/device-plugins"
"""The directory that every device plugin mounts (Kubernetes documentation, device plugins)."""
_MAKERS: Final = {
    "nvidia": ("nvidia",),
    "amd": ("amd", "rocm"),
    "habana": ("habana", "gaudi"),
    "rdma": ("rdma", "sriov"),
}
"""Words in the images of the plugins of makers, by the beginning of their resources."""
_OURS: Final = ("plugin", "operator")
_BY_CLUSTER: Final = ("node.kubernetes.io/", "node.cloudprovider.kubernetes.io/")
"""Taints that come and go with the state of a node."""


def pools_needed(described: Spec) -> Iterator[Precondition]:
    """Yield the nodes of each pool, the runtime classes of their pods, and one advertiser for each device."""
    for nodes in described_pools(described):
        labels = ", ".join(f"{key}={value}" for key, value in nodes.labels.items()) or "any labels"
        devices = "".join(f", each with {count} {name}" for name, count in nodes.devices.items())
        yield Precondition(
            f"{nodes.nodes.min} nodes of pool {nodes.pool}, with {labels}{devices}",
            "The platform creates no nodes here: pods of a pool whose nodes are not there wait.",
            f"kubectl get nodes --selector {labels.replace(', ', ',')} --output wide" if nodes.labels else "",
            "",
            named(POOL, {"name": nodes.pool}),
            POOL,
        )
        if nodes.runtime_class is not None:
            yield Precondition(
                f"Runtime class {nodes.runtime_class}",
                f"Pods of pool {nodes.pool} name it, and no pod that names a class that is not there is created.",
                f"kubectl get runtimeclass {nodes.runtime_class}",
                "",
                named(RUNTIME, {"name": nodes.runtime_class}),
                RUNTIME,
            )
        for name in nodes.devices:
            yield Precondition(
                f"A single advertiser of {name}",
                "Two advertisers hand out the same device twice, to two pods.",
                "kubectl get daemonsets --all-namespaces --output wide",
                "",
                named(ADVERTISER, {"name": name, "pool": nodes.pool}),
                ADVERTISER,
            )


def described_pools(described: Spec) -> list[PoolNodes]:
    """Return the nodes of the pools of a description."""
    return [described_nodes.read(pool, described) for pool in node_pools(described)]


def answer_pool(cluster: AskedCluster, described: Spec, need: NamedNeed) -> Reply:
    """Return whether the nodes of a pool are there, ready, with their devices, and with the taints described alone."""
    pool = next(each for each in described_pools(described) if each.pool == need.word("name"))
    nodes = _with_labels(cluster.items("/api/v1/nodes"), pool.labels)
    if len(nodes) < pool.nodes.min:
        near = _nearest(cluster.items("/api/v1/nodes"), pool.labels)
        return not_met(f"{len(nodes)} nodes have the labels; {pool.nodes.min} are described.{near}", "Label the nodes.")
    troubles = [*_devices(nodes, pool, _brought(described, pool)), *_taints(nodes, pool)]
    ready = sum(_is_ready(each) for each in nodes)
    if ready < pool.nodes.min:
        troubles.append(f"{ready} of {len(nodes)} nodes are ready and take pods")
    if troubles:
        return not_met(f"{len(nodes)} nodes have the labels; {'; '.join(troubles)}.", "Change the nodes, or the pool.")
    later = [name for name in pool.devices if not any(_offers(each, name) for each in nodes)]
    remark = f" {listed(later)}: offered once the platform has installed the software." if later else ""
    return met(f"{len(nodes)} nodes have the labels, {ready} of them are ready.{remark}")


_SHARED: Final = "kube-system"
"""A namespace that the program's own releases share with what others have installed."""


def answer_advertiser(cluster: AskedCluster, site: Site, described: Spec, need: NamedNeed) -> Reply:
    """Return whether no daemon set of others offers a device that the program's own will, and not two do now."""
    pool = next(each for each in described_pools(described) if each.pool == need.word("pool"))
    name = need.word("name")
    words = _MAKERS.get(name.partition("/")[0].partition(".")[0], ())
    own = {str(view.given("namespace") or "") for view in site.of_type(RELEASE)} - {_SHARED}
    found = [
        f"{each['metadata']['namespace']}/{each['metadata']['name']}"
        for each in cluster.items("/apis/apps/v1/daemonsets")
        if _is_plugin(each, words) and each["metadata"]["namespace"] not in own
    ]
    brings = name in _brought(described, pool)
    if brings and found:
        fix = "Name it in cluster.existing.installed, so that the platform installs none; or remove it."
        return not_met(f"The platform installs one, and {listed(found)} is there.", fix)
    if len(found) > 1:
        return not_met(f"There are {len(found)}: {listed(found)}.", "Remove all but one.")
    if found:
        return met(f"{found[0]} alone.")
    return met("The platform installs it, and no other is there." if brings else "No daemon set is seen to be one.")


def answer_runtime(cluster: AskedCluster, need: NamedNeed) -> Reply:
    """Return whether a runtime class is there."""
    cluster.get(f"/apis/node.k8s.io/v1/runtimeclasses/{need.word('name')}")
    return met("It is there.")


def _brought(described: Spec, pool: PoolNodes) -> frozenset[str]:
    """The devices of a pool that software of the platform offers, once it is installed."""
    there = installed(described)
    found = set()
    if pool.resource is not None and pool.software is not None and pool.software.advertiser in _OURS:
        maker = pool.resource.partition(".")[0]
        if there.isdisjoint({maker, "gpu-operator", f"{maker}-dra"}):
            found.add(pool.resource)
    offered = pool.rdma is not None and pool.rdma.advertiser in _OURS and "network-operator" not in there
    if pool.fabric_resource is not None and offered:
        found.add(pool.fabric_resource)
    return frozenset(found)


def _devices(nodes: Sequence[Mapping[str, Any]], pool: PoolNodes, brought: frozenset[str]) -> Iterator[str]:
    for name, count in pool.devices.items():
        having = Counter(_offers(each, name) for each in nodes)
        few = {has: number for has, number in having.items() if has < count}
        if few.keys() == {0} and name in brought:
            continue
        for has, number in sorted(few.items()):
            yield f"{number} of them offer {has} {name}, not {count}"


def _taints(nodes: Sequence[Mapping[str, Any]], pool: PoolNodes) -> Iterator[str]:
    described = {(taint.key, taint.value, taint.effect) for taint in pool.taints}
    if pool.resource is not None:
        described_keys = {key for key, _, _ in described} | {pool.resource, pool.resource.removesuffix(".shared")}
    else:
        described_keys = {key for key, _, _ in described}
    strange: Counter[str] = Counter()
    missing: Counter[str] = Counter()
    for node in nodes:
        taints = node.get("spec", {}).get("taints") or ()
        has = {(each["key"], each.get("value", ""), each["effect"]) for each in taints}
        strange.update(
            f"{key}={value}:{effect}"
            for key, value, effect in has - described
            if key not in described_keys and not key.startswith(_BY_CLUSTER) and effect != "PreferNoSchedule"
        )
        missing.update(f"{key}={value}:{effect}" for key, value, effect in described - has)
    yield from (f"{number} of them have taint {taint}, which no pod tolerates" for taint, number in strange.items())
    yield from (f"{number} of them lack taint {taint}" for taint, number in missing.items())


def _with_labels(nodes: Sequence[Mapping[str, Any]], labels: Mapping[str, str]) -> list[Mapping[str, Any]]:
    return [each for each in nodes if labels.items() <= (each["metadata"].get("labels") or {}).items()]


def _nearest(nodes: Sequence[Mapping[str, Any]], labels: Mapping[str, str]) -> str:
    """The values that nodes have of labels of which none has the described one."""
    for key, value in labels.items():
        values = Counter((each["metadata"].get("labels") or {}).get(key) for each in nodes)
        if value not in values:
            others = ", ".join(f"{other} ({count})" for other, count in values.items() if other is not None)
            return f" Values of {key}: {others or 'none'}."
    return ""


def _offers(node: Mapping[str, Any], resource: str) -> int:
    return int(str((node["status"].get("allocatable") or {}).get(resource, 0)))


def _is_ready(node: Mapping[str, Any]) -> bool:
    conditions = {each["type"]: each["status"] for each in node["status"].get("conditions") or ()}
    return conditions.get("Ready") == "True" and not node.get("spec", {}).get("unschedulable")


def _is_plugin(daemon_set: Mapping[str, Any], words: Sequence[str]) -> bool:
    """Return whether a daemon set mounts the directory of device plugins, and its image is of a maker."""
    pod = daemon_set["spec"]["template"]["spec"]
    paths = [str((each.get("hostPath") or {}).get("path", "")).rstrip("/") for each in pod.get("volumes") or ()]
    images = " ".join(each.get("image", "") for each in pod["containers"]).casefold()
    return _PLUGINS in paths and any(word in images for word in words)
