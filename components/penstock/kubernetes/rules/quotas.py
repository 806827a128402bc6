"""Quotas and limits of namespaces, and whether the workloads of the program keep to them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from decimal import Decimal
from itertools import pairwise

from penstock.core.quantities import parse_quantity, quantity_text
from penstock.graph.verdict import NOT_APPLICABLE, PASS, NotKnown, TypeMismatch, Verdict, allow, each, fail
from penstock.graph.view import Block, Site, View
from penstock.kubernetes.model.pods.templates import OWN_WORKLOADS, PodTemplate, replicas, requested, templates
from penstock.kubernetes.rules import inventory
from penstock.kubernetes.rules.types import DEPLOYMENT, LIMIT_RANGE, POD, QUOTA, REPLICA_SET, STATEFUL_SET
from penstock.model import quantities
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_STANDING = (DEPLOYMENT, REPLICA_SET, STATEFUL_SET, POD)
"""Workloads whose pods all exist at once; jobs come and go."""

_JOBS = tuple(type_ for type_ in OWN_WORKLOADS if type_.endswith((":Job", ":JobSet")))

_COMPUTE = ("cpu", "memory", "ephemeral-storage")
_SIDES = ("requests", "limits")
_COUNTED = (
    "pods",
    "services",
    "services.loadbalancers",
    "services.nodeports",
    "secrets",
    "configmaps",
    "persistentvolumeclaims",
    "replicationcontrollers",
    "resourcequotas",
)
_OF_CLASSES = (".storageclass.storage.k8s.io/", ".deviceclass.resource.k8s.io/")
"""After the name of a class of storage or devices: what a quota counts of it."""

_ORDER = ("min", "defaultRequest", "default", "max")
"""What a limit range says of a resource, from the least to the most."""


@RULES.rule(
    on=QUOTA,
    severity=HIGH,
    rationale="The API server rejects the object.",
    fix=(
        "Use a name of Kubernetes in spec.hard, such as requests.nvidia.com/gpu or count/jobs.batch, and a quantity "
        "such as 8, 500m or 16Gi."
    ),
    sources=("Kubernetes documentation, resource quotas",),
)
def k8s_quota_resources_known(quota: View) -> Verdict:
    """A resource quota counts resources that Kubernetes knows, in quantities that are not negative."""
    hard = _hard(quota)
    return NOT_APPLICABLE if hard is None else each(hard, lambda name: _counts(hard, name))


@RULES.rule(
    on=QUOTA,
    severity=MEDIUM,
    rationale="The quota is accepted and never enforced for these devices.",
    fix="Write requests. in front of the name of the device in spec.hard.",
    sources=("Kubernetes documentation, resource quotas: extended resources",),
)
def k8s_quota_devices_as_requests(quota: View) -> Verdict:
    """A resource quota counts devices as requests, such as requests.nvidia.com/gpu."""
    hard = _hard(quota)
    devices = [name for name in hard if "/" in name and not name.startswith("count/")] if hard is not None else []
    return each(
        devices,
        lambda name: allow(
            name.startswith("requests.") or any(kind in name for kind in _OF_CLASSES),
            f"a quota on {name} limits nothing",
            hint=f"Write requests.{name.removeprefix('limits.')}.",
            path=f"spec.hard.{name}",
        ),
    )


@RULES.rule(
    on=OWN_WORKLOADS,
    severity=HIGH,
    rationale="The API server rejects the pods, so the workload never gets any.",
    fix=(
        "Set the counted resource in resources.requests or resources.limits, or add a LimitRange with defaults to the "
        "namespace."
    ),
    joins=True,
    sources=("Kubernetes documentation, resource quotas",),
)
def k8s_quota_pod_sets_resources(workload: View) -> Verdict:
    """Under a quota on CPU or memory each container sets what is counted, or has a default from a limit range."""
    counted = {
        (side, resource) for quota in _quotas(workload) for name in _names(quota) for side, resource in _computed(name)
    }
    if not counted:
        return NOT_APPLICABLE
    missing = counted - _defaults(workload)
    said = each(templates(workload), lambda pods: each(pods.containers, lambda one: _says(pods, one, missing)))
    if said.failures and inventory.namespace_object(workload) is None:
        raise NotKnown  # a namespace that was there before may have defaults
    return said


@RULES.rule(
    on=QUOTA,
    severity=HIGH,
    rationale="The API server rejects the pods beyond the quota, so workloads stay short of replicas.",
    fix="Raise the amount in spec.hard, or run fewer replicas.",
    joins=True,
    sources=("Kubernetes documentation, resource quotas",),
)
def k8s_quota_fits_workloads(quota: View) -> Verdict:
    """The workloads of a namespace together request no more than its resource quota allows."""
    hard = _hard(quota)
    if hard is None or _is_scoped(quota):
        return NOT_APPLICABLE
    there = quota.site.once(_standing).get((inventory.server(quota), inventory.namespace(quota)), [])
    if None in there or (inventory.server(quota), "") in quota.site.once(_standing):
        raise NotKnown
    taken = _taken([workload for workload in there if workload is not None])
    names = [name for name in hard if name in taken]
    return each(names, lambda name: _is_within(hard, name, taken[name]))


@RULES.rule(
    on=OWN_WORKLOADS,
    severity=HIGH,
    rationale="The API server rejects each pod, so the workload never gets any, and its jobs never run.",
    fix="Raise the amount in spec.hard of the quota, or lower what one pod requests.",
    joins=True,
    sources=("Kubernetes documentation, resource quotas",),
)
def k8s_quota_fits_pod(workload: View) -> Verdict:
    """No single pod of a workload requests more than a resource quota of its namespace allows."""
    quotas = [quota for quota in _quotas(workload) if not _is_scoped(quota)]
    if not quotas:
        return NOT_APPLICABLE
    return each(templates(workload), lambda pods: each(quotas, lambda quota: _one_fits(pods, quota)))


@RULES.rule(
    on=QUOTA,
    severity=MEDIUM,
    rationale="The API server rejects the pods beyond the quota, and those of a job that train together wait for good.",
    fix="Raise the amount in spec.hard, or lower parallelism of the job.",
    joins=True,
    sources=("Kubernetes documentation, resource quotas",),
)
def k8s_quota_fits_job(quota: View) -> Verdict:
    """The pods that a job runs at once request together no more than the resource quota of its namespace allows."""
    hard = _hard(quota)
    if hard is None or _is_scoped(quota):
        return NOT_APPLICABLE
    place = (inventory.server(quota), inventory.namespace(quota))
    jobs = [job for job in quota.site.of_type(*_JOBS) if (inventory.server(job), inventory.namespace(job)) == place]

    def check(job: View) -> Verdict:
        taken = _taken([job])
        return each([name for name in hard if name in taken], lambda name: _is_within(hard, name, taken[name], job))

    return each(jobs, check)


@RULES.rule(
    on=LIMIT_RANGE,
    severity=HIGH,
    rationale="The API server rejects the object.",
    fix="Lower the smaller value or raise the larger one, so that min <= defaultRequest <= default <= max.",
    sources=("kubernetes/kubernetes validation: ValidateLimitRange",),
)
def k8s_limitrange_values_ordered(limits: View) -> Verdict:
    """In a limit range, min, defaultRequest, default and max of a resource do not decrease in this order."""
    spec = limits.block("spec")
    return each(spec.blocks("limits") if spec is not None else [], _in_order)


@RULES.rule(
    on=OWN_WORKLOADS,
    severity=HIGH,
    rationale="The API server rejects the pods, so the workload never gets any.",
    fix="Lower resources.requests and resources.limits, or raise max of the limit range.",
    joins=True,
    sources=("Kubernetes documentation, limit ranges",),
)
def k8s_pod_within_limitrange(workload: View) -> Verdict:
    """No container requests more of a resource than the max of the limit range of its namespace."""
    most: dict[str, Decimal] = {}
    for item in _range_items(workload):
        for name, value in quantities.amounts(item.block("max")).items():
            most[name] = min(value, most.get(name, value))
    if not most:
        return NOT_APPLICABLE
    return each(templates(workload), lambda pods: each(pods.containers, lambda one: _below(one, most)))


def _hard(quota: View) -> Block | None:
    spec = quota.block("spec")
    return spec.block("hard") if spec is not None else None


def _names(quota: View) -> Iterator[str]:
    hard = _hard(quota)
    if hard is not None and not _is_scoped(quota):
        yield from hard


def _is_scoped(quota: View) -> bool:
    """Return whether a quota counts some pods only, which are not distinguished here."""
    spec = quota.block("spec")
    return spec is not None and ("scopes" in spec or "scopeSelector" in spec)


def _counts(hard: Block, name: str) -> Verdict:
    value = hard.value(name)
    found = parse_quantity(str(value)) if isinstance(value, str | int | float) else None
    if found is None or found < 0:
        return fail(f"{value!r} is not an amount of {name}", hint="Such as 8, 500m or 16Gi.", path=hard.at(name))
    bare = name.removeprefix("requests.").removeprefix("limits.")
    known = "/" in name or bare in (*_COMPUTE, "storage") or bare.startswith("hugepages-") or name in _COUNTED
    return allow(
        known,
        f"{name} is not a resource that a quota can count",
        hint="Devices keep their domain: requests.nvidia.com/gpu; other kinds of objects are count/jobs.batch.",
        path=hard.at(name),
    )


def _quotas(near: View) -> list[View]:
    return _here(near, QUOTA)


def _here(near: View, type_: str) -> list[View]:
    """The objects of a type in the namespace of another."""
    found = near.site.once(_by_namespace)
    return found.get((inventory.server(near), type_, inventory.namespace(near)), [])


def _by_namespace(site: Site) -> dict[tuple[str, str, str], list[View]]:
    found: dict[tuple[str, str, str], list[View]] = {}
    for view in site.of_type(QUOTA, LIMIT_RANGE):
        try:
            found.setdefault((inventory.server(view), view.type, inventory.namespace(view)), []).append(view)
        except (NotKnown, TypeMismatch):
            continue
    return found


def _computed(name: str) -> Iterator[tuple[str, str]]:
    """The request or limit of a resource that a quota counts; every pod must then say it."""
    side, _, resource = name.partition(".")
    if name in ("cpu", "memory"):
        yield "requests", name
    elif side in _SIDES and resource in ("cpu", "memory"):
        yield side, resource


def _range_items(near: View) -> list[Block]:
    specs = [limits.block("spec") for limits in _here(near, LIMIT_RANGE)]
    items = [item for spec in specs if spec is not None for item in spec.blocks("limits")]
    return [item for item in items if item.text("type") == "Container"]


def _defaults(near: View) -> set[tuple[str, str]]:
    """The defaults of containers from the limit ranges of their namespace."""
    found = set()
    for item in _range_items(near):
        limits = {name for key in ("default", "max") if (block := item.block(key)) is not None for name in block}
        requests = {
            name for key in ("defaultRequest", "min") if (block := item.block(key)) is not None for name in block
        }
        found |= {("limits", name) for name in limits} | {("requests", name) for name in limits | requests}
    return found


def _says(pods: PodTemplate, container: Block, counted: set[tuple[str, str]]) -> Verdict:
    resources = container.block("resources")
    blocks = {side: resources.block(side) if resources is not None else None for side in _SIDES}
    if "resources" in pods.spec:
        raise NotKnown  # what a pod says as a whole may do
    for side, name in sorted(counted):
        given = [blocks[side], blocks["limits"]]
        if not any(block is not None and name in block for block in given):
            return fail(
                f"a quota of the namespace counts {side} of {name}, and the container has none",
                hint=f"Set resources.{side}.{name}.",
                path=f"{container.at('resources')}.{side}.{name}",
            )
    return PASS


def _standing(site: Site) -> dict[tuple[str, str], list[View | None]]:
    """Workloads by cluster and namespace; None for one that cannot be counted, the empty namespace for any."""
    found: dict[tuple[str, str], list[View | None]] = {}
    for workload in site.of_type(*_STANDING):
        there = ""
        try:
            there = inventory.namespace(workload)
            replicas(workload)
            counted: View | None = workload if all(pods.requests is not None for pods in templates(workload)) else None
        except NotKnown:
            counted = None
        except TypeMismatch:
            continue
        found.setdefault((inventory.server(workload), there), []).append(counted)
    return found


def _taken(workloads: list[View]) -> dict[str, Decimal]:
    """The sum that workloads take, under the names that a quota has for it."""
    taken: dict[str, Decimal] = defaultdict(Decimal)
    for workload in workloads:
        count = replicas(workload)
        for pods in templates(workload):
            taken["pods"] += count
            for name, value in pods.requests.items():
                taken[f"requests.{name}"] += count * value
                if name in ("cpu", "memory"):
                    taken[name] += count * value
    return taken


def _is_within(hard: Block, name: str, taken: Decimal, job: View | None = None) -> Verdict:
    most = quantities.amount(hard, name)
    who = "the workloads of the namespace take" if job is None else f"the pods of {job.name} take"
    fewer = "run fewer replicas" if job is None else "run fewer at once"
    return allow(
        most is None or taken <= most,
        f"{who} {quantity_text(taken)} of {name}; the quota is {hard.value(name)}",
        hint=f"Raise it to {quantity_text(taken)}, or {fewer}.",
        path=hard.at(name),
    )


def _one_fits(pods: PodTemplate, quota: View) -> Verdict:
    hard = _hard(quota)
    if hard is None:
        return NOT_APPLICABLE
    taken = {"pods": Decimal(1), **{f"requests.{name}": value for name, value in pods.requests.items()}}
    taken |= {name: value for name, value in pods.requests.items() if name in ("cpu", "memory")}

    def check(name: str) -> Verdict:
        most = quantities.amount(hard, name)
        return allow(
            most is None or taken[name] <= most,
            f"each pod takes {quantity_text(taken[name])} of {name}; {quota.name} allows {hard.value(name)}",
            hint=f"Take {hard.value(name)} at most.",
            path=pods.spec.at("containers"),
        )

    return each([name for name in hard if name in taken], check)


def _in_order(item: Block) -> Verdict:
    amounts = {key: quantities.amounts(item.block(key)) for key in _ORDER}
    for name in sorted({name for found in amounts.values() for name in found}):
        given = [(key, amounts[key][name]) for key in _ORDER if name in amounts[key]]
        for (low, least), (high, most) in pairwise(given):
            if least > most:
                return fail(
                    f"of {name}, {low} is {quantity_text(least)} and {high} is {quantity_text(most)}",
                    hint=f"Set {low} to {quantity_text(most)} or less.",
                    path=item.at(f"{low}.{name}"),
                )
    return PASS


def _below(container: Block, most: dict[str, Decimal]) -> Verdict:
    for name, value in requested(container).items():
        if name in most and value > most[name]:
            return fail(
                f"the container requests {quantity_text(value)} of {name}; "
                f"the limit range of the namespace allows {quantity_text(most[name])}",
                hint=f"Request {quantity_text(most[name])} or less, or raise max of the limit range.",
                path=f"{container.at('resources')}.requests.{name}",
            )
    return PASS
