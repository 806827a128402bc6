"""Pools of any size, in any zones, are as large for quota, policy, cost and schedule."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.model.pools import readings
from tests.model.pools.kinds import Kind
from tests.programs import IT, Ref

from penstock.aws.types import EC2_LAUNCH_TEMPLATE, EKS_NODE_GROUP
from penstock.gcp.types import CONTAINER_CLUSTER, CONTAINER_NODE_POOL
from penstock.model.pools import machine_pools
from penstock.timeline import accelerators

ZONES = ["us-central1-a", "us-central1-b", "us-central1-c", "us-central1-f"]
COUNTS = st.integers(0, 9)


@st.composite
def gke_kinds(draw: st.DrawFn) -> Kind:
    """A node pool beside its cluster, in it, or its default one; the cluster in a zone or in a region."""
    place = draw(st.sampled_from(["us-central1", *ZONES[:2]]))
    cluster: dict[str, Any] = {"location": place, "removeDefaultNodePool": True}
    listed = draw(st.lists(st.sampled_from(ZONES), max_size=3))
    if listed:
        cluster["nodeLocations"] = listed
    pool: dict[str, Any] = {"nodeConfig": {"machineType": "a2-highgpu-8g"}}
    own = draw(st.lists(st.sampled_from(ZONES), max_size=2, unique=True))
    how = draw(st.sampled_from(["fixed", "scaled", "total"]))
    low = draw(COUNTS)
    if how == "fixed":
        pool["nodeCount"] = low
    elif how == "scaled":
        pool["autoscaling"] = {"minNodeCount": low, "maxNodeCount": low + draw(COUNTS)}
    else:
        pool["autoscaling"] = {"totalMinNodeCount": low, "totalMaxNodeCount": low + draw(COUNTS)}
    zones = set(listed) | ({place} if place in ZONES else set())
    where = draw(st.sampled_from(["beside", "inside", "default"]))
    if where == "default":
        how, pool = "fixed", {"nodeConfig": pool["nodeConfig"], "initialNodeCount": low}
    elif own:
        pool["nodeLocations"], zones = own, set(own)
    factor = 1 if how == "total" else len(zones) or 3
    high = pool.get("autoscaling", {}).get("totalMaxNodeCount" if how == "total" else "maxNodeCount", low)
    program: dict[str, tuple[str, dict[str, Any]]] = {
        "beside": {
            "cluster": (CONTAINER_CLUSTER, cluster),
            IT: (CONTAINER_NODE_POOL, {**pool, "cluster": Ref("cluster"), "location": place}),
        },
        "inside": {IT: (CONTAINER_CLUSTER, {**cluster, "nodePools": [{"name": "train", **pool}]})},
        "default": {IT: (CONTAINER_CLUSTER, {**cluster, **pool, "removeDefaultNodePool": False})},
    }[where]
    return Kind(where, program, low * factor, high * factor, 8, "gcp", "a2-highgpu-8g")


@st.composite
def eks_kinds(draw: st.DrawFn) -> Kind:
    """A node group by its own instance type, or by that of its template."""
    low, desired, high = sorted(draw(st.tuples(COUNTS, COUNTS, COUNTS)))
    inputs: dict[str, Any] = {"scalingConfig": {"minSize": low, "desiredSize": desired, "maxSize": high}}
    program: dict[str, tuple[str, dict[str, Any]]] = {IT: (EKS_NODE_GROUP, inputs)}
    if draw(st.booleans()):
        inputs["instanceTypes"] = ["p5.48xlarge"]
    else:
        inputs["launchTemplate"] = {"name": Ref("lt", "name")}
        program["lt"] = (EC2_LAUNCH_TEMPLATE, {"instanceType": "p5.48xlarge"})
    return Kind("eks", program, desired, high, 8, "aws", "p5.48xlarge")


@settings(max_examples=40, deadline=None)
@given(gke_kinds() | eks_kinds())
def test_any_pool_has_as_many_machines_for_everybody(kind: Kind) -> None:
    view = kind.view()
    code, unit = readings.quota_of(kind.machine, kind.cloud)
    (pool,) = machine_pools(view)

    assert (pool.start(), pool.most()) == (kind.start, kind.most)
    assert readings.policy_counts(view, kind.cloud) == kind.peak
    assert readings.quota_counts(view.site.graph, kind.cloud, code, unit) == kind.most
    assert readings.bill(view) == [f"{kind.start} × {kind.machine}, on demand"]
    assert accelerators.starts_machines(view) == (kind.start > 0)
    assert accelerators.are_in(view)
