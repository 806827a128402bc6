"""Descriptions whose jobs are tested, and what their manifests hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from tests.descriptions import ONPREM_TRAINING, changed
from tests.environments import PROJECT

from penstock import description
from penstock.addons.training.block import TrainingSpec
from penstock.description.platform import Spec

WITH_TRAINING = changed("addons", {"training": {}}, ONPREM_TRAINING)


def described(stack: str) -> Spec:
    return description.load(PROJECT.stack_file(stack))


def without_trainer(stack: str) -> Spec:
    found = described(stack)
    return found.model_copy(update={"addons": found.addons.model_copy(update={"training": None})})


def with_training(platform: Spec) -> Spec:
    return platform.model_copy(update={"addons": platform.addons.model_copy(update={"training": TrainingSpec()})})


def pod_of(manifests: list[dict[str, Any]]) -> Mapping[str, Any]:
    (job,) = (each for each in manifests if each["kind"] == "Job")
    return cast("Mapping[str, Any]", job["spec"]["template"])


def templates_of(manifest: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The templates of pods in a manifest that create pods."""
    if manifest["kind"] == "Job":
        return [manifest["spec"]["template"]]
    if manifest["kind"] == "TrainingRuntime":
        jobs = manifest["spec"]["template"]["spec"]["replicatedJobs"]
        return [each["template"]["spec"]["template"] for each in jobs]
    patches = manifest["spec"].get("runtimePatches", []) if manifest["kind"] == "TrainJob" else []
    return [
        each["template"]["spec"]["template"]
        for patch in patches
        for each in patch["trainingRuntimeSpec"]["template"]["spec"]["replicatedJobs"]
    ]
