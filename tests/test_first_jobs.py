"""The pods that the guide shows for each environment run there: on its machines, with claims that they may use."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, cast

import pulumi
import pulumi_kubernetes
import pytest
import yaml
from tests.environments import PROJECT, STACKS

from penstock import description
from penstock.description import kubeconfig
from penstock.description.nodes import nodes_of
from penstock.description.platform import Spec
from penstock.description.storage import BucketSpec
from penstock.platform import Platform
from penstock.simulate.run import Rehearsal
from penstock.testing import rehearse

pytestmark = pytest.mark.slow

PAGE = Path(__file__).parents[1] / "docs" / "guides" / "first-jobs.md"
CLAIM = "kubernetes:core/v1:PersistentVolumeClaim"

Manifest = dict[str, Any]


@cache
def manifests(stack: str) -> tuple[Manifest, ...]:
    """The objects that the guide shows for an environment."""
    blocks = re.findall(
        rf"^```yaml\n# on {stack}\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )
    return tuple(yaml.safe_load(block) for block in blocks)


@cache
def described(stack: str) -> Spec:
    return description.load(PROJECT.stack_file(stack))


def pods(stack: str) -> Iterator[Manifest]:
    """The specs of the pods that run."""
    for manifest in manifests(stack):
        if manifest["kind"] == "Pod":
            yield manifest["spec"]
        elif manifest["kind"] == "Job":
            yield manifest["spec"]["template"]["spec"]


def with_jobs(stack: str) -> Rehearsal:
    """The platform, and the objects of the guide in its cluster."""

    def program() -> None:
        platform, existing = Platform(described(stack)), kubeconfig.source_of(described(stack).cluster)
        written = cast("pulumi.Input[str] | None", platform.outputs.get("kubeconfig", existing.written))
        provider = pulumi_kubernetes.Provider("jobs", kubeconfig=written, context=existing.context)
        for manifest in manifests(stack):
            version = manifest["apiVersion"]
            type_ = f"kubernetes:{'core/v1' if version == 'v1' else version}:{manifest['kind']}"
            name = f"{manifest['kind']}-{manifest['metadata']['name']}"
            pulumi.CustomResource(
                type_, name, manifest, pulumi.ResourceOptions(provider=provider, depends_on=[platform])
            )

    return rehearse(program)


def claims_of(pod: Mapping[str, Any]) -> dict[str, str]:
    """The claims of a pod, by the name of its volume."""
    volumes = (volume for volume in pod.get("volumes", ()) if "persistentVolumeClaim" in volume)
    return {volume["name"]: volume["persistentVolumeClaim"]["claimName"] for volume in volumes}


def written_by(pod: Mapping[str, Any]) -> set[str]:
    """The volumes that a pod does not mount for reading only."""
    mounts = [mount for container in pod["containers"] for mount in container.get("volumeMounts", ())]
    return {mount["name"] for mount in mounts if not mount.get("readOnly")}


@pytest.mark.parametrize("stack", STACKS)
def test_the_first_job_of_an_environment_runs_as_it_is(stack: str) -> None:
    done = with_jobs(stack)

    claims = {claim.inputs["metadata"]["name"] for claim in done.graph.of_type(CLAIM)}
    assert done.findings == ()
    assert {claim for pod in pods(stack) for claim in claims_of(pod).values()} <= claims


@pytest.mark.parametrize("stack", STACKS)
def test_every_environment_has_a_first_job_on_a_pool_of_its_own(stack: str) -> None:
    pools = nodes_of(described(stack))

    assert list(pods(stack))
    for pod in pods(stack):
        assert [nodes.pool for nodes in pools if nodes.selector.items() <= pod["nodeSelector"].items()]


@pytest.mark.parametrize("stack", STACKS)
def test_pods_mount_buckets_as_somebody_who_may(stack: str) -> None:
    buckets = {item.name: item for item in described(stack).storage if isinstance(item, BucketSpec)}

    for pod in pods(stack):
        for volume, claim in claims_of(pod).items():
            if bucket := buckets.get(claim):
                may = bucket.writers if volume in written_by(pod) else (*bucket.readers, *bucket.writers)
                assert f"default/{pod['serviceAccountName']}" in may, claim


@pytest.mark.parametrize("stack", STACKS)
def test_processes_of_one_pod_share_memory_where_they_have_several_gpus(stack: str) -> None:
    for pod in pods(stack):
        memory = {each["name"] for each in pod.get("volumes", ()) if each.get("emptyDir", {}).get("medium") == "Memory"}
        for container in pod["containers"]:
            shared = {mount["name"] for mount in container.get("volumeMounts", ()) if mount["mountPath"] == "/dev/shm"}
            if container["resources"]["limits"].get("nvidia.com/gpu", 0) > 1:
                assert shared
            assert shared <= memory


@pytest.mark.parametrize("stack", [stack for stack in STACKS if described(stack).cloud.provider == "gcp"])
def test_the_plugin_of_a_fabric_is_found_whatever_the_image_is_built_on(stack: str) -> None:
    for pod in pods(stack):
        for container in pod["containers"]:
            if "envFrom" in container:
                assert {"name": "LD_LIBRARY_PATH", "value": "/usr/local/nvidia/lib64"} in container["env"]
