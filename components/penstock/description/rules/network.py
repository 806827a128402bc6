"""Rules on the network: its range, who reaches it, and what an adopted one must have."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Network

from penstock.core.cidr import RFC_1918, first_overlap, is_inside
from penstock.core.wording import quoted
from penstock.description import chart_mirrors
from penstock.description.chart_mirrors import CHART_MIRROR_CODE
from penstock.description.forms import is_repository
from penstock.description.offer import access_of
from penstock.description.platform import Spec
from penstock.description.positions import Path
from penstock.description.problems import Problem
from penstock.description.rules import known
from penstock.description.rules.rule import CLOUDS, rule

_PRIVATE = (*RFC_1918, IPv4Network("100.64.0.0/10"))
"""The ranges that no router of the internet carries (RFC 1918 and RFC 6598)."""


_LARGEST_OFFICE = 8
"""The length of the widest range that was ever given to one organisation (IANA, IPv4 address space registry)."""

CIDR: Path = ("network", "cidr")


def is_private(cidr: IPv4Network) -> bool:
    """Return whether a range is one that no router of the internet carries."""
    return is_inside(cidr, _PRIVATE)


def too_wide(cidr: IPv4Network) -> str | None:
    """Return what a range amounts to that is wider than any organisation's, such as the whole internet."""
    if cidr.prefixlen >= _LARGEST_OFFICE:
        return None
    return "a large part of the internet" if cidr.prefixlen else "the whole internet"


def holds_subnets(spec: Spec) -> bool:
    """Return whether a network of that size has room for its parts."""
    largest, smallest = known.offer(spec).network_sizes
    return largest <= spec.network.cidr.prefixlen <= smallest


@rule("SPEC-040", reads=("network",), provider=CLOUDS)
def network_has_a_size_that_works(spec: Spec) -> Iterator[Problem]:
    """A new network is between the largest that the cloud has and the smallest that holds all subnets."""
    cidr = spec.network.cidr
    if spec.network.existing is None and not holds_subnets(spec):
        largest, smallest = known.offer(spec).network_sizes
        size = "large" if cidr.prefixlen < largest else "small"
        message = f"{cidr} is too {size} for a network."
        hint = f"Use /{largest} to /{smallest}, such as 10.40.0.0/16."
        yield Problem(CIDR, message, hint)


@rule("SPEC-043", reads=("cloud", "network", "cluster"), provider=CLOUDS)
def outside_access_is_named(spec: Spec) -> Iterator[Problem]:
    """A restricted cluster lists the ranges that may reach it, never all; any other lists private ones only."""
    path: Path = ("network", "allowed_cidrs")
    allowed, access = spec.network.allowed_cidrs, access_of(spec.cluster, spec.cloud.provider)
    if access == "restricted" and spec.cluster.existing is None and not allowed:
        message = "cluster.access is restricted, but network.allowed_cidrs is empty."
        yield Problem(path, message, "List the ranges of your offices or VPN, such as 203.0.113.0/24.")
    for index, cidr in enumerate(allowed):
        if access != "restricted" and not is_private(cidr):
            message = f"cluster.access is {access}, and {cidr} is a public range."
            yield Problem(
                (*path, index), message, "Leave it out, set cluster.access to restricted, or list it in deployer_cidrs."
            )
        elif access != "restricted" and spec.network.existing is None and cidr == spec.network.cidr:
            yield Problem(
                (*path, index), f"{cidr} is the network itself, which always reaches the cluster.", "Leave it out."
            )
        if access == "restricted" and (what := too_wide(cidr)) is not None:
            yield Problem((*path, index), f"{cidr} is {what}.", "List the ranges of your offices or VPN.")


@rule("SPEC-044", reads=("network",), provider=CLOUDS)
def nodes_reach_the_cloud(spec: Spec) -> Iterator[Problem]:
    """Nodes reach the services of the cloud by the internet or by private endpoints, or they never join the cluster.

    On Google Cloud they reach them privately in any case.
    """
    network = spec.network
    if known.offer(spec).private_services:
        if not network.private_endpoints:
            message = f"Nodes always reach {known.cloud_name(spec)}'s services without leaving the network."
            yield Problem(("network", "private_endpoints"), message, "Leave private_endpoints out.")
        return
    if network.existing is None and network.egress == "none" and not network.private_endpoints:
        message = "Without egress and without private endpoints no node can join the cluster."
        yield Problem(("network", "private_endpoints"), message, "Leave private_endpoints on, or set egress to nat.")


@rule("SPEC-047", reads=("network",), provider=CLOUDS)
def network_has_addresses_that_machines_can_have(spec: Spec) -> Iterator[Problem]:
    """A new network lies outside the ranges for loopback, link-local addresses, multicast and the like."""
    cidr = spec.network.cidr
    taken = first_overlap(cidr, known.offer(spec).unusable_ranges())
    if spec.network.existing is None and taken is not None and holds_subnets(spec):
        message = f"{cidr} overlaps {taken}, a range where no machine can have an address."
        yield Problem(CIDR, message, "Use a private range, such as 10.40.0.0/16.")


@rule("SPEC-203", reads=("network",), provider=CLOUDS, warns=True)
def network_has_no_addresses_of_the_internet(spec: Spec) -> Iterator[Problem]:
    """A new network has a private range: nodes never reach hosts of the internet that have its addresses. A warning."""
    cidr = spec.network.cidr
    if spec.network.existing is None and cidr.is_global and holds_subnets(spec):
        message = f"{cidr} is a public range: nodes cannot reach hosts of the internet that have its addresses."
        yield Problem(CIDR, message, "Use a private range, such as 10.40.0.0/16.")


@rule("SPEC-048", reads=("network",), provider=CLOUDS)
def adopted_network_keeps_its_range(spec: Spec) -> Iterator[Problem]:
    """A range is given to a new network only: an adopted one has its own."""
    if spec.network.existing is not None and "cidr" in spec.network.model_fields_set:
        yield Problem(CIDR, "network.cidr is for new networks; an existing one keeps its own.", "Leave cidr out.")


@rule(CHART_MIRROR_CODE, reads=("network",))
def charts_come_from_a_registry_or_a_folder(spec: Spec) -> Iterator[Problem]:
    """A mirror of charts is an OCI registry, or a folder with each chart of the platform at its version."""
    problem = chart_mirrors.unusable(spec.network)
    if problem is not None:
        yield problem


@rule("SPEC-195", reads=("network",))
def image_mirror_is_a_registry(spec: Spec) -> Iterator[Problem]:
    """The mirror of images begins with its host, as references of images do."""
    mirror = spec.network.image_mirror
    if mirror is None or is_repository(mirror):
        return
    if "://" in mirror:
        hint = f"Write {mirror.partition('://')[2]}, without a scheme."
    else:
        hint = "Write the host of a registry and a path in small letters, such as registry.example.com/mirror."
    yield Problem(("network", "image_mirror"), f"{quoted(mirror)} is not the start of an image's name.", hint)
