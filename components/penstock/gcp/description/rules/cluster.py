"""Rules on the cluster, for Google Cloud alone."""

from __future__ import annotations

import re
from collections.abc import Iterator

from penstock.catalog import kubernetes_versions
from penstock.core.wording import quoted
from penstock.description.cluster import version_of
from penstock.description.node_pool import NodePoolSpec
from penstock.description.platform import Spec
from penstock.description.problems import Problem
from penstock.description.rules import known
from penstock.description.rules.rule import pool_rule, rule
from penstock.gcp.description import pools
from penstock.gcp.description.rules import known_on_gcp
from penstock.gcp.facts import gke_versions

_MEMBER = r"(user|group|serviceAccount):[^@\s:]+@[^@\s:]+\.[^@\s:]+"
"""IAM API, Binding: of all members those that Kubernetes knows, too."""


@rule("SPEC-052", reads=("cluster",), provider="gcp")
def admins_are_members(spec: Spec) -> Iterator[Problem]:
    """Admins are people, groups of one domain or service accounts as IAM names them, once each."""
    domain: str | None = None
    for index, admin in enumerate(spec.cluster.admins):
        path = ("cluster", "admins", index)
        if not re.fullmatch(_MEMBER, admin):
            message = f"{quoted(admin)} is not a user, group or service account in IAM's form."
            yield Problem(
                path, message, "Write a member such as group:ml-platform@example.com; or user:, or serviceAccount:."
            )
        elif admin in spec.cluster.admins[:index]:
            yield Problem(path, f"{quoted(admin)} is listed twice.", "List each admin once.")
        elif admin.startswith("group:"):
            theirs = admin.rpartition("@")[2]
            domain = domain or theirs
            if theirs != domain:
                message = f"GKE looks groups up in one domain, which is {domain}; {quoted(admin)} is of another."
                yield Problem(path, message, f"Name a group of {domain}, and let the other one be a member of it.")


@pool_rule("SPEC-057", reads=("cluster",), provider="gcp")
def version_is_new_enough_for_the_fabric(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """The Kubernetes version is one in which GKE has the machine and what its fabric needs."""
    wanted, version = known_on_gcp.pool_with_machine(pool, spec), version_of(spec.cluster, "gcp")
    if wanted is None or version not in kubernetes_versions.supported_versions("gcp", known.today()):
        return
    needed = pools.features(wanted)
    oldest = next(
        (gke_versions.floors(each)[0] for each in needed if gke_versions.at_least(version, each) is False), ""
    )
    if oldest:
        message = f"{wanted.machine_type} needs GKE {oldest} with this fabric, but the cluster has {version}."
        field = "machine_type" if pool.machine_type is not None else "accelerator"
        yield Problem((field,), message, "Use a newer version, or another machine type.")
