"""The exceptions in the documentation are those that our own platforms need."""

from __future__ import annotations

import re

import pytest
from tests.environments import STACKS, rehearsed
from tests.policies.exceptions import AS_ROOT, IMAGES_BY_TAG

from penstock.app.judge import judge_policies
from penstock.azure.facts import lustre_clients
from penstock.catalog.records import records
from penstock.kubernetes.facts.gpudirect import Image
from penstock.kubernetes.facts.rdma_software import NicImage
from penstock.kubernetes.facts.workload_images import WorkloadImage
from penstock.rules.settings import Settings


def test_images_without_a_digest_are_listed_with_a_reason() -> None:
    images = {each.image for each in records(WorkloadImage, "kubernetes/workload_images") if each.digest is None}
    images |= {each.repository for each in records(Image, "kubernetes/fabric_images") if each.digest is None}
    images |= {
        f"{each.repository}/{each.image}" for each in records(NicImage, "kubernetes/nic_images") if not each.digest
    }

    assert images | {lustre_clients.IMAGE} == IMAGES_BY_TAG.keys()


@pytest.mark.parametrize("image", records(WorkloadImage, "kubernetes/workload_images"), ids=lambda each: each.name)
def test_images_with_a_digest_are_named_by_tag_and_digest(image: WorkloadImage) -> None:
    assert re.fullmatch(r"[^:@]+:[^:@]+(@sha256:[0-9a-f]{64})?", image.reference)
    assert (image.digest is None) == (image.image in IMAGES_BY_TAG)


@pytest.mark.slow
def test_components_whose_pods_run_as_root_are_listed_with_a_reason() -> None:
    settings = Settings(packs=("strict",), environment="prod")
    broken = {
        answer.resource.urn
        for stack in STACKS
        for answer in judge_policies(rehearsed(stack).graph, settings).of("fail")
        if answer.rule.id == "k8s-pod-nonroot"
    }

    assert {re.findall(r"penstock:kubernetes:(\w+)\$", urn)[-1] for urn in broken} == AS_ROOT.keys()


@pytest.mark.slow
def test_no_other_image_of_an_environment_is_named_by_tag() -> None:
    settings = Settings(packs=("strict",), environment="prod")
    for stack in STACKS:
        for answer in judge_policies(rehearsed(stack).graph, settings).of("fail"):
            if answer.rule.id != "k8s-image-digest":
                continue
            text = repr(answer.resource.inputs)
            named = {each.partition("@")[0] for each in re.findall(r"'image': '([^'@]+)'", text)}
            assert named
            assert {image.rpartition(":")[0] for image in named} <= IMAGES_BY_TAG.keys(), answer.resource.urn
