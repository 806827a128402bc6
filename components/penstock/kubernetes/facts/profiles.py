"""Kinds of clusters that no component of ours creates, and what their nodes bring."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.catalog.records import record_of


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterProfile:
    """One kind of cluster.

    Attributes:
        oldest: the oldest Kubernetes version that the components are made for.
        infiniband: what pods request of InfiniBand; None where there is none. `roce` likewise.
        infiniband_devices: how many of them a pod that takes a whole node requests on every machine; None for as many
            as the machine has adapters.
        roce_network: the network that a pod names once for each device, which Multus attaches; None where the
            request alone brings it.
        runtime_class: the class that pods with accelerators must name; None where the default runtime finds them.
        topology: labels of nodes from the widest level of the network to the single node.
        block_class: the storage class of block volumes; None where the cluster's default is taken.
        shared_class: that of volumes which several nodes mount.
    """

    profile: str
    title: str
    oldest: str
    infiniband: str | None
    infiniband_devices: int | None
    roce: str | None
    roce_devices: int | None
    roce_network: str | None
    runtime_class: str | None
    topology: tuple[str, ...]
    block_class: str | None
    shared_class: str | None
    unverified: tuple[str, ...]
    source: str
    as_of: str


def find_profile(name: str) -> ClusterProfile:
    """The kind of cluster of that name.

    Raises:
        UnknownFact: there is none.
    """
    return record_of(ClusterProfile, "kubernetes/profiles", name, "kind of cluster")
