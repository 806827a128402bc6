"""Quota, policy, cost and schedule count the same machines, whatever starts them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.model.pools import readings
from tests.model.pools.kinds import KINDS, PROVIDERS, Kind
from tests.programs import IT, graph_of

from penstock.aws.rules.quotas import aws_quota_vcpu
from penstock.aws.types import EC2_SPOT_INSTANCE_REQUEST, EKS_NODE_GROUP, SAGEMAKER_NOTEBOOK_INSTANCE
from penstock.graph.values import UNKNOWN
from penstock.graph.verdict import Outcome
from penstock.graph.view import Site
from penstock.kubernetes.model.pools import TYPES as KARPENTER
from penstock.model.pools import machine_pools, program_pools
from penstock.policies.pool_verdicts import judge_limit
from penstock.providers import all_providers
from penstock.rules.judge import with_stack
from penstock.timeline import accelerators

WAYS = {"spot instance": "spot", "spot fleet": "spot"}

every_kind = pytest.mark.parametrize("kind", KINDS, ids=str)


def test_every_type_that_starts_machines_is_among_the_kinds() -> None:
    readers = [reader for provider in all_providers() if (reader := provider.module("pools")) is not None]

    assert {type_ for reader in readers for type_ in reader.TYPES} == {kind.type for kind in KINDS}


@every_kind
def test_the_model_counts_its_machines(kind: Kind) -> None:
    (pool,) = machine_pools(kind.view())

    assert (pool.start(), pool.peak(), pool.cloud) == (kind.start, kind.peak, kind.cloud)


@every_kind
def test_the_policy_counts_its_accelerators(kind: Kind) -> None:
    assert readings.policy_counts(kind.view(), kind.cloud) == kind.peak


@every_kind
def test_the_bill_prices_its_machines_or_names_them(kind: Kind) -> None:
    (named,) = readings.bill(kind.view())

    assert named.startswith(kind.billed or f"{kind.start} × {kind.machine}, ")


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.quota], ids=str)
def test_the_quota_counts_its_machines(kind: Kind) -> None:
    code, unit = readings.quota_of(kind.machine, kind.cloud, WAYS.get(kind.name, "on_demand"))

    assert readings.quota_counts(kind.view().site.graph, kind.cloud, code, unit) == kind.most


@every_kind
def test_the_schedule_sees_its_machines(kind: Kind) -> None:
    view = kind.view()

    assert accelerators.starts_machines(view) == (kind.start > 0)
    assert accelerators.are_in(view) == (kind.accelerators > 0 and kind.name != "auto-provisioning")


def test_a_zonal_cluster_has_as_many_machines_for_everybody() -> None:
    kind = next(kind for kind in KINDS if kind.name == "node pool of a zonal cluster in three zones")
    view = kind.view()

    assert readings.policy_counts(view, "gcp") == 96
    assert readings.stays_within(view, "gcp", 95) is Outcome.FAIL
    assert readings.quota_counts(view.site.graph, "gcp", "NVIDIA_A100_GPUS", 8) == 12
    assert readings.bill(view) == ["12 × a2-highgpu-8g, on demand"]


def test_machines_that_are_no_node_groups_are_billed() -> None:
    instance, group = (
        next(kind for kind in KINDS if kind.name == name) for name in ("instance", "mixed autoscaling group")
    )

    assert readings.bill(instance.view()) == ["1 × p5.48xlarge, on demand"]
    assert readings.bill(group.view()) == ["2 × p4d.24xlarge, on demand"]


@pytest.mark.parametrize(("size", "limit"), [("ml.p5.48xlarge", 7), ("ml.g5.12xlarge", 3)])
def test_a_limit_that_some_machines_break_says_that_others_are_not_known(size: str, limit: int) -> None:
    program = {
        "known": (SAGEMAKER_NOTEBOOK_INSTANCE, {"instanceType": size}),
        IT: (SAGEMAKER_NOTEBOOK_INSTANCE, {"instanceType": "ml.p3.8xlarge"}),
    }
    pools = program_pools(Site(graph_of(program)), "aws")

    (failure,) = judge_limit(pools, limit).failures
    assert f"at least {limit + 1} accelerators" in failure.message
    assert judge_limit(pools, limit + 1).outcome is Outcome.UNKNOWN


@pytest.mark.parametrize("way", ["on_demand", "spot"])
def test_a_node_pool_of_karpenter_draws_on_the_quota_of_each_way(way: str) -> None:
    kind = next(kind for kind in KINDS if kind.type in KARPENTER)
    type_, inputs = kind.program[IT]
    both = {"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["spot", "on-demand"]}
    nodes = inputs["spec"]["template"]["spec"]
    spec = {**inputs["spec"], "template": {"spec": {**nodes, "requirements": [*nodes["requirements"], both]}}}
    view = replace(kind, program={IT: (type_, {"spec": spec})}).view()

    assert readings.quota_counts(view.site.graph, "aws", *readings.quota_of(kind.machine, "aws", way)) == kind.most


def test_a_quota_that_is_broken_names_whose_draws_are_undetermined() -> None:
    program = {
        **PROVIDERS,
        "known": (EC2_SPOT_INSTANCE_REQUEST, {"instanceType": "p4d.24xlarge"}),
        IT: (EKS_NODE_GROUP, {"instanceTypes": ["p5.48xlarge"], "scalingConfig": {"maxSize": UNKNOWN}}),
    }
    code, unit = readings.quota_of("p4d.24xlarge", "aws", "spot")
    site = Site(with_stack(graph_of(program)), {code: unit - 1})

    (failure,) = aws_quota_vcpu(readings.stack_of(site)).failures
    assert failure.message.endswith("; undetermined: the draws of it")
