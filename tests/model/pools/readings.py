"""What quota, policy, cost and schedule say of the machines of one program."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from penstock import cost
from penstock.aws.facts import instance_types
from penstock.aws.policies import cost as aws
from penstock.aws.rules.quotas import aws_quota_vcpu
from penstock.azure.policies import cost as azure
from penstock.azure.rules.quotas import az_quota_vcpu
from penstock.catalog import machines, quotas
from penstock.gcp.policies import cost as gcp
from penstock.gcp.rules.quotas import gcp_quota_machines
from penstock.graph.graph import STACK_TYPE, Graph
from penstock.graph.verdict import Outcome, Verdict, asked
from penstock.graph.view import Site, View
from penstock.rules.judge import with_stack
from penstock.rules.settings import Parameters, Settings

_POLICIES: Mapping[str, Callable[[View, Settings], Verdict]] = {
    "aws": aws.cost_max_gpus_eks,
    "azure": azure.cost_max_gpus_aks,
    "gcp": gcp.cost_max_gpus_gke,
}
_QUOTAS = {
    "aws": aws_quota_vcpu,
    "azure": az_quota_vcpu,
    "gcp": gcp_quota_machines,
}


def stays_within(view: View, cloud: str, limit: int) -> Outcome:
    """What the policy says of a limit on accelerators."""
    settings = Settings(parameters=Parameters(max_accelerators=limit))
    return _POLICIES[cloud](view, settings).outcome


def policy_counts(view: View, cloud: str) -> int:
    """The accelerators that the policy counts: the lowest limit that it lets pass."""
    low, high = 0, 1 << 20
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if stays_within(view, cloud, middle) is Outcome.FAIL else (low, middle)
    return low


def quota_of(machine: str, cloud: str, way: str = "on_demand") -> tuple[str, int]:
    """The code of the quota that a machine draws on, and how much of it one takes."""
    if cloud == "aws":
        facts = instance_types.find_instance_type(machine)
        found = quotas.quota(facts.quota or "", way, "aws")
        assert found is not None
        return found.code, facts.vcpu
    found_machine = machines.find_machine(machine, cloud)
    metric = quotas.quota_code(found_machine, way)
    assert metric is not None
    return metric, found_machine.vcpu if cloud == "azure" else found_machine.accelerators


def stack_of(site: Site) -> View:
    """The Stack, which rules on all resources together judge."""
    (stack,) = site.graph.of_type(STACK_TYPE)
    return View(stack, site)


def quota_counts(graph: Graph, cloud: str, code: str, unit: int) -> int:
    """The machines that the rule on quotas counts: as many units as the lowest quota that it lets pass."""

    def holds(values: Mapping[str, float]) -> bool:
        said = asked(_QUOTAS[cloud], stack_of(Site(with_stack(graph), values))).outcome
        assert said in (Outcome.PASS, Outcome.FAIL), said
        return said is Outcome.PASS

    low, high = 0, 1 << 20
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds({code: middle}) else (middle + 1, high)
    assert low % unit == 0
    return low // unit


def bill(view: View) -> list[str]:
    """The names that the bill has for the machines of a resource, without what is billed beside them, such as disks."""
    found = cost.cost_of(view.site.graph)
    named = [each.what for each in found.lines if each.urn == view.urn]
    named += [each.why for each in found.unpriced if each.urn == view.urn]
    return [
        what
        for what in named
        if not re.search(r"control plane|\b(disks?|volumes?|address(es)?|metrics|seconds|requests)\b", what)
    ]
