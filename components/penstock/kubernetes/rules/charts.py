"""What pinned charts need: other charts before them, and a Kubernetes that is new enough."""

from __future__ import annotations

from collections.abc import Mapping

from penstock.core.errors import UnknownFact
from penstock.core.versions import minor
from penstock.graph.verdict import NOT_APPLICABLE, PASS, UNKNOWN, NotKnown, TypeMismatch, Verdict, allow, each, fail
from penstock.graph.view import Site, View
from penstock.kubernetes.facts import charts
from penstock.kubernetes.facts.charts import RELEASE, Chart
from penstock.kubernetes.rules import dependencies, inventory, nodes, releases
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_IDENTITY = ("name", "namespace")
"""What a release cannot change without being another (pulumi-kubernetes, helm.v3.Release)."""

_TABLE = "Charts (catalogue, kubernetes/charts)"
_MONITORS = ("serviceMonitor", "podMonitor", "prometheusRule")
_KINDS_OF_MONITORS = "prometheus-operator-crds"


@RULES.rule(
    on=RELEASE,
    severity=MEDIUM,
    rationale=(
        "The engine installs both at once: the chart's objects are rejected for want of a kind, or its pods wait for a "
        "certificate until the release fails."
    ),
    fix="Add the release of the chart that it needs to depends_on.",
    joins=True,
    sources=(_TABLE,),
)
def k8s_helm_chart_order(release: View) -> Verdict:
    """The release of a pinned chart depends on those of the charts that it needs, where the program has them."""
    chart = pinned(release)
    if chart is None:
        return NOT_APPLICABLE
    monitored = _turns_monitors_on(release.given("values")) and _KINDS_OF_MONITORS not in chart.needs
    needs = (*chart.needs, *((_KINDS_OF_MONITORS,) if monitored else ()))
    if not needs:
        return NOT_APPLICABLE
    server, found = inventory.server(release), release.site.once(_releases)

    def check(needed: str) -> Verdict:
        makers = found.get((server, needed), [])
        if not makers:
            return NOT_APPLICABLE  # the cluster may have it already
        if any(dependencies.follows(release, maker) for maker in makers):
            return PASS
        message = f"{chart.name} needs {needed}, and does not depend on {makers[0].name}, which installs it"
        return fail(message, hint=f"Add depends_on=[{makers[0].name}].", path="chart")

    return each(needs, check)


@RULES.rule(
    on=RELEASE,
    severity=HIGH,
    rationale="Helm refuses the chart, or its controllers fail against an API server that lacks what they call.",
    fix="Upgrade the cluster, or take an older version of the chart.",
    joins=True,
    sources=(_TABLE,),
)
def k8s_helm_chart_kubernetes(release: View) -> Verdict:
    """The cluster runs a version of Kubernetes that a pinned chart installs on."""
    chart = pinned(release)
    if chart is None or chart.min_kubernetes is None:
        return NOT_APPLICABLE
    version = nodes.kubernetes_version(release)
    if version is None:
        return UNKNOWN
    return allow(
        minor(version) >= minor(chart.min_kubernetes),
        f"{chart.name} {chart.version} needs Kubernetes {chart.min_kubernetes}, and the cluster runs {version}",
        hint=f"Upgrade the cluster to {chart.min_kubernetes} or newer.",
        path="version",
    )


@RULES.rule(
    on=RELEASE,
    severity=MEDIUM,
    rationale=(
        "Helm creates what is in a chart's folder crds once, and never changes it: the new version's controllers meet "
        "kinds without the fields that they write."
    ),
    fix="Apply the kinds of the new version before the release is upgraded.",
    joins=True,
    sources=("Helm documentation, custom resource definitions", _TABLE),
)
def k8s_helm_kinds_upgraded(release: View) -> Verdict:
    """A pinned chart of which another version exists brings its kinds along: in templates, or by a hook."""
    chart, existing = pinned(release), release.site.existing(release)
    if chart is None or existing is None or "folder" not in chart.crds:
        return NOT_APPLICABLE
    before = _plain(existing.text("version") or "")
    if before == _plain(chart.version) or releases.chart(existing) != chart.name:
        return NOT_APPLICABLE
    address = f"{chart.chart} --repo {chart.repository}" if chart.repository else chart.chart
    return allow(
        "hook" in chart.crds,
        f"the kinds of {chart.name} stay as they came with {before or 'another version'}",
        hint=f"Run `helm show crds {address} --version {chart.version} | kubectl apply --server-side -f -` before.",
        path="version",
    )


@RULES.rule(
    on=RELEASE,
    severity=HIGH,
    rationale=(
        "The release is replaced: it is uninstalled, with its kinds, and the API server deletes each object of theirs, "
        "such as every queue with its quota or every store of secrets."
    ),
    fix="Keep the name and the namespace of the release, or export its objects before and create them anew.",
    joins=True,
    sources=("Helm documentation, custom resource definitions", _TABLE),
)
def k8s_helm_kinds_kept(release: View) -> Verdict:
    """A change does not replace a release whose kinds go with it."""
    chart, existing = pinned(release), release.site.existing(release)
    if chart is None or existing is None or chart.crds_survive is not False:
        return NOT_APPLICABLE
    for key in _IDENTITY:
        old, new = existing.text(key), release.text(key)
        if old and new and old != new:
            message = f"{key} changes from {old} to {new}, and with the release of {chart.name} go its kinds"
            return fail(message, hint=f"Keep {key} at {old}.", path=key)
    return PASS


def pinned(release: View) -> Chart | None:
    """The chart of a release, where Penstock pins it at this very version."""
    try:
        chart = charts.find_chart(releases.chart(release))
    except UnknownFact:
        return None
    return chart if _plain(release.text("version") or "") == _plain(chart.version) else None


def _turns_monitors_on(values: object) -> bool:
    """Return whether values have a chart create monitors, at whatever depth, as most charts call them."""
    if not isinstance(values, Mapping):
        return False
    for key, value in values.items():
        if key in _MONITORS and isinstance(value, Mapping) and value.get("enabled") is True:
            return True
        if _turns_monitors_on(value):
            return True
    return False


def _plain(version: str) -> str:
    """A version without the v that some makers write before it."""
    return version.removeprefix("v")


def _releases(site: Site) -> dict[tuple[str, str], list[View]]:
    """The releases of each cluster by their chart."""
    found: dict[tuple[str, str], list[View]] = {}
    for release in site.of_type(RELEASE):
        try:
            found.setdefault((inventory.server(release), releases.chart(release)), []).append(release)
        except (NotKnown, TypeMismatch):
            continue
    return found
