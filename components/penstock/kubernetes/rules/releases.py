"""Helm releases: where their charts come from, what they are called, and the values that decide what they install."""

from __future__ import annotations

import re

from penstock.graph.verdict import NOT_APPLICABLE, PASS, TypeMismatch, Verdict, allow, fail
from penstock.graph.view import View
from penstock.kubernetes.facts.charts import RELEASE
from penstock.kubernetes.rules import inventory
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_NAME = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")
_LONGEST_NAME = 53

_PARTIAL = r"v?(\d+|[xX*])(\.(\d+|[xX*])){0,2}(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?"
_CONSTRAINT = rf"(=|!=|>|<|>=|<=|=>|=<|~|~>|\^)?\s*{_PARTIAL}"
_VERSION = re.compile(rf"\s*{_CONSTRAINT}(\s+-\s+{_PARTIAL}|(\s*(,|\|\||\s)\s*{_CONSTRAINT})*)\s*")


@RULES.rule(
    on=RELEASE,
    severity=HIGH,
    rationale="Helm finds no chart and the release fails.",
    fix="Set chart, and leave repository_opts.repo out where chart is a full address.",
    sources=("Helm documentation, helm install: ways to express the chart",),
)
def k8s_helm_chart_source(release: View) -> Verdict:
    """A Helm release names a chart, and a chart with a full address names no repository beside it."""
    chart, repository = release.text("chart"), _repository(release)
    if not chart:
        return fail("chart is not set", hint="Name one, with repository_opts.repo.", path="chart")
    if repository is None:
        return PASS
    return allow(
        "://" not in chart,
        f"{chart} is a full URL, and Helm would look for it in the repository {repository}",
        hint="Leave repository_opts.repo out.",
        path="repositoryOpts.repo",
    )


@RULES.rule(
    on=RELEASE,
    severity=MEDIUM,
    rationale=(
        "Helm looks for the chart in a folder of the program or in repositories that only this machine knows, so the "
        "release fails elsewhere."
    ),
    fix="Set repository_opts.repo to the address of the chart repository.",
    sources=("Helm documentation, helm install: ways to express the chart",),
)
def k8s_helm_chart_repository(release: View) -> Verdict:
    """A Helm release that names its chart without an address names the chart repository too."""
    chart = release.text("chart")
    if not chart or "://" in chart or chart.startswith((".", "/")) or chart.endswith((".tgz", ".tar.gz")):
        return NOT_APPLICABLE
    return allow(
        _repository(release) is not None,
        f"Helm looks for {chart} in the program's folder, or in repositories configured on this machine only",
        hint="Give the repository's address in repository_opts.repo.",
        path="repositoryOpts",
    )


@RULES.rule(
    on=RELEASE,
    severity=HIGH,
    rationale="Helm rejects the release.",
    fix="Set name to up to 53 small letters, digits, '-' and '.', with a letter or digit first and last.",
    sources=("Helm source, pkg/chartutil ValidateReleaseName",),
)
def k8s_helm_release_name_valid(release: View) -> Verdict:
    """The name of a Helm release has at most 53 small letters, digits, '-' and '.'."""
    name = inventory.form_of_name(release) or ""
    return allow(
        len(name) <= _LONGEST_NAME and _NAME.fullmatch(name),
        f"{name!r} is not a name for a release",
        hint=f"Up to {_LONGEST_NAME} small letters, digits, '-' and '.', with a letter or digit first and last.",
        path="name",
    )


@RULES.rule(
    on=RELEASE,
    severity=HIGH,
    rationale="Helm finds no chart of that version and the release fails.",
    fix="Set version to a version such as 1.2.3.",
    sources=("Helm documentation, helm install --version",),
)
def k8s_helm_version_valid(release: View) -> Verdict:
    """The version of a chart is a semantic version or a range of versions."""
    version = release.text("version")
    if not version:
        return NOT_APPLICABLE
    return allow(
        _VERSION.fullmatch(version),
        f"{version!r} is neither a version nor a range of versions",
        path="version",
    )


def chart(release: View) -> str:
    """The name of a chart, without its repository or address."""
    return (release.text("chart") or "").rstrip("/").rpartition("/")[2]


def value(release: View, path: str) -> object:
    """The value at a path of a release's values; None where the chart's own is taken."""
    outer, _, key = f"values.{path}".rpartition(".")
    return next((found.value(key) for found in release.blocks_at(outer)), None)


def has_value(release: View, path: str) -> bool:
    """Return whether a release gives a value of its own at a path, and not an empty one."""
    return bool(value(release, path))


def flag(release: View, path: str, *, default: bool) -> bool:
    """The value at a path that is true or false; the chart's own where the release gives none."""
    found = value(release, path)
    if found is None:
        return default
    if not isinstance(found, bool):
        raise TypeMismatch
    return found


def _repository(release: View) -> str | None:
    options = release.block("repositoryOpts")
    return options.text("repo") if options is not None else None
