"""The guides in the folders of add-ons, and the page on which add-ons run where, from the cases of their tests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from docs.markdown import page, table
from tests.addon_cases import PLATFORMS, alone, controllers, installed, performed
from tests.environments import PROJECT

from penstock import description
from penstock.core.addon_folders import addon_folders
from penstock.description.addon import find_addon
from penstock.kubernetes.facts.charts import find_chart


def guides() -> Mapping[str, Path]:
    """Return the file of each add-on's guide by the name of its page on the site."""
    files = {folder.name.replace("_", "-"): folder / "page.md" for folder in addon_folders()}
    return {f"guides/kubernetes-{name}.md": file for name, file in files.items() if file.is_file()}


def addons_page() -> str:
    """Return the page."""
    return page(
        "Add-ons by platform",
        "Generated from the tests. *Rehearsed*: a platform with this add-on comes up in a rehearsal, alone and beside "
        "all others, and no rule finds anything. *Performed*: moreover, the real Pulumi CLI and Kubernetes provider "
        "built an environment with it on a real control plane, found nothing to change in a second run, and left "
        "nothing behind.",
        table(("Add-on", *PLATFORMS), _rows()),
        "Add-ons without a field of `addons` come where others need them, or where pools do.",
        "## Controllers",
        "A platform that is built shows objects, not what becomes of them. These controllers ran beside the control "
        "plane of `make test-cluster`, outside of containers and as their charts configure them, with the values of a "
        "platform:",
        table(("Chart", "Version", "What it did", "Test"), _controllers()),
    )


def _controllers() -> Iterator[tuple[str, ...]]:
    for chart, did, test in controllers():
        yield f"`{chart}`", find_chart(chart).version, did, f"`tests/cluster/{test}`"


def _rows() -> Iterator[tuple[str, ...]]:
    rehearsed = {provider: set[str]() for provider in PLATFORMS}
    for case in alone():
        rehearsed[case.provider] |= installed(case.spec)
    done = {provider: set[str]() for provider in PLATFORMS}
    for stack in performed():
        platform = description.load(PROJECT.stack_file(stack))
        in_cluster = {name for name in installed(platform) if find_addon(name).component is not None}
        done[platform.cloud.provider] |= in_cluster
    for name in sorted(set().union(*rehearsed.values())):
        yield (
            f"`{name}`",
            *(
                "performed" if name in done[provider] else "rehearsed" if name in rehearsed[provider] else "–"
                for provider in PLATFORMS
            ),
        )
