"""Rules on the pools of a cluster that exists: what they are known by, and what they have."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from penstock.core.errors import UnknownFact
from penstock.core.wording import listed, one_of, quoted
from penstock.description import addon_conditions
from penstock.description.node_pool import NodePoolSpec
from penstock.description.platform import Spec
from penstock.description.problems import Problem
from penstock.description.rules.rule import pool_rule, rule
from penstock.kubernetes.description import pools
from penstock.kubernetes.description.pools import FABRICS
from penstock.kubernetes.facts import accelerators, label_forms
from penstock.kubernetes.facts.accelerators import Accelerator

_DISCOVERED = "nvidia.com/gpu."


@pool_rule("SPEC-155", provider="kubernetes")
def pool_is_known_by_labels(pool: NodePoolSpec, _: Spec) -> Iterator[Problem]:
    """A pool names labels of its nodes: by these, jobs find them."""
    if pool.labels:
        return
    product = _product(pool.accelerator)
    example = f"nvidia.com/gpu.product: {product}" if product else "node.kubernetes.io/instance-type: NAME"
    message = f"Pool {pool.name} names no labels, and jobs could not be sent to its nodes."
    yield Problem((), message, f"Set labels that its nodes have and no others do, such as {{{example}}}.")


@pool_rule("SPEC-155", reads=("cloud", "cluster"), provider="kubernetes")
def labels_are_there_before_the_plugin(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """A device plugin of ours finds its nodes by labels that they have without it."""
    if _known(pool.accelerator) is None or addon_conditions.installed(spec) & {"nvidia", "gpu-operator"}:
        return
    software = pools.software(pool, spec)
    for key in pool.labels:
        if software is not None and software.advertiser == "plugin" and key.startswith(_DISCOVERED):
            message = f"{key} is a label of NVIDIA's GPU feature discovery, which does not run there."
            hint = f"Label the nodes by hand with a key of your own, such as example.com/gpu={pool.accelerator}."
            yield Problem(("labels", key), message, hint)


@pool_rule("SPEC-155", provider="kubernetes")
def labels_are_of_the_accelerator(pool: NodePoolSpec, _: Spec) -> Iterator[Problem]:
    """What GPU feature discovery says of the nodes is what the pool says of them."""
    its = _known(pool.accelerator)
    if its is None:
        return
    product, number = pool.labels.get(f"{_DISCOVERED}product"), pool.labels.get(f"{_DISCOVERED}count")
    if product is not None and (other := accelerators.contradicts(its, product)) is not None:
        message = f"{product} is the label of nodes with {other}, and the pool has {its.accelerator}."
        hint = f"Set accelerator: {other}, or the label of yours{f', such as {its.product}' if its.product else ''}."
        yield Problem(("labels", f"{_DISCOVERED}product"), message, hint)
    count = pools.count(pool)
    if number is not None and number.isdecimal() and int(number) != count:
        message = f"The label is of nodes with {number} GPUs, and those of the pool have {count}."
        yield Problem(("labels", f"{_DISCOVERED}count"), message, f"Set count: {number}, or correct the label.")


@rule("SPEC-155", reads=("node_pools",), provider="kubernetes")
def pools_are_told_apart(spec: Spec) -> Iterator[Problem]:
    """No node belongs to two pools."""
    for (_, one), (index, other) in combinations(enumerate(spec.node_pools), 2):
        if not one.labels or not other.labels:
            continue
        differs = any(other.labels.get(key, value) != value for key, value in one.labels.items())
        if not differs and (one.labels.keys() <= other.labels.keys() or other.labels.keys() <= one.labels.keys()):
            message = f"A node with the labels of pool {other.name} may also have those of pool {one.name}."
            yield Problem(("node_pools", index, "labels"), message, "Give one of them another value for a label.")


@pool_rule("SPEC-156", provider="kubernetes")
def accelerator_is_known(pool: NodePoolSpec, _: Spec) -> Iterator[Problem]:
    """The accelerator is one whose resource the catalogue knows; others are devices."""
    if pool.accelerator is not None and pool.accelerator not in accelerators.names():
        hint = one_of(pool.accelerator, accelerators.names(), "Known")
        message = f"{quoted(pool.accelerator)} is not an accelerator that Penstock knows."
        other = "For any other, leave accelerator out and set devices to what a node offers of the resource that pods "
        other += "request, such as {vendor.com/device: 8}."
        yield Problem(("accelerator",), message, f"{hint} {other}")
    if pool.accelerator is None and pool.count is not None:
        yield Problem(("count",), "count is the number of accelerators, and the pool names none.", "Set accelerator.")


@pool_rule("SPEC-157", reads=("cloud",), provider="kubernetes")
def fabric_is_one_of_the_profile(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """The fabric is one that clusters of this kind have."""
    profile = pools.profile(spec)
    if pool.fabric in ("auto", "none") or pools.fabric_name(pool, profile) is not None:
        return
    there = [name for name in FABRICS if getattr(profile, FABRICS[name])]
    hint = f"Fabrics there: {listed(there)}." if there else "Leave fabric out."
    yield Problem(("fabric",), f"{pool.fabric} is not a fabric of {profile.title}.", hint)


@pool_rule("SPEC-157", reads=("cloud",), provider="kubernetes")
def adapters_are_counted(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """How many adapters a node has is known of its accelerator, or said by the pool."""
    profile = pools.profile(spec)
    resource = pools.fabric_name(pool, profile)
    if resource is None or (pool.accelerator is not None and _known(pool.accelerator) is None):
        return  # that is the finding of another rule
    if pools.fabric_resource(pool, profile) is None:
        machine = (
            f"machines with {pool.accelerator}" if pool.accelerator is not None else "machines without accelerators"
        )
        message = f"How many adapters {machine} have is not known, and a pod could not request them."
        yield Problem(("fabric",), message, f"Say how many a node has, such as devices: {{{resource}: 1}}.")


@pool_rule("SPEC-157", reads=("cloud",), provider="kubernetes")
def networks_have_adapters(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """Secondary networks are for RoCE: one for each adapter of a node, or one for all."""
    if not pool.fabric_networks or pool.fabric not in ("auto", "none", *FABRICS):
        return
    path = ("fabric_networks",)
    if FABRICS.get(pool.fabric) != "roce":
        yield Problem(path, "fabric_networks is for RoCE adapters.", "Set fabric: rdma, or leave fabric_networks out.")
        return
    if pool.accelerator is not None and _known(pool.accelerator) is None:
        return  # that is the finding of another rule
    fabric = pools.fabric_resource(pool, pools.profile(spec))
    if fabric is not None and len(pool.fabric_networks) not in (1, fabric[1]):
        message = f"fabric_networks has {len(pool.fabric_networks)} networks, and a node has {fabric[1]} adapters."
        yield Problem(path, message, f"Name one network for each of the {fabric[1]} adapters, or one for all.")


@pool_rule("SPEC-158", provider="kubernetes")
def devices_are_extended_resources(pool: NodePoolSpec, _: Spec) -> Iterator[Problem]:
    """Devices are named as pods request them: by a domain of their maker."""
    its = _resource(pool.accelerator)
    for name in pool.devices:
        path = ("devices", name)
        if "/" not in name or not label_forms.is_key(name) or name.partition("/")[0].endswith("kubernetes.io"):
            hint = "Use the name that the device plugin advertises, such as xilinx.com/fpga-u250."
            yield Problem(path, f"{quoted(name)} is not the name of an extended resource.", hint)
        elif name == its:
            yield Problem(path, f"accelerator: {pool.accelerator} already offers {name}.", "Leave it out here.")


def _product(accelerator: str | None) -> str | None:
    its = _known(accelerator)
    return its.product if its is not None else None


def _resource(accelerator: str | None) -> str | None:
    its = _known(accelerator)
    return its.resource if its is not None else None


def _known(accelerator: str | None) -> Accelerator | None:
    try:
        return accelerators.find_accelerator(accelerator) if accelerator is not None else None
    except UnknownFact:
        return None
