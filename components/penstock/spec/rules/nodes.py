"""Rules on what runs on a node before any pod: its image, labels and taints."""

from __future__ import annotations

import re
from collections.abc import Iterator

from penstock.catalog import limits
from penstock.catalog.aws import ami_types
from penstock.errors import UnknownFact
from penstock.spec.node_pool import NodePoolSpec
from penstock.spec.platform import SYSTEM_POOL, Spec
from penstock.spec.problems import Problem
from penstock.spec.rules import known
from penstock.spec.rules.rule import AWS, CLOUDS, pool_rule
from penstock.wording import listed, one_of, quoted

_AMI_TYPE = ("aws", "ami_type")

_LABEL_NAME = re.compile(r"[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?")
_LABEL_PREFIX = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")
_LONGEST_PREFIX = 253
_LONGEST_KEY_ON_EKS = 63
"""Of a label or taint of a node group, with its domain (EKS API, CreateNodegroup)."""
_OWN_PREFIXES = ("kubelet.kubernetes.io", "node.kubernetes.io")
"""The prefixes under kubernetes.io that a node may give itself (Kubernetes documentation, NodeRestriction)."""

_KEY_HINT = "A name of up to 63 letters, digits, '-', '_' and '.', if need be after a domain and '/'."


@pool_rule("SPEC-085", provider=AWS)
def ami_type_is_known(pool: NodePoolSpec, _: Spec) -> Iterator[Problem]:
    """The AMI type is one that EKS has and still publishes for the clusters it offers."""
    name = pool.aws.ami_type
    if name is None:
        return
    names = [ami.name for ami in ami_types.all_ami_types() if ami.system == "al2023"]
    try:
        ami = ami_types.find_ami_type(name)
    except UnknownFact:
        yield Problem(_AMI_TYPE, f"{quoted(name)} is no AMI type of EKS.", one_of(name, names))
        return
    if ami.name not in names:
        why = "AWS no longer publishes it" if ami.system == "al2" else "Penstock does not know how to start it"
        yield Problem(_AMI_TYPE, f"{name} is refused: {why}.", f"Leave ami_type out, or take one of {listed(names)}.")


@pool_rule("SPEC-084", reads=("cluster",), provider=CLOUDS)
def system_pool_takes_any_pod(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """A pool of the name `system` in a new cluster runs the cluster's own pods, DNS and drivers among them."""
    if pool.name == SYSTEM_POOL and spec.cluster.existing is None and not known.takes_any_pod(pool, spec):
        message = "The pool system runs the cluster's own pods, but no node of it takes them at all times."
        yield Problem((), message, "Give it a machine type without accelerators, no taints and one node at least.")


@pool_rule("SPEC-086", provider=AWS)
def ami_type_fits_the_machine(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """The AMI type is for the machine's processor and carries the drivers of its accelerators."""
    machine = known.aws_machine(pool, spec)
    if machine is None or pool.aws.ami_type is None:
        return
    try:
        ami = ami_types.find_ami_type(pool.aws.ami_type)
    except UnknownFact:
        return
    if not ami.fits(machine):
        what = f"{machine.architecture}, {machine.accelerator or 'no accelerator'}"
        message = f"{ami.name} does not fit {machine.machine_type} ({what})."
        yield Problem(_AMI_TYPE, message, f"Leave ami_type out: it follows from the machine, here {machine.ami_type}.")


@pool_rule("SPEC-087", provider=CLOUDS)
def labels_are_labels(pool: NodePoolSpec, _: Spec) -> Iterator[Problem]:
    """Labels have keys and values that Kubernetes takes, and none that only the control plane may set."""
    for key, value in pool.labels.items():
        path = ("labels", key)
        prefix = key.rpartition("/")[0]
        if not _is_key(key):
            yield Problem(path, f"{quoted(key)} is no label key.", _KEY_HINT)
        elif prefix.endswith(("kubernetes.io", "k8s.io")) and not prefix.endswith(_OWN_PREFIXES):
            hint = f"Take a domain of your own, or one of {listed(_OWN_PREFIXES)}."
            yield Problem(path, f"A node may not give itself a label under {prefix}.", hint)
        if value and not _LABEL_NAME.fullmatch(value):
            hint = "Up to 63 letters, digits, '-', '_' and '.', beginning and ending with a letter or digit."
            yield Problem(path, f"{quoted(value)} is no label value.", hint)


@pool_rule("SPEC-087", provider=AWS)
def labels_are_labels_of_eks(pool: NodePoolSpec, _: Spec) -> Iterator[Problem]:
    """EKS takes shorter keys of labels than Kubernetes, and no empty values."""
    for key, value in pool.labels.items():
        if _is_key(key) and len(key) > _LONGEST_KEY_ON_EKS:
            yield Problem(("labels", key), _too_long_for_eks(key))
        if not value:
            yield Problem(("labels", key), f"{quoted(key)} has no value, which EKS asks for.", 'Such as "true".')


@pool_rule("SPEC-088", provider=CLOUDS)
def taints_are_taints(pool: NodePoolSpec, _: Spec) -> Iterator[Problem]:
    """Taints have keys and values that Kubernetes takes, and a key each effect once."""
    seen = set()
    for index, taint in enumerate(pool.taints):
        if not _is_key(taint.key):
            yield Problem(("taints", index, "key"), f"{quoted(taint.key)} is no taint key.", _KEY_HINT)
        if taint.value and not _LABEL_NAME.fullmatch(taint.value):
            yield Problem(("taints", index, "value"), f"{quoted(taint.value)} is no taint value.", "As for labels.")
        if (taint.key, taint.effect) in seen:
            message = f"{quoted(taint.key)} has the effect {taint.effect} twice."
            yield Problem(("taints", index), message, "Kubernetes takes one value for a key and an effect.")
        seen.add((taint.key, taint.effect))


@pool_rule("SPEC-088", provider=AWS)
def taints_are_taints_of_eks(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """EKS takes shorter keys of taints than Kubernetes, and only so many taints."""
    machine = known.machine(pool, spec)
    own = 1 if machine is not None and machine.accelerators else 0
    most = limits.find_limit("node_group_taints", "aws").most
    if len(pool.taints) + own > most:
        message = f"With that of accelerators there are {len(pool.taints) + own} taints; EKS takes {most}."
        yield Problem(("taints",), message, "Leave some out.")
    for index, taint in enumerate(pool.taints):
        if _is_key(taint.key) and len(taint.key) > _LONGEST_KEY_ON_EKS:
            yield Problem(("taints", index, "key"), _too_long_for_eks(taint.key))


def _too_long_for_eks(key: str) -> str:
    return f"{quoted(key)} is too long: EKS takes {_LONGEST_KEY_ON_EKS} characters, domain and all."


def _is_key(key: str) -> bool:
    prefix, slash, name = key.rpartition("/")
    fits = not slash or (len(prefix) <= _LONGEST_PREFIX and _LABEL_PREFIX.fullmatch(prefix) is not None)
    return fits and _LABEL_NAME.fullmatch(name) is not None
