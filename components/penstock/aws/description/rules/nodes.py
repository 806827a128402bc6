"""Rules on what runs on a node before any pod, for AWS alone."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.aws.description.node_pool_block import own_settings
from penstock.aws.description.rules import known_on_aws
from penstock.aws.facts import ami_types
from penstock.catalog import limits
from penstock.core.errors import UnknownFact
from penstock.core.wording import listed, one_of, quoted
from penstock.description.node_pool import NodePoolSpec
from penstock.description.platform import Spec
from penstock.description.problems import Problem
from penstock.description.rules import known
from penstock.description.rules.rule import pool_rule
from penstock.kubernetes.facts import label_forms

_AMI_TYPE = ("aws", "ami_type")

_LONGEST_KEY_ON_EKS = 63
"""Of a label or taint of a node group, with its domain (EKS API, CreateNodegroup)."""


@pool_rule("SPEC-085", provider="aws")
def ami_type_is_known(pool: NodePoolSpec, _: Spec) -> Iterator[Problem]:
    """The AMI type is one that EKS has and still publishes for the clusters it offers."""
    name = own_settings(pool).ami_type
    if name is None:
        return
    names = [ami.name for ami in ami_types.all_ami_types() if ami.system == "al2023"]
    try:
        ami = ami_types.find_ami_type(name)
    except UnknownFact:
        yield Problem(_AMI_TYPE, f"{quoted(name)} is not an AMI type of EKS.", one_of(name, names))
        return
    if ami.name not in names:
        why = (
            "AWS no longer publishes this type"
            if ami.system == "al2"
            else "Penstock does not know how to start this type"
        )
        yield Problem(_AMI_TYPE, f"{name} is refused: {why}.", f"Leave ami_type out, or use one of {listed(names)}.")


@pool_rule("SPEC-086", provider="aws")
def ami_type_fits_the_machine(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """The AMI type is for the machine's processor and carries the drivers of its accelerators."""
    machine, name = known_on_aws.machine(pool, spec), own_settings(pool).ami_type
    if machine is None or name is None:
        return
    try:
        ami = ami_types.find_ami_type(name)
    except UnknownFact:
        return
    if not ami.fits(machine):
        what = f"{machine.architecture}, {machine.accelerator or 'no accelerator'}"
        message = f"{ami.name} does not fit {machine.machine_type} ({what})."
        yield Problem(
            _AMI_TYPE, message, f"Leave ami_type out: the machine type determines it, here {machine.ami_type}."
        )


@pool_rule("SPEC-087", provider="aws")
def labels_are_labels_of_eks(pool: NodePoolSpec, _: Spec) -> Iterator[Problem]:
    """EKS takes shorter keys of labels than Kubernetes, and no empty values."""
    for key, value in pool.labels.items():
        if label_forms.is_key(key) and len(key) > _LONGEST_KEY_ON_EKS:
            yield Problem(("labels", key), _too_long_for_eks(key))
        if not value:
            yield Problem(("labels", key), f"{quoted(key)} has no value, which EKS requires.", 'Such as "true".')


@pool_rule("SPEC-088", provider="aws")
def taints_are_taints_of_eks(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """EKS takes shorter keys of taints than Kubernetes, and only so many taints."""
    machine = known.machine(pool, spec)
    own = 1 if machine is not None and machine.accelerators else 0
    most = limits.find_limit("node_group_taints", "aws").most
    if len(pool.taints) + own > most:
        message = f"With the accelerators' own there are {len(pool.taints) + own} taints; EKS allows {most}."
        yield Problem(("taints",), message, "Leave some out.")
    for index, taint in enumerate(pool.taints):
        if label_forms.is_key(taint.key) and len(taint.key) > _LONGEST_KEY_ON_EKS:
            yield Problem(("taints", index, "key"), _too_long_for_eks(taint.key))


@pool_rule("SPEC-140", provider="aws")
def release_is_one_of_the_cluster_version(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """A release of the EKS image is for one Kubernetes version: that of the cluster, where the description names it."""
    release, version = own_settings(pool).release, spec.cluster.version
    if release is not None and version is not None and not release.startswith(f"{version}."):
        message = f"{release} is an image for Kubernetes {release.rpartition('.')[0]}, and the cluster runs {version}."
        hint = f"Use a release that begins with {version}., or leave it out."
        yield Problem(("aws", "release"), message, hint)


def _too_long_for_eks(key: str) -> str:
    return f"{quoted(key)} is too long: EKS allows {_LONGEST_KEY_ON_EKS} characters, with the domain."
