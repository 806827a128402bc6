"""The offer of AWS to a description."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from ipaddress import IPv4Network
from typing import Final

from penstock.aws.description import pools, subnets
from penstock.aws.facts import lustre
from penstock.catalog import regions
from penstock.core.wording import quoted
from penstock.description.offer import CloudOffer, LustreOffer, SoldElsewhere, TagForm
from penstock.description.positions import Path
from penstock.description.problems import Problem
from penstock.description.storage import LustreSpec, tib

_LARGEST_NETWORK = 16
"""The largest VPC is a /16 (EC2 API, CreateVpc)."""

_UNUSABLE = tuple(map(IPv4Network, ("0.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "224.0.0.0/4", "240.0.0.0/4")))
"""Where no machine can have its address: this network, loopback, link-local, multicast and reserved (RFC 6890)."""

_TAG_CHARACTERS = "letters, digits, spaces and . : / = + - @ _"


def _tags() -> TagForm:
    """Return the form of tags (EC2 user guide, tag restrictions)."""
    return TagForm(
        key=r"[\w .:/=+@-]{1,128}",
        key_words=f"1 to 128 {_TAG_CHARACTERS}",
        value=r"[\w .:/=+@-]{0,256}",
        value_words=f"Up to 256 {_TAG_CHARACTERS}",
        most=50,
        added="the name",
        problems=_tag_problems,
    )


def _tag_problems(tags: Mapping[str, str], path: Path) -> Iterator[Problem]:
    seen: dict[str, str] = {}
    for key in tags:
        where = (*path, "tags", key)
        if (other := seen.setdefault(key.casefold(), key)) != key:
            message = (
                f"{quoted(key)} and {quoted(other)} are one tag: IAM does not distinguish capital from small letters."
            )
            yield Problem(where, message, "Keep one of them.")
        if key.lower().startswith("aws:"):
            yield Problem(where, f"{quoted(key)}: AWS keeps tags under aws: for itself.", "Take another prefix.")


def _steps(item: LustreSpec) -> lustre.LustreCapacities:
    return lustre.steps(item.throughput_mbps_per_tib, efa=item.fabric == "efa")


def _sold(item: LustreSpec) -> str:
    steps = _steps(item)
    return f"Sold from {tib(steps.minimum)} in steps of {tib(steps.step)}."


def _own_mirror(account: str, region: str) -> str:
    return f"{account}.dkr.ecr.{region}.{regions.find_region(region, 'aws').dns_suffix}"


OFFER: Final = CloudOffer(
    kubernetes="EKS",
    system_machines=("m7i.large", "m6i.large"),
    plain_machine="m7i.2xlarge",
    fabrics=("efa",),
    sold_elsewhere=(
        SoldElsewhere(
            capacity="flex_start",
            seller="Google Cloud",
            hint="On AWS a capacity block gives machines for days; spot, until AWS needs them.",
        ),
    ),
    network_sizes=(_LARGEST_NETWORK, subnets.LONGEST_PREFIX),
    unusable_ranges=lambda: _UNUSABLE,
    own_fields=(
        (("network", "existing", "fabric_security_group"), None),
        (("network", "nat"), None),
        (("cluster", "upgrade_policy"), None),
        (("cluster", "autoscaling"), None),
        (("cluster", "existing", "installed"), None),
        (("budget", "scope"), None),
    ),
    own_storage_fields=(("lustre", "export"),),
    own_mirror=_own_mirror,
    mounts={"bucket": "mountpoint-s3", "lustre": "fsx-lustre", "nfs": "efs"},
    tags=_tags,
    lustre=LustreOffer(
        service="FSx for Lustre", tiers=lustre.tiers, steps=_steps, sold=_sold, exported=lustre.IMPORTED_PATH
    ),
    zone_of=pools.zone_of,
)
