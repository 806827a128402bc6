"""Requests and limits of containers."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from penstock.core.quantities import parse_quantity, quantity_text
from penstock.core.spelling import MISSPELT_WITH_AFFIX, near_matches, suggestion
from penstock.graph.verdict import NOT_APPLICABLE, PASS, Verdict, allow, each, fail
from penstock.graph.view import Block, View
from penstock.kubernetes.model.pods.templates import OWN_WORKLOADS, RUNNING_WORKLOADS, templates
from penstock.kubernetes.rules import advertisers
from penstock.model import quantities
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_NATIVE = ("cpu", "memory", "ephemeral-storage")
_HUGE = "hugepages-"
_PARTS_OF_DEVICES = ("aws.amazon.com/neuroncore", "aws.amazon.com/neurondevice")
"""Other names under which a plugin of `advertisers.DEVICES` offers the same chips, or parts of them (AWS Neuron)."""
_SIDES = ("requests", "limits")
_LEAST_MEMORY = 1024 * 1024
"""Bytes; less than this was meant in another unit."""


@RULES.rule(
    on=RUNNING_WORKLOADS,
    severity=HIGH,
    rationale="The API server rejects the object.",
    fix="Write the amount as a quantity, such as 500m, 2 or 16Gi.",
    sources=("Kubernetes API reference, Quantity",),
)
def k8s_resource_quantities_valid(workload: View) -> Verdict:
    """Requests and limits are quantities in the syntax of Kubernetes and are not negative."""
    return _each_container(workload, _are_quantities)


@RULES.rule(
    on=RUNNING_WORKLOADS,
    severity=HIGH,
    rationale="The API server rejects the object.",
    fix="Lower resources.requests to the limit, or raise resources.limits.",
    sources=("Kubernetes documentation, resource management for pods and containers",),
)
def k8s_request_within_limit(workload: View) -> Verdict:
    """No container requests more of a resource than its limit."""
    return _each_container(workload, _within_limit)


@RULES.rule(
    on=RUNNING_WORKLOADS,
    severity=HIGH,
    rationale="The API server rejects the object.",
    fix="Set resources.limits to a whole number, and leave resources.requests out or set it to the same number.",
    sources=("Kubernetes documentation, extended resources", "Kubernetes documentation, schedule GPUs"),
)
def k8s_device_requests_whole(workload: View) -> Verdict:
    """Devices and other extended resources are requested in whole numbers, with a limit that equals the request."""
    return _each_container(workload, _devices)


@RULES.rule(
    on=RUNNING_WORKLOADS,
    severity=HIGH,
    rationale="The API server rejects the object.",
    fix="Set request and limit of the huge pages to the same multiple of the page size, and request memory as well.",
    sources=("Kubernetes documentation, manage huge pages",),
)
def k8s_hugepages_requests_valid(workload: View) -> Verdict:
    """Huge pages are requested up to their limit, in whole pages, and together with CPU or memory."""
    return _each_container(workload, _huge_pages)


@RULES.rule(
    on=OWN_WORKLOADS,
    severity=HIGH,
    rationale="The API server rejects the object.",
    fix="Use cpu, memory or ephemeral-storage, or a device with its domain, such as nvidia.com/gpu.",
    sources=("kubernetes/kubernetes validation: ValidateResourceRequirements",),
)
def k8s_resource_names_known(workload: View) -> Verdict:
    """A requested resource is cpu, memory, ephemeral-storage or huge pages, or has the domain of its provider."""
    return _each_container(workload, _known)


@RULES.rule(
    on=RUNNING_WORKLOADS,
    severity=MEDIUM,
    rationale=(
        "The object is accepted, and a request in another unit than was meant (400m is less than a byte) starves the "
        "container or misleads the scheduler."
    ),
    fix="Write memory with Mi for mebibytes or Gi for gibibytes.",
    sources=("Kubernetes documentation, meaning of memory",),
)
def k8s_memory_unit_plausible(workload: View) -> Verdict:
    """Memory requests and limits of containers are at least 1 MiB."""
    return _each_container(workload, _memory)


@RULES.rule(
    on=RUNNING_WORKLOADS,
    severity=MEDIUM,
    rationale="The object is accepted, no node offers a device of that name, and the pod stays Pending.",
    fix="Correct the name of the device in resources.limits and resources.requests.",
    sources=("Device plugins (catalogue, device_plugins)",),
)
def k8s_device_names_known(workload: View) -> Verdict:
    """The name of a requested device is not a misspelling of a known device."""
    return _each_container(workload, _spelled)


def _each_container(workload: View, check: Callable[[Block], Verdict]) -> Verdict:
    return each(templates(workload), lambda pods: each(pods.containers, lambda one: _resources(one, check)))


def _resources(container: Block, check: Callable[[Block], Verdict]) -> Verdict:
    resources = container.block("resources")
    return NOT_APPLICABLE if resources is None else check(resources)


def _sides(resources: Block) -> list[tuple[Block, str]]:
    """Every name of a resource, with the requests or limits that hold it."""
    blocks = [resources.block(side) for side in _SIDES]
    return [(block, name) for block in blocks if block is not None for name in block if name in block]


def _are_quantities(resources: Block) -> Verdict:
    return each(_sides(resources), lambda side: _is_quantity(*side))


def _is_quantity(block: Block, name: str) -> Verdict:
    value = block.value(name)
    if value is None:
        return NOT_APPLICABLE
    found = parse_quantity(str(value)) if isinstance(value, str | int | float) else None
    return allow(
        found is not None and found >= 0,
        f"{value!r} is not an amount of {name}",
        hint="Such as 500m, 2 or 16Gi.",
        path=block.at(name),
    )


def _within_limit(resources: Block) -> Verdict:
    requests, limits = resources.block("requests"), resources.block("limits")
    if requests is None or limits is None:
        return NOT_APPLICABLE
    shared = [name for name in requests if name in limits and "/" not in name and not name.startswith(_HUGE)]
    return each(shared, lambda name: _below(requests, limits, name))


def _below(requests: Block, limits: Block, name: str) -> Verdict:
    asked, most = quantities.amount(requests, name), quantities.amount(limits, name)
    return allow(
        asked is None or most is None or asked <= most,
        f"the container requests {requests.value(name)} of {name}, and its limit is {limits.value(name)}",
        hint=f"Request {limits.value(name)} or less, or raise the limit.",
        path=requests.at(name),
    )


def _devices(resources: Block) -> Verdict:
    names = sorted({name for _, name in _sides(resources) if "/" in name and not name.startswith("kubernetes.io/")})
    return each(names, lambda name: _device(resources, name))


def _device(resources: Block, name: str) -> Verdict:
    asked, most = _amount(resources, "requests", name), _amount(resources, "limits", name)
    for side, value in (("limits", most), ("requests", asked)):
        if value is not None and value != value.to_integral_value():
            return fail(
                f"{value} of {name} is not a whole number",
                hint="Round it up.",
                path=f"{resources.at(side)}.{name}",
            )
    if most is None:
        return fail(
            f"{name} is requested without a limit",
            hint=f"Set limits to {asked} as well; a limit alone is enough.",
            path=f"{resources.at('limits')}.{name}",
        )
    return allow(
        asked is None or asked == most,
        f"{asked} of {name} are requested, and the limit is {most}",
        hint=f"Set both to {most}.",
        path=f"{resources.at('requests')}.{name}",
    )


def _huge_pages(resources: Block) -> Verdict:
    sides = _sides(resources)
    names = sorted({name for _, name in sides if name.startswith(_HUGE)})
    if not names:
        return NOT_APPLICABLE
    if not any(name in ("cpu", "memory") for _, name in sides):
        return fail(
            f"{names[0]} are requested, but neither CPU nor memory",
            hint="Request memory as well.",
            path=resources.at("requests"),
        )
    return each(names, lambda name: _pages(resources, name))


def _pages(resources: Block, name: str) -> Verdict:
    asked, most = _amount(resources, "requests", name), _amount(resources, "limits", name)
    if most is None or (asked is not None and asked != most):
        shown = "no limit" if most is None else f"the limit is {quantity_text(most)}"
        return fail(
            f"{name} are requested, and {shown}; they can be neither shared nor lent",
            hint="Set request and limit to the same amount.",
            path=f"{resources.at('limits')}.{name}",
        )
    page = parse_quantity(name.removeprefix(_HUGE))
    return allow(
        page is None or not page or most % page == 0,
        f"{quantity_text(most)} are not a whole number of pages of {name.removeprefix(_HUGE)}",
        hint=f"Use a multiple of {name.removeprefix(_HUGE)}.",
        path=f"{resources.at('limits')}.{name}",
    )


def _known(resources: Block) -> Verdict:
    return each(_sides(resources), lambda side: _is_known(*side))


def _is_known(block: Block, name: str) -> Verdict:
    return allow(
        "/" in name or name in _NATIVE or name.startswith(_HUGE),
        f"{name} is not a resource of Kubernetes",
        hint="Use cpu, memory or ephemeral-storage, or a device with its domain, such as nvidia.com/gpu.",
        path=block.at(name),
    )


def _spelled(resources: Block) -> Verdict:
    names = sorted({name for _, name in _sides(resources) if "/" in name})
    return each(names, lambda name: _is_spelled(resources, name))


def _is_spelled(resources: Block, name: str) -> Verdict:
    known = sorted((*advertisers.DEVICES, *_PARTS_OF_DEVICES))
    near = near_matches(name, known, likeness=MISSPELT_WITH_AFFIX)
    side = "limits" if (limits := resources.block("limits")) is not None and name in limits else "requests"
    return allow(
        name in known or not near or name.startswith(tuple(f"{device}{mark}" for device in known for mark in ".-")),
        f"{name} is not a device plugin resource that Penstock knows",
        hint=suggestion(near),
        path=f"{resources.at(side)}.{name}",
    )


def _memory(resources: Block) -> Verdict:
    sides = [(block, name) for block, name in _sides(resources) if name == "memory"]
    return each(sides, lambda side: _is_memory(side[0]))


def _is_memory(block: Block) -> Verdict:
    value = quantities.amount(block, "memory")
    if value is None or value == 0:
        return PASS
    return allow(
        value >= _LEAST_MEMORY,
        f"{block.value('memory')} of memory is {quantity_text(value)} bytes",
        hint="Write mebibytes as Mi and gibibytes as Gi.",
        path=block.at("memory"),
    )


def _amount(resources: Block, side: str, name: str) -> Decimal | None:
    block = resources.block(side)
    return quantities.amount(block, name) if block is not None else None
