"""GPUs that several pods share: what NVIDIA's device plugin makes of its configuration."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from penstock.core.quantities import quantity_text
from penstock.graph.verdict import NOT_APPLICABLE, NotKnown, TypeMismatch, Verdict, allow, each, fail
from penstock.graph.view import View
from penstock.kubernetes.facts.charts import RELEASE
from penstock.kubernetes.model.pods.templates import OWN_WORKLOADS, PodTemplate, templates
from penstock.kubernetes.rules import releases
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_CONFIGS = {"nvidia-device-plugin": "config.map", "gpu-operator": "devicePlugin.config.data"}
"""The value, by chart, that holds the plugin's configurations by name, each a text in YAML."""

_WAYS = ("timeSlicing", "mps")
_FEWEST_REPLICAS = 2

_SHARE = "nvidia.com/gpu.shared"
"""The resource of NVIDIA's device plugin for shared GPUs, where its name shows that."""


@RULES.rule(
    on=RELEASE,
    severity=HIGH,
    rationale="The device plugin does not start, so the nodes advertise no GPUs.",
    fix="Set replicas to 2 or more, or leave sharing out to hand out whole GPUs.",
    sources=("NVIDIA/k8s-device-plugin, api/config/v1: ReplicatedResource",),
)
def k8s_gpu_sharing_replicas(release: View) -> Verdict:
    """Each shared GPU resource in a configuration of NVIDIA's device plugin has a name and at least 2 replicas."""
    path = _CONFIGS.get(releases.chart(release))
    configs = releases.value(release, path) if path is not None else None
    if not isinstance(configs, Mapping):
        return NOT_APPLICABLE
    return each(configs, lambda name: _config(configs[name], f"values.{path}.{name}"))


@RULES.rule(
    on=OWN_WORKLOADS,
    each_of=templates,
    severity=MEDIUM,
    rationale=(
        "Several shares give a pod no more of a GPU: where the device plugin refuses them, as with MPS, it ends in "
        "UnexpectedAdmissionError, and else the shares are lost to others."
    ),
    fix="Request one share in each pod, and run more pods; or use a pool of whole GPUs.",
    sources=("NVIDIA device plugin documentation, shared access to GPUs",),
)
def k8s_pod_one_gpu_share(pods: PodTemplate) -> Verdict:
    """A pod requests one share of a GPU at most."""
    count = pods.requests.get(_SHARE)
    if count is None:
        return NOT_APPLICABLE
    message = f"each pod requests {quantity_text(count)} shares of a GPU"
    return allow(count <= 1, message, hint="Request 1.", path=pods.spec.at("containers"))


def _config(text: Any, path: str) -> Verdict:
    if not isinstance(text, str):
        raise NotKnown
    return each(_shared(_read(text)), lambda resource: _replicas(resource, path))


def _read(text: str) -> Any:
    import yaml

    try:
        return yaml.safe_load(text)
    except yaml.YAMLError:
        raise TypeMismatch from None


def _shared(config: Any) -> Iterator[Any]:
    sharing = config.get("sharing") if isinstance(config, Mapping) else None
    for way in _WAYS:
        shared = sharing.get(way) if isinstance(sharing, Mapping) else None
        resources = shared.get("resources") if isinstance(shared, Mapping) else None
        yield from resources if isinstance(resources, list) else ()


def _replicas(resource: Any, path: str) -> Verdict:
    if not isinstance(resource, Mapping) or not resource.get("name"):
        return fail("the shared resource has no name", hint="Such as nvidia.com/gpu.", path=path)
    replicas = resource.get("replicas")
    return allow(
        isinstance(replicas, int) and replicas >= _FEWEST_REPLICAS,
        f"{resource['name']} has {replicas} replicas, and the plugin starts with {_FEWEST_REPLICAS} or more only",
        hint="Give 2 or more, or leave sharing out to hand out whole GPUs.",
        path=path,
    )
