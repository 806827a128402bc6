"""What pinned charts need: other charts before them, and a Kubernetes that is new enough."""

from __future__ import annotations

from penstock.catalog.kubernetes import apis as kubernetes_apis
from penstock.catalog.kubernetes import charts
from penstock.catalog.kubernetes.charts import Chart
from penstock.errors import UnknownFact
from penstock.resources.verdict import NOT_APPLICABLE, PASS, UNKNOWN, NotKnown, TypeMismatch, Verdict, allow, each, fail
from penstock.resources.view import Site, View
from penstock.rules.kubernetes import dependencies, inventory, nodes, releases
from penstock.rules.kubernetes.types import RELEASE
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_TABLE = "Charts (catalogue, kubernetes/charts)"


@RULES.rule(
    "k8s-helm-chart-order",
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
def what_a_chart_needs_is_there_first(release: View) -> Verdict:
    """The release of a pinned chart depends on those of the charts that it needs, where the program has them."""
    chart = pinned(release)
    if chart is None or not chart.needs:
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

    return each(chart.needs, check)


@RULES.rule(
    "k8s-helm-chart-kubernetes",
    on=RELEASE,
    severity=HIGH,
    rationale="Helm refuses the chart, or its controllers fail against an API server that lacks what they call.",
    fix="Upgrade the cluster, or take an older version of the chart.",
    joins=True,
    sources=(_TABLE,),
)
def cluster_is_new_enough_for_a_chart(release: View) -> Verdict:
    """The cluster runs a version of Kubernetes that a pinned chart installs on."""
    chart = pinned(release)
    if chart is None or chart.min_kubernetes is None:
        return NOT_APPLICABLE
    version = nodes.kubernetes_version(release)
    if version is None:
        return UNKNOWN
    return allow(
        kubernetes_apis.minor(version) >= kubernetes_apis.minor(chart.min_kubernetes),
        f"{chart.name} {chart.version} needs Kubernetes {chart.min_kubernetes}, and the cluster runs {version}",
        hint=f"Upgrade the cluster to {chart.min_kubernetes} or newer.",
        path="version",
    )


def pinned(release: View) -> Chart | None:
    """The chart of a release, where Penstock pins it at this very version."""
    try:
        chart = charts.find_chart(releases.chart(release))
    except UnknownFact:
        return None
    return chart if (release.text("version") or "").removeprefix("v") == chart.version.removeprefix("v") else None


def _releases(site: Site) -> dict[tuple[str, str], list[View]]:
    """The releases of each cluster by their chart."""
    found: dict[tuple[str, str], list[View]] = {}
    for release in site.of_type(RELEASE):
        try:
            found.setdefault((inventory.server(release), releases.chart(release)), []).append(release)
        except (NotKnown, TypeMismatch):
            continue
    return found
