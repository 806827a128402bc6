"""Images from a mirror: each one that a chart runs, and a repository for each where the mirror is our own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from tests.addon_cases import PLATFORMS
from tests.descriptions import GONE, TRAINING, changed
from tests.kubernetes.every_addon import built, with_every_addon

from penstock.graph.graph import Graph
from penstock.kubernetes.facts import charts
from penstock.testing import rehearse

RELEASE = "kubernetes:helm.sh/v3:Release"
MIRROR = "mirror.example.com/public"

NEVER_RUN: Mapping[str, set[str]] = {
    "argo-cd": {"ghcr.io/dexidp/dex"},  # dex.enabled: false
    "jupyterhub": {
        "quay.io/jupyterhub/k8s-network-tools",  # blocks the cloud's metadata, which a policy does
        "quay.io/jupyterhub/k8s-image-awaiter",  # prePuller.hook.enabled: false
        "registry.k8s.io/kube-scheduler",  # scheduling.userScheduler.enabled: false
        "registry.k8s.io/pause",  # prePuller and userPlaceholder are off
    },
    "kubeflow-trainer": {"docker.io/alpine"},  # installs the chart's own runtimes, which are off
    "opencost": {"ghcr.io/opencost/opencost-ui"},  # opencost.ui.enabled: false
    "slurm": {"docker.io/library/alpine"},  # logfiles and reconfiguration run in Slurm's own images
}
"""What charts run only by values that the platform switches off."""


def texts(values: Any) -> Iterator[str]:
    if isinstance(values, Mapping):
        for each in values.values():
            yield from texts(each)
    elif isinstance(values, list):
        for each in values:
            yield from texts(each)
    elif isinstance(values, str):
        yield values


def pulled(graph: Graph) -> Iterator[tuple[charts.Chart, set[str]]]:
    """Each chart with public images, and what its values say of registries and images."""
    for each in graph.of_type(RELEASE):
        chart = charts.find_chart(each.inputs["name"])
        if chart.image is not None:
            yield chart, set(texts(each.inputs["values"]))


@pytest.mark.parametrize("provider", PLATFORMS)
def test_each_image_that_a_chart_runs_comes_from_the_mirror(provider: str) -> None:
    network = {**PLATFORMS[provider].get("network", {}), "image_mirror": MIRROR}
    public = []
    for run in built(provider, network=network):
        for chart, values in pulled(run.graph):
            for image in {chart.image or "", *chart.images} - NEVER_RUN.get(chart.name, set()):
                copied = f"{MIRROR}/{image.partition('/')[2]}"
                if not any(f"{copied}/".startswith(f"{each}/") for each in values if each.startswith(MIRROR)):
                    public.append((chart.name, image))

    assert public == []


def test_a_closed_network_has_a_repository_for_each_image() -> None:
    for described in with_every_addon("aws", network={**TRAINING["network"], "egress": "none"}):
        run = rehearse(changed("storage.1.fabric", GONE, described))

        repositories = [each.inputs.get("name", "") for each in run.graph.of_type("aws:ecr/repository:Repository")]
        made = {name for name in repositories if name.startswith("platform-prod-mirror/")}
        (mirror,) = run.graph.of_type("penstock:aws:ImageMirror")
        copies = mirror.outputs["copies"]
        assert len(made) == len({each.partition("/")[2] for each in copies})  # two registries may share a path
        for chart, _ in pulled(run.graph):
            for image in (chart.image or "", *chart.images):
                assert image in copies
                assert f"platform-prod-mirror/{image.partition('/')[2]}" in made
        assert [each for each in run.findings if each.code == "k8s-image-within-reach"] == []


def test_images_that_no_chart_runs_are_copied_as_well() -> None:
    (described,) = with_every_addon("aws", network={**TRAINING["network"], "egress": "none"})
    run = rehearse(changed("storage.1.fabric", GONE, described))

    (mirror,) = run.graph.of_type("penstock:aws:ImageMirror")
    assert {"public.ecr.aws/deep-learning-containers/pytorch", "docker.io/rayproject/ray"} <= set(
        mirror.outputs["copies"]
    )
    (runtime,) = run.graph.of_type("kubernetes:trainer.kubeflow.org/v1alpha1:ClusterTrainingRuntime")
    assert "platform-prod-mirror/deep-learning-containers/pytorch:" in str(runtime.inputs["spec"])
