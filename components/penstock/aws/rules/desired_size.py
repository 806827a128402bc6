"""Sizes that an autoscaler changes: an update must not set them back."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.aws.types import APPAUTOSCALING_TARGET, AUTOSCALING_GROUP, ECS_SERVICE, EKS_NODE_GROUP
from penstock.graph.property_path import PropertyPath
from penstock.graph.verdict import NOT_APPLICABLE, NotKnown, Verdict, allow
from penstock.graph.view import Site, View
from penstock.rules.levels import MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_SCALERS = ("aws:autoscaling/policy:Policy", "aws:autoscaling/schedule:Schedule")
_CHARTS = ("kubernetes:helm.sh/v3:Release", "kubernetes:helm.sh/v4:Chart")
_AUTOSCALER = "cluster-autoscaler"
_DISCOVERED = "k8s.io/cluster-autoscaler/enabled"
_SIZES = {
    EKS_NODE_GROUP: "scalingConfig.desiredSize",
    AUTOSCALING_GROUP: "desiredCapacity",
    ECS_SERVICE: "desiredCount",
}
_OURS = "penstock:aws:NodePool$"
"""Parents of groups whose component reads the running number and sets that."""


@RULES.rule(
    on=(EKS_NODE_GROUP, AUTOSCALING_GROUP, ECS_SERVICE),
    severity=MEDIUM,
    rationale="An update after a refresh sets the running number back, and takes machines from running jobs.",
    fix="Set ignore_changes to the desired size, or leave the desired size out.",
    joins=True,
    sources=(
        "documentation of pulumi-aws 7.51, eks.NodeGroup: ignoreChanges of desiredSize",
        "pulumi-eks issue 321, desired size of a scaled group",
    ),
)
def aws_desired_size_drift(scaled: View) -> Verdict:
    """The desired size of a group or service that an autoscaler changes is in ignore_changes."""
    path = _SIZES[scaled.type]
    if all(place.value is None for place in scaled.locations(path)) or _is_fixed(scaled) or _OURS in scaled.urn:
        return NOT_APPLICABLE
    scaler = _scaler_of(scaled)
    if not scaler:
        return NOT_APPLICABLE
    wanted = PropertyPath.parse(path)
    ignored = any(PropertyPath.parse(each).covers(wanted) for each in scaled.resource.options.ignore_changes)
    message = f"{path} is set, and {scaler} changes it: an update after a refresh sets it back"
    return allow(ignored, message, hint=f"Set ignore_changes=[{path!r}].", path=path)


def _is_fixed(scaled: View) -> bool:
    """Return whether the bounds leave an autoscaler nothing to do."""
    bounds = scaled.block("scalingConfig") if scaled.type == EKS_NODE_GROUP else scaled
    least, most = (bounds.given(key) if bounds is not None else None for key in ("minSize", "maxSize"))
    return least is not None and least == most


def _scaler_of(scaled: View) -> str:
    """The autoscaler of the size, in words; empty where nothing of the program does."""
    if scaled.type == ECS_SERVICE:
        found = (each for each in scaled.site.of_type(APPAUTOSCALING_TARGET) if _is_about(each, scaled))
        return next((each.name for each in found), "")
    if _DISCOVERED in _tags(scaled):
        return "the Cluster Autoscaler"
    if scaled.type == EKS_NODE_GROUP:
        return scaled.site.once(_cluster_autoscaler)
    policies = (each for type_ in _SCALERS for each in scaled.referrers(type_, "autoscalingGroupName"))
    return next((each.name for each in policies), "")


def _is_about(target: View, service: View) -> bool:
    """Return whether a target of Application Auto Scaling takes its id from a service, or ends with its name."""
    if service.urn in target.resource.property_dependencies.get("resourceId", ()):
        return True
    id_, name = target.given("resourceId"), service.given("name")
    return isinstance(id_, str) and isinstance(name, str) and id_.endswith(f"/{name}")


def _tags(scaled: View) -> Iterator[object]:
    """The keys of tags that are not turned off: written as an object, or as a list of objects."""
    given = scaled.given("tags")
    pairs = given.items() if isinstance(given, dict) else _listed(given)
    yield from (key for key, value in pairs if str(value).lower() != "false")


def _listed(given: object) -> Iterator[tuple[object, object]]:
    for each in given if isinstance(given, list) else ():
        if isinstance(each, dict):
            yield each.get("key"), each.get("value")


def _cluster_autoscaler(site: Site) -> str:
    """The release of a Cluster Autoscaler, which finds every managed node group; empty without one."""
    for release in site.of_type(*_CHARTS):
        try:
            chart = release.text("chart") or ""
        except NotKnown:
            continue
        if chart.rstrip("/").rpartition("/")[2] == _AUTOSCALER:
            return release.name
    return ""
