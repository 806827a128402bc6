"""Contents of known images: references are read as container runtimes read them, and default images fit."""

from __future__ import annotations

import pytest

from penstock.catalog.records import records
from penstock.kubernetes.facts.fabric_plugins import FabricPlugin
from penstock.kubernetes.facts.image_contents import ImageContents, find_contents
from penstock.kubernetes.facts.workload_images import find_image

PLUGINS = records(FabricPlugin, "kubernetes/fabric_plugins")


@pytest.mark.parametrize(
    "reference",
    [
        "pytorch/pytorch",
        "pytorch/pytorch:2.13.0-cuda13.0-cudnn9-runtime",
        "docker.io/pytorch/pytorch:latest",
        "index.docker.io/pytorch/pytorch@sha256:aaaa",
        "registry-1.docker.io/pytorch/pytorch:2.9@sha256:aaaa",
    ],
)
def test_an_image_of_docker_hub_is_known_however_it_is_written(reference: str) -> None:
    found = find_contents(reference)

    assert found is not None
    assert found.surely_lacks("aws-ofi-nccl")


@pytest.mark.parametrize(
    ("reference", "has"),
    [
        ("public.ecr.aws/deep-learning-containers/pytorch:2.12.1-cu130-amzn2023", True),
        ("public.ecr.aws/deep-learning-containers/pytorch:2.12-cpu-amzn2023", False),
        ("763104351884.dkr.ecr.eu-west-1.amazonaws.com/pytorch-training:2.9.0-gpu-py312-cu130-ubuntu22.04-ec2", True),
    ],
)
def test_the_tag_decides_what_an_image_contains(reference: str, *, has: bool) -> None:
    found = find_contents(reference)

    assert found is not None
    assert ("aws-ofi-nccl" in found.has) == has


@pytest.mark.parametrize(
    "reference",
    [
        "registry.example.com/pytorch/pytorch:1",
        "localhost:5000/pytorch/pytorch",
        "pytorch",
        "public.ecr.aws/deep-learning-containers/pytorch@sha256:aaaa",
    ],
)
def test_other_images_are_unknown(reference: str) -> None:
    assert find_contents(reference) is None


def test_no_image_both_has_and_lacks_a_library() -> None:
    libraries = {each.library for each in PLUGINS}
    for each in records(ImageContents, "kubernetes/image_contents"):
        assert not each.has & each.lacks, each.image
        assert each.has | each.lacks <= libraries, each.image


@pytest.mark.parametrize("plugin", PLUGINS, ids=lambda each: f"{each.provider}-{each.fabric}-{each.devices}")
def test_the_default_image_of_a_fabric_contains_its_library_unless_the_node_brings_it(plugin: FabricPlugin) -> None:
    contents = find_contents(find_image(plugin.image).reference)

    assert contents is not None
    assert plugin.brought_by == "node" or plugin.library in contents.has
    assert plugin.brought_by == "node" or plugin.library not in contents.lacks
