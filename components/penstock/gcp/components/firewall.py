"""The firewall of a network: nothing comes in, little goes out, and what is denied is logged."""

from __future__ import annotations

from collections.abc import Sequence

import pulumi
from pulumi_gcp import compute

from penstock.description.network import NetworkSpec
from penstock.gcp.components.handles import ProjectHandle
from penstock.gcp.facts import address_ranges

_BEFORE_LAST = 65534
"""The last priority but one: any other rule comes before it. The last is that of the rules which every network has."""

_ANYWHERE = "0.0.0.0/0"
_WEB = ["80", "443"]
_TLS = ["443"]
_RECORD: compute.FirewallLogConfigArgsDict = {"metadata": "INCLUDE_ALL_METADATA"}


def guard(
    name: str,
    spec: NetworkSpec,
    *,
    network: pulumi.Input[str],
    project: ProjectHandle,
    after: Sequence[pulumi.Resource],
    opts: pulumi.ResourceOptions,
) -> None:
    """Close a network, but for what its machines need.

    They reach each other and all else in the network's range: pods, services, the control plane's endpoint (GKE takes
    an address of the subnetwork for it) and what Google runs in the peered range. Beyond it they reach the web with
    `egress: nat`, and Google's APIs without. Names, time and tokens come from the metadata server, which no rule cuts
    off (VPC documentation, always allowed traffic). What GKE must let in, it opens by rules of its own.

    Egress is denied last, `after` everything that it needs exists, so that a network in use has no moment
    without.
    """
    compute.Firewall(
        f"{name}-deny-ingress",
        project=project.id,
        network=network,
        direction="INGRESS",
        priority=_BEFORE_LAST,
        source_ranges=[_ANYWHERE],
        denies=[{"protocol": "all"}],
        log_config=_RECORD,  # every network denies ingress by itself, and does not log it
        opts=opts,
    )
    internal = compute.Firewall(
        f"{name}-allow-internal",
        project=project.id,
        network=network,
        direction="EGRESS",
        destination_ranges=[str(spec.cidr)],
        allows=[{"protocol": "all"}],
        opts=opts,  # no log of its own: flow logs have every one of these connections
    )
    nat = spec.egress == "nat"
    outward = compute.Firewall(
        f"{name}-{'web' if nat else 'apis'}",
        project=project.id,
        network=network,
        direction="EGRESS",
        destination_ranges=[_ANYWHERE if nat else str(address_ranges.private_apis())],
        allows=[{"protocol": "tcp", "ports": _WEB if nat else _TLS}],
        log_config={"metadata": "EXCLUDE_ALL_METADATA"},
        opts=opts,
    )
    compute.Firewall(
        f"{name}-deny-egress",
        project=project.id,
        network=network,
        direction="EGRESS",
        priority=_BEFORE_LAST,
        destination_ranges=[_ANYWHERE],
        denies=[{"protocol": "all"}],
        log_config=_RECORD,
        opts=pulumi.ResourceOptions.merge(opts, pulumi.ResourceOptions(depends_on=[internal, outward, *after])),
    )
