"""Property paths of resources, as the SDKs in use declare them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from types import UnionType
from typing import Any, Union, get_args, get_origin, is_typeddict

from pulumi import Output
from pulumi._types import input_type_types, is_input_type

from penstock.kubernetes.facts import pod_homes
from penstock.kubernetes.facts.custom_kinds import is_custom
from penstock.simulate import sdk_types

_STEP = re.compile(r'"[^"]+"|[^.\[\]"]+|\[\]')
_OUTSIDE = ("pulumi:", "penstock:")
"""Types of Pulumi itself and of components, which no provider's SDK declares."""
_OF_OPERATORS = tuple(
    f"kubernetes:{group}/"
    for group in (
        "argoproj.io",
        "batch.volcano.sh",
        "cilium.io",
        "crd.projectcalico.org",
        "eks.amazonaws.com",
        "elbv2.k8s.aws",
        "external-secrets.io",
        "gateway.k8s.aws",
        "gateway.networking.k8s.io",
        "grove.io",
        "jobset.x-k8s.io",
        "karpenter.azure.com",
        "karpenter.k8s.aws",
        "karpenter.sh",
        "keda.sh",
        "kubeflow.org",
        "kueue.x-k8s.io",
        "kyverno.io",
        "leaderworkerset.x-k8s.io",
        "networking.gke.io",
        "networking.istio.io",
        "policy.networking.k8s.io",
        "projectcalico.org",
        "pulumi.com",
        "ray.io",
        "scheduling.volcano.sh",
        "security.istio.io",
        "serving.knative.dev",
        "serving.kserve.io",
        "trainer.kubeflow.org",
    )
)
"""Groups of objects that operators bring to a cluster: no SDK declares them."""
_POD = "kubernetes:core/v1:Pod"


def is_known(type_: str, path: str = "") -> bool:
    """Return whether a type is declared, and below it a path; true of a token that ends in `*`."""
    if type_.startswith(_OUTSIDE) or type_.endswith("*"):
        return True
    if type_.startswith(_OF_OPERATORS) or (is_custom(type_) and pod_homes.homes(type_) is not None):
        return not path or _is_known_of_operator(type_, path)
    declared = sdk_types.input_types(type_)
    return declared is not None and (not path or _leads_somewhere(declared, _STEP.findall(path)))


def names_at(type_: str, steps: Sequence[str | int]) -> frozenset[str]:
    """Return the names that an SDK declares for the object at a path; none where it declares no object there."""
    hints: list[Any] = []
    objects = [sdk_types.input_types(type_) or {}]
    for step in steps:
        if isinstance(step, int):
            hints = [choice for hint in hints if _is_list(hint) for choice in _choices(get_args(hint)[0])]
        else:
            hints = [choice for fields in objects if step in fields for choice in _choices(fields[step])]
        objects = [_declared(hint) for hint in hints if isinstance(hint, type) and is_input_type(hint)]
    return frozenset(name for fields in objects for name in fields)


def _is_known_of_operator(type_: str, path: str) -> bool:
    """Of an operator's object only the pods and the containers in it are declared anywhere."""
    found = pod_homes.homes(type_) or pod_homes.Homes()
    specs = (*found.whole, *found.parts)
    homes = [(home, "spec") for home in specs]
    homes += [(f"{home.removesuffix('.spec')}.metadata", "metadata") for home in specs if home.endswith(".spec")]
    homes += [(home, "spec.containers[]") for home in found.containers]
    within = [f"{place}{path.removeprefix(home)}" for home, place in homes if path.startswith(f"{home}.")]
    return not within or any(is_known(_POD, each) for each in within)


def _leads_somewhere(declared: Mapping[str, Any], steps: Sequence[str]) -> bool:
    head, *rest = steps
    return head in declared and _below(declared[head], tuple(rest))


def _below(hint: Any, steps: tuple[str, ...]) -> bool:
    if not steps or hint is Any:
        return True
    return any(_one(choice, steps) for choice in _choices(hint))


def _one(choice: Any, steps: tuple[str, ...]) -> bool:
    origin = get_origin(choice)
    if choice is Any:
        return True
    if _is_list(choice):
        return steps[0] == "[]" and _below(get_args(choice)[0], steps[1:])
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return _below(get_args(choice)[1], steps[1:])
    if isinstance(choice, type) and is_input_type(choice):
        return _leads_somewhere(_declared(choice), steps)
    return False


def _is_list(choice: Any) -> bool:
    origin = get_origin(choice)
    return isinstance(origin, type) and issubclass(origin, Sequence)


@cache
def _declared(cls: type) -> Mapping[str, Any]:
    return input_type_types(cls)


def _choices(hint: Any) -> tuple[Any, ...]:
    """Return the type of a hint, without Pulumi's outputs and awaitables and the SDK's typed dictionaries."""
    if get_origin(hint) in (Union, UnionType):
        return tuple(choice for arg in get_args(hint) for choice in _choices(arg))
    if get_origin(hint) is Output or is_typeddict(hint) or hint is type(None):
        return ()
    return (hint,)
