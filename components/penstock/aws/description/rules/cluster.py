"""Rules on the cluster, for AWS alone."""

from __future__ import annotations

import re
from collections.abc import Iterator

from penstock.aws.description.rules import known_on_aws
from penstock.core.wording import quoted
from penstock.description.platform import Spec
from penstock.description.problems import Problem
from penstock.description.rules import advertisers, known
from penstock.description.rules.rule import rule

_NAME = r"[0-9A-Za-z][0-9A-Za-z_-]{0,99}"
"""EKS API, CreateCluster."""

_ADMIN = r"arn:(?P<partition>aws|aws-cn|aws-us-gov):iam::(?P<account>\d{12}):(role|user)/[\w+=,.@/-]+"


@rule("SPEC-052", reads=("cluster", "cloud"), provider="aws")
def admins_are_roles_or_users(spec: Spec) -> Iterator[Problem]:
    """Admins are the ARNs of IAM roles or users, once each, in the platform's account and partition."""
    region = known.region(spec)
    for index, admin in enumerate(spec.cluster.admins):
        path = ("cluster", "admins", index)
        form = re.fullmatch(_ADMIN, admin, re.ASCII)
        if form is None:
            message = f"{quoted(admin)} is not the ARN of an IAM role or user."
            yield Problem(path, message, "Write an ARN such as arn:aws:iam::123456789012:role/platform.")
        elif form["account"] != (known_on_aws.account(spec) or form["account"]):
            message = f"{quoted(admin)} is in account {form['account']}, but cloud.account is {spec.cloud.account}."
            yield Problem(path, message, "Use a role of the platform's account, which other accounts assume.")
        elif region is not None and form["partition"] != region.partition:
            message = f"{quoted(admin)} is not in the partition of {region.name}."
            yield Problem(path, message, f"ARNs there begin with arn:{region.partition}:.")
        elif admin in spec.cluster.admins[:index]:
            yield Problem(path, f"{quoted(admin)} is listed twice.", "List each admin once.")


@rule("SPEC-053", reads=("cluster", "network"), provider="aws")
def adopted_cluster_brings_its_network(spec: Spec) -> Iterator[Problem]:
    """Nodes are in the network of their cluster, so an existing cluster needs an existing network."""
    if spec.cluster.existing is not None and spec.network.existing is None:
        message = "cluster.existing is set, but network.existing is not."
        yield Problem(
            ("network", "existing"), message, "Set network.existing to the VPC and the private subnets of the cluster."
        )


@rule("SPEC-054", reads=("cluster",), provider="aws")
def adopted_cluster_keeps_its_admins(spec: Spec) -> Iterator[Problem]:
    """Admins are named for a new cluster only: an adopted one has its own, and is not changed."""
    if spec.cluster.existing is not None and spec.cluster.admins:
        yield Problem(
            ("cluster", "admins"),
            "cluster.admins is for new clusters; an existing one keeps its own.",
            "Leave admins out.",
        )


@rule("SPEC-055", reads=("cluster",), provider="aws")
def adopted_cluster_has_a_name_that_exists(spec: Spec) -> Iterator[Problem]:
    """The name of an adopted cluster is one that EKS would have accepted."""
    if spec.cluster.existing is not None and not re.fullmatch(_NAME, spec.cluster.existing.name):
        message = f"{quoted(spec.cluster.existing.name)} is not a valid cluster name."
        yield Problem(("cluster", "existing", "name"), message, "Use 1 to 100 letters, digits, '-' and '_'.")


@rule("SPEC-165", reads=("cloud", "cluster", "node_pools"), provider="aws")
def devices_have_one_advertiser(spec: Spec) -> Iterator[Problem]:
    """Each device has one advertiser: two hand it out twice, to two pods."""
    yield from advertisers.doubled(spec)
