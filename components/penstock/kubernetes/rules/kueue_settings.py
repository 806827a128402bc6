"""Kueue's configuration, as the release of its chart in the program gives it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from penstock.core.errors import UnknownFact
from penstock.graph.verdict import NotKnown, TypeMismatch
from penstock.graph.view import Site, View
from penstock.kubernetes.facts import charts
from penstock.kubernetes.facts.charts import HELM_CHARTS
from penstock.kubernetes.rules import inventory, nodes, releases

_CHART: Final = "kueue"
_FILE: Final = "managerConfig.controllerManagerConfigYaml"

_ALWAYS: Final = frozenset({"batch/job", "jobset.x-k8s.io/jobset", "kubeflow.org/mpijob", "ray.io/rayjob"})
"""Frameworks that the chart's own configuration enables in every release."""

_PINNED_FRAMEWORKS: Final = frozenset(
    {
        *_ALWAYS,
        "ray.io/rayservice",
        "ray.io/raycluster",
        "workload.codeflare.dev/appwrapper",
        "trainer.kubeflow.org/trainjob",
        "pod",
        "deployment",
        "statefulset",
        "leaderworkerset.x-k8s.io/leaderworkerset",
    }
)
"""Frameworks that the pinned chart enables (kubernetes-sigs/kueue v0.19.2, charts/kueue/values.yaml)."""

_UNLISTED: Final = frozenset({"batch/job"})
"""Frameworks of a configuration that lists none (kubernetes-sigs/kueue v0.19.2, apis/config/v1beta2/defaults.go)."""

_SERVING: Final = frozenset({"pod", "deployment", "statefulset", "leaderworkerset.x-k8s.io/leaderworkerset"})
"""Frameworks of pods that start at once where Kueue does not manage them, label or not."""


@dataclass(frozen=True, slots=True)
class KueueSettings:
    """The part of Kueue's configuration that decides about admission.

    Attributes:
        release: the release that installs it; None where Kueue lies outside the program.
        frameworks: the kinds of jobs that it manages; None where the program does not list them.
        ignores_undeclared: whether resources that a queue does not cover are left out.
        excluded: prefixes of resources that are left out.
        transforms: whether it counts other resources than pods request.
        manages_unlabelled: whether jobs without a queue wait too.
        namespaces: the selector of the namespaces in which they do; None for the default.
    """

    release: View | None
    frameworks: frozenset[str] | None = None
    ignores_undeclared: bool = False
    excluded: tuple[str, ...] = ()
    transforms: bool = False
    manages_unlabelled: bool = False
    namespaces: Mapping[str, Any] | None = None

    def manages(self, framework: str) -> bool:
        """Return whether jobs of a framework wait in queues.

        Raises:
            NotKnown: the configuration lies outside the program, and its default changed between releases.
        """
        if self.frameworks is not None:
            return framework in self.frameworks
        if framework not in _SERVING:
            return True
        raise NotKnown


def of(near: View) -> KueueSettings:
    """The configuration of Kueue in the cluster of an object.

    Raises:
        NotKnown: a value of the release is not known, or two releases install Kueue.
    """
    found = near.site.once(_settings).get(inventory.server(near), KueueSettings(None))
    if found is None:
        raise NotKnown
    return found


def has_all_queues(near: View) -> bool:
    """Return whether the program has all queues of a cluster: it creates the cluster, or installs Kueue there."""
    return nodes.has_own_cluster(near) or inventory.server(near) in near.site.once(_settings)


def _settings(site: Site) -> dict[str, KueueSettings | None]:
    """The settings by cluster; None where they are not known."""
    found: dict[str, KueueSettings | None] = {}
    for release in site.of_type(*HELM_CHARTS):
        try:
            if releases.chart(release) != _CHART:
                continue
            server = inventory.server(release)
            found[server] = None if server in found else _of_release(release)
        except NotKnown:
            found[inventory.server(release)] = None
        except TypeMismatch:
            continue
    return found


def _of_release(release: View) -> KueueSettings:
    text = releases.value(release, _FILE)
    if text is None:
        return KueueSettings(release, _PINNED_FRAMEWORKS if _is_pinned(release) else None)
    if not isinstance(text, str):
        raise NotKnown
    config = _parsed(text)
    listed = _object(config, "integrations").get("frameworks")
    counted = _object(config, "resources")
    return KueueSettings(
        release,
        frozenset(map(str, listed)) if isinstance(listed, list) else _UNLISTED,
        ignores_undeclared=counted.get("quotaCheckStrategy") == "IgnoreUndeclared",
        excluded=tuple(map(str, counted.get("excludeResourcePrefixes") or ())),
        transforms=bool(counted.get("transformations")),
        manages_unlabelled=config.get("manageJobsWithoutQueueName") is True,
        namespaces=config.get("managedJobsNamespaceSelector"),
    )


def _is_pinned(release: View) -> bool:
    try:
        return release.text("version") in (None, charts.find_chart(_CHART).version)
    except UnknownFact:
        return False


def _parsed(text: str) -> Mapping[str, Any]:
    import yaml  # slow to import, and only a release with a configuration of its own needs it

    try:
        found = yaml.safe_load(text)
    except yaml.YAMLError:
        raise NotKnown from None
    if not isinstance(found, Mapping):
        raise NotKnown
    return found


def _object(config: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = config.get(key)
    return found if isinstance(found, Mapping) else {}


def counted(settings: KueueSettings, requests: Mapping[str, Decimal]) -> dict[str, Decimal]:
    """What Kueue counts of the requests of a pod.

    Raises:
        NotKnown: Kueue counts other resources in their place.
    """
    if settings.transforms:
        raise NotKnown
    return {
        name: value for name, value in requests.items() if value and not name.startswith(settings.excluded or ("\0",))
    }
