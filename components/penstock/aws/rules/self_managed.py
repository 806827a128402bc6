"""Self-managed nodes of EKS: machines that join a cluster by what they run at boot, and the role they have."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from typing import Final

from penstock.aws.model.ec2 import Ec2Pool
from penstock.aws.model.images import image_marks
from penstock.aws.model.launch_templates import inside, template_of
from penstock.aws.types import (
    AUTOSCALING_GROUP,
    EC2_INSTANCE,
    EC2_LAUNCH_CONFIGURATION,
    EC2_SPOT_INSTANCE_REQUEST,
    EKS_CLUSTER,
    IAM_INSTANCE_PROFILE,
    IAM_ROLE,
)
from penstock.graph.values import Secret, Unknown
from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.graph.view import Block, Site, View

STARTERS: Final = (AUTOSCALING_GROUP, EC2_INSTANCE, EC2_SPOT_INSTANCE_REQUEST)
"""The types of resources that may start self-managed nodes."""

_BOOTSTRAP = re.compile(
    r"/etc/eks/bootstrap\.sh|node\.eks\.aws/|\bnodeadm init|^\s*\[?settings\.kubernetes\b|EKSBootstrap", re.MULTILINE
)
"""Ways for a node to join: Amazon Linux's script, nodeadm, Bottlerocket's settings and the Windows script."""

_EKS_IMAGE = re.compile(r"/eks/optimized-ami/|/bottlerocket/aws-k8s-|EKS_Optimized|^amazon-eks-|^bottlerocket-aws-k8s-")
"""Parameters and names of AWS' images for EKS (EKS user guide, retrieve AMI IDs)."""

_TAG = "kubernetes.io/cluster/"
_OWNED = "owned"
_USER_DATA = ("userData", "userDataBase64")
_TAGS = ("tags", "tagSpecifications")


def joined_cluster(starter: View) -> View | None:
    """The cluster of the program that machines join by themselves; None for machines that are no nodes.

    Raises:
        NotKnown: they are nodes of a cluster outside the program, or may be nodes.
    """
    holders = _holders(starter)
    clusters = _named_clusters(starter.site, holders)
    if not _is_node(starter, holders):
        if clusters and any(_is_unknown(holder.given(key)) for holder in holders for key in _USER_DATA):
            raise NotKnown  # a node, or a machine of its administrators
        return None
    if len(clusters) != 1:
        raise NotKnown
    return inside(clusters[0])


def nodes_of(cluster: View) -> list[View]:
    """Return the resources that start self-managed nodes of a cluster.

    Raises:
        NotKnown: it is not known of some machines whether they join it.
    """
    found = ((starter, joined_cluster(starter)) for starter in cluster.site.of_type(*STARTERS))
    return [starter for starter, joined in found if joined is not None and joined.urn == cluster.urn]


def boot_texts(starter: View) -> list[str]:
    """Yield the decoded user data of machines.

    Raises:
        NotKnown: it is not known.
    """
    holders = _holders(starter)
    for holder in holders:
        for key in _USER_DATA:
            holder.text(key)
    return [text for holder in holders for text in _user_data(holder)]


def role_of(starter: View) -> tuple[View | None, Block]:
    """The role of machines, None without any, and what names their instance profile in `iamInstanceProfile`.

    Raises:
        NotKnown: the role lies outside the program.
    """
    for holder in _holders(starter):
        if "iamInstanceProfile" not in holder:
            continue
        if isinstance(holder.given("iamInstanceProfile"), str | Unknown | Secret):
            profile = holder.one("iamInstanceProfile", IAM_INSTANCE_PROFILE)
        else:
            named = holder.block("iamInstanceProfile")
            key = "arn" if named is not None and "arn" in named else "name"
            profile = named.one(key, IAM_INSTANCE_PROFILE) if named is not None else None
        role = inside(profile).one("role", IAM_ROLE) if profile is not None else None
        return (inside(role) if role is not None else None), holder
    return None, _holders(starter)[-1]


def _holders(starter: View) -> list[View]:
    """Return the resource of machines, and its launch template or configuration."""
    template = template_of(starter)
    configuration = (
        starter.one("launchConfiguration", EC2_LAUNCH_CONFIGURATION) if starter.type == AUTOSCALING_GROUP else None
    )
    return [starter, *(inside(each) for each in (template, configuration) if each is not None)]


def _is_node(starter: View, holders: list[View]) -> bool:
    texts = [text for holder in holders for text in _user_data(holder)]
    return (
        any(_BOOTSTRAP.search(text) for text in texts)
        or any(_is_owned(holder) for holder in holders)
        or any(_EKS_IMAGE.search(mark) for mark in _marks(starter))
    )


def _named_clusters(site: Site, holders: list[View]) -> list[View]:
    """The clusters of the program that machines name in their user data or tags."""
    found = {
        cluster.urn: cluster
        for holder in holders
        for key in (*_USER_DATA, *_TAGS)
        for cluster in holder.sources(key, EKS_CLUSTER)
    }
    if found:
        return list(found.values())
    written = [text for holder in holders for text in (*_user_data(holder), *_tag_keys(holder))]
    return [cluster for cluster in site.of_type(EKS_CLUSTER) if _is_named(cluster, written)]


def _is_named(cluster: View, texts: list[str]) -> bool:
    name = cluster.given("name")
    return isinstance(name, str) and any(
        re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text) is not None for text in texts
    )


def _user_data(holder: View) -> Iterator[str]:
    """The user data of a machine, decoded, as far as it is known."""
    for key in _USER_DATA:
        written = holder.given(key)
        if not isinstance(written, str):
            continue
        yield written
        try:
            yield base64.b64decode(written, validate=True).decode()
        except (binascii.Error, ValueError):
            continue


def _is_owned(holder: View) -> bool:
    """Return whether machines have the tag of a cluster's own nodes, be the name of the cluster known or not."""
    tags = holder.given("tags")
    if isinstance(tags, dict):
        return any(key.startswith(_TAG) and value == _OWNED for key, value in tags.items())
    for tag in tags if isinstance(tags, list | tuple) else ():
        if isinstance(tag, dict) and tag.get("value") == _OWNED:
            key = tag.get("key")
            if key.startswith(_TAG) if isinstance(key, str) else bool(holder.sources("tags", EKS_CLUSTER)):
                return True
    return False


def _tag_keys(holder: View) -> Iterator[str]:
    tags = holder.given("tags")
    if isinstance(tags, dict):
        yield from tags
    elif isinstance(tags, list | tuple):
        yield from (tag["key"] for tag in tags if isinstance(tag, dict) and isinstance(tag.get("key"), str))


def _marks(starter: View) -> Iterator[str]:
    try:
        yield from (mark for _, mark in image_marks(Ec2Pool(starter, starter)))
    except (NotKnown, TypeMismatch):
        return


def _is_unknown(value: object) -> bool:
    return isinstance(value, Unknown | Secret)
