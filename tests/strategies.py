"""Hypothesis strategies: random descriptions that are right, and random data that need not be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, overload

from hypothesis import strategies as st
from tests.descriptions import ADMIN, GCP_ADMIN

from penstock.aws.facts import eks_machines, lustre
from penstock.aws.facts.machines import AwsMachine
from penstock.catalog import limits, machine_zones, machines, offerings, regions
from penstock.catalog.machine import Machine
from penstock.gcp.facts import fabrics, tpus
from penstock.gcp.facts import lustre as gcp_lustre
from penstock.gcp.facts.machines import GcpMachine
from penstock.secrets.forms import names_a_secret

Data = dict[str, Any]

_REGIONS = ("us-east-1", "us-west-2", "eu-central-1")
_GCP_REGIONS = ("us-central1", "us-east5", "europe-west4")
_WORDS = st.from_regex(r"[a-z][a-z0-9]{0,7}", fullmatch=True).filter(lambda word: not names_a_secret(word))

JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=10,
)
"""Anything that YAML can hold."""


@st.composite
def node_pools(draw: st.DrawFn, name: str, region: str) -> Data:
    """A pool of any machine sold in the region, bought in any way that it is sold."""
    zones = regions.find_region(region, "aws").zones[:3]
    machine = draw(st.sampled_from([each for each in _sold("aws", region, zones) if _starts(each)]))
    capacity = draw(st.sampled_from(machine.sold))
    most = draw(st.integers(1, 12))
    pool: Data = {
        "name": name,
        **draw(_machines(machine)),
        "nodes": draw(st.sampled_from([most, {"min": 0, "max": most}])),
        "capacity": capacity,
    }
    if capacity == "capacity_block" or draw(st.booleans()):
        pool["zone"] = draw(st.sampled_from(zones))
    if capacity == "capacity_block" or (capacity == "reserved" and draw(st.booleans())):
        pool["reservation"] = f"cr-{name.encode().hex():0>17}"
    if capacity != "capacity_block":
        pool["placement"] = draw(st.sampled_from(["auto", "none", "cluster"]))
    if machine.efa_layout:
        pool["fabric"] = draw(st.sampled_from(["auto", "none", "efa"]))
    if draw(st.booleans()):
        pool["labels"] = draw(st.dictionaries(_WORDS, _WORDS, max_size=2))
        pool["taints"] = [{"key": draw(_WORDS), "value": draw(_WORDS)}]
    return pool


@overload
def _sold(cloud: Literal["aws"], region: str, zones: Sequence[str]) -> list[AwsMachine]: ...
@overload
def _sold(cloud: Literal["gcp"], region: str, zones: Sequence[str]) -> list[GcpMachine]: ...
def _sold(cloud: Literal["aws", "gcp"], region: str, zones: Sequence[str]) -> Sequence[Machine]:
    """The machines that a region sells in one of some zones at least."""
    sold = offerings.offered(region, cloud) or frozenset()
    return [
        machine
        for machine in machines.machine_types(cloud)
        if machine.machine_type in sold and machine_zones.may_sell(machine.machine_type, zones, cloud)
    ]


def _starts(machine: AwsMachine) -> bool:
    return eks_machines.limits_of_family(machine.family).image_lacks is None


def _machines(machine: Machine) -> st.SearchStrategy[Data]:
    """The ways to name a machine; an accelerator and a count name it only if they lead to it."""
    ways: list[Data] = [{"machine_type": machine.machine_type}]
    if machine.accelerator:
        ways.append({"machine_type": machine.machine_type, "accelerator": machine.accelerator})
        if machine.default:
            ways.append({"accelerator": machine.accelerator})
        if machines.for_accelerator(machine.accelerator, machine.accelerators, machine.cloud) == machine:
            ways.append({"accelerator": machine.accelerator, "count": machine.accelerators})
    return st.sampled_from(ways)


@st.composite
def lustre_file_systems(draw: st.DrawFn, name: str) -> Data:
    """A Lustre file system of a capacity that is sold at its tier."""
    tier = draw(st.sampled_from(lustre.tiers()))
    steps = lustre.steps(tier)
    gib = steps.minimum + (steps.step if steps.minimum % steps.step == 0 else steps.minimum) * draw(st.integers(0, 1))
    return {"name": name, "kind": "lustre", "capacity_tib": gib / 1000, "throughput_mbps_per_tib": tier}


@st.composite
def descriptions(draw: st.DrawFn) -> Data:
    """A description that nothing is wrong with."""
    region = draw(st.sampled_from(_REGIONS))
    description: Data = {
        "environment": draw(st.sampled_from(["dev", "staging", "prod"])),
        "cloud": {"provider": "aws", "region": region},
        "network": _network(draw),
        "cluster": {"admins": [ADMIN], "access": "restricted"},
    }
    pools = draw(st.lists(_WORDS, unique=True, max_size=4))
    description["node_pools"] = [draw(node_pools(name, region)) for name in pools]
    stores = draw(st.lists(_WORDS, unique=True, max_size=4))
    kinds = st.sampled_from(["bucket", "nfs", "postgres"])
    description["storage"] = [
        draw(lustre_file_systems(name) | st.fixed_dictionaries({"name": st.just(name), "kind": kinds}))
        for name in stores
    ]
    zones = [pool["zone"] for pool in description["node_pools"] if "zone" in pool]
    for item in description["storage"]:
        if zones and item["kind"] == "lustre":
            item["zone"] = zones[0]  # elsewhere its traffic crosses zones, of which a rule warns
    if draw(st.booleans()):
        description["tags"] = draw(st.dictionaries(_WORDS, _WORDS, max_size=3))
    return description


def _network(draw: st.DrawFn) -> Data:
    """A network whose cluster Pulumi reaches from outside: nobody is in it before the first run."""
    return {
        "cidr": f"10.{draw(st.integers(0, 255))}.0.0/16",
        "egress": draw(st.sampled_from(["nat", "none"])),
        "allowed_cidrs": ["203.0.113.0/24"],
    }


@st.composite
def gcp_node_pools(draw: st.DrawFn, name: str, region: str) -> Data:
    """A pool of any machine that Google sells in the region, bought in any way that it is sold."""
    zones = regions.find_region(region, "gcp").zones[:3]
    machine = draw(st.sampled_from(_sold("gcp", region, zones)))
    capacity = draw(st.sampled_from(machine.sold))
    own: Data = {}
    pool: Data = {"name": name, **draw(_machines(machine)), **draw(_sizes(machine, capacity)), "capacity": capacity}
    if draw(st.booleans()):
        pool["zone"] = draw(st.sampled_from(machine_zones.may_sell(machine.machine_type, zones, "gcp")))
    if capacity == "reserved":
        pool["reservation"] = f"for-{name}"
    elif machine.accelerator_kind != "tpu" and capacity != "flex_start":
        ways = ["auto", "none", *(["cluster"] if machine.compact_nodes is not None else [])]
        pool["placement"] = draw(st.sampled_from(ways))
    if capacity == "flex_start":
        own = {"queued": draw(st.booleans()), "max_run_hours": draw(st.integers(1, 168))}
    if machine.fabric is not None and draw(st.booleans()):
        ways = ["auto", "multi_network", *(["dranet"] if fabrics.dranet(machine) else [])]
        own["networking"] = draw(st.sampled_from(ways))
    elif machine.fabric is not None:
        pool["fabric"] = draw(st.sampled_from(["auto", "none"]))
    if draw(st.booleans()) and machine.local_ssds:
        own["local_ssds"] = draw(st.sampled_from(machine.local_ssds))
    if draw(st.booleans()):
        pool["labels"] = draw(st.dictionaries(_WORDS, _WORDS, max_size=2))
        pool["taints"] = [{"key": draw(_WORDS), "value": draw(_WORDS)}]
    return pool | ({"gcp": own} if own else {})


def _sizes(machine: GcpMachine, capacity: str) -> st.SearchStrategy[Data]:
    """How many machines there are: of TPUs whole slices, and with flex start no fixed number."""
    sizes: list[Data] = [{"nodes": {"min": 0, "max": 4}}]
    if capacity != "flex_start":
        sizes.append({"nodes": 3})
    for topology in tpus.topologies(machine)[:3]:
        shape = tpus.slice_(machine, topology)
        slices = {"slices": 2} if shape.multi_host else {}
        sizes.append({"topology": topology, **slices, "nodes": {"min": 0, "max": 2 * shape.hosts}})
    return st.sampled_from(sizes)


@st.composite
def gcp_lustre_file_systems(draw: st.DrawFn, name: str) -> Data:
    """A Lustre file system of a capacity that Google sells at its tier."""
    tier = draw(st.sampled_from(gcp_lustre.tiers()))
    steps = gcp_lustre.steps(tier)
    gib = steps.minimum + steps.step * draw(st.integers(0, 3))
    return {"name": name, "kind": "lustre", "capacity_tib": gib / 1000, "throughput_mbps_per_tib": tier}


@st.composite
def gcp_buckets(draw: st.DrawFn, name: str) -> Data:
    """A bucket that keeps what is deleted for as long as Google can."""
    least, most = (limits.find_limit(bound, "gcp").most for bound in ("soft_delete_days_least", "soft_delete_days"))
    return {"name": name, "kind": "bucket", "retention_days": draw(st.integers(least, most))}


def _others(name: str) -> st.SearchStrategy[Data]:
    return st.sampled_from([{"name": name, "kind": kind} for kind in ("nfs", "postgres")])


@st.composite
def gcp_descriptions(draw: st.DrawFn) -> Data:
    """A description on Google Cloud that nothing is wrong with."""
    region = draw(st.sampled_from(_GCP_REGIONS))
    description: Data = {
        "environment": draw(st.sampled_from(["dev", "staging", "prod"])),
        "cloud": {"provider": "gcp", "region": region, "account": "my-ai-project"},
        "network": _network(draw),
        "cluster": {"admins": draw(st.sampled_from([[], [GCP_ADMIN]])), "access": "restricted"},
    }
    if description["network"]["egress"] == "none":
        description["network"]["image_mirror"] = f"{region}-docker.pkg.dev/my-ai-project/mirror"
    pools = draw(st.lists(_WORDS, unique=True, max_size=4))
    description["node_pools"] = [draw(gcp_node_pools(name, region)) for name in pools]
    description["storage"] = [
        draw(gcp_lustre_file_systems(name) | gcp_buckets(name) | _others(name))
        for name in draw(st.lists(_WORDS, unique=True, max_size=4))
    ]
    if draw(st.booleans()):
        description["tags"] = draw(st.dictionaries(_WORDS, _WORDS, max_size=3))
    return description
