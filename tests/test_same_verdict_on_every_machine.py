"""A rehearsal has the same result on every machine: no home folder, variable or time zone of one changes it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

STACKS = Path(__file__).parents[1] / "stacks"

KUBECONFIG = {
    "clusters": [{"name": "other", "cluster": {"server": "https://127.0.0.1:16443"}}],
    "users": [{"name": "other", "user": {}}],
    "contexts": [{"name": "other", "context": {"cluster": "other", "user": "other"}}],
    "current-context": "other",
}
HOME_FILES = {
    ".kube/config": json.dumps(KUBECONFIG),
    ".kube/edge.yaml": "not a kubeconfig",
    ".aws/config": "[default]\nregion = ap-south-2\n",
    ".aws/credentials": "[default]\naws_access_key_id = AKIAIOSFODNN7EXAMPLE\n",
    ".config/gcloud/configurations/config_default": "[core]\nproject = other\n",
    ".azure/azureProfile.json": '{"subscriptions": []}',
    ".pulumi/credentials.json": '{"current": "https://api.pulumi.com"}',
    ".pulumi/workspaces/other.json": "{}",
}
VARIABLES = {
    "AWS_REGION": "ap-south-2",
    "AWS_DEFAULT_REGION": "mars-1",
    "AWS_PROFILE": "other",
    "GOOGLE_PROJECT": "other-project",
    "GOOGLE_REGION": "mars-east1",
    "GOOGLE_ZONE": "mars-east1-a",
    "CLOUDSDK_CORE_PROJECT": "other-project",
    "ARM_SUBSCRIPTION_ID": "00000000-0000-0000-0000-000000000001",
    "AZURE_LOCATION": "mars",
    "PULUMI_CONFIG": '{"shop:size": "7", "aws:region": "mars-1"}',
    "PULUMI_CONFIG_SHOP_SIZE": "8",
    "PULUMI_CONFIG_AWS_REGION": "mars-1",
    "PULUMI_ERROR_OUTPUT_STRING": "true",
    "PULUMI_K8S_ENABLE_SERVER_SIDE_APPLY": "false",
    "PULUMI_STACK": "other",
    "TZ": "Pacific/Kiritimati",
    "LC_ALL": "C",
    "LANG": "de_DE.UTF-8",
    "COLUMNS": "41",
    "FORCE_COLOR": "1",
    "PYTHONHASHSEED": "7",
}
PROGRAM = """\
import pulumi
import pulumi_aws as aws
import pulumi_gcp as gcp
import pulumi_kubernetes as kubernetes

in_aws, in_gcp = aws.Provider("aws"), gcp.Provider("gcp")
cluster = kubernetes.Provider("cluster", suppress_deprecation_warnings=True)
aws.ec2.Vpc("network", cidr_block="10.0.0.0/16", opts=pulumi.ResourceOptions(provider=in_aws))
kubernetes.core.v1.Namespace("team", opts=pulumi.ResourceOptions(provider=cluster))
pulumi.export("size", pulumi.Config().get_int("size"))
pulumi.export("region", aws.config.region)
pulumi.export("project", gcp.config.project)
"""


def rehearsed(folder: Path, variables: Mapping[str, str], *arguments: str | Path, umask: int = 0o022) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "penstock", "rehearse", *map(str, arguments), "--format", "json"],
        cwd=folder,
        env={"PATH": os.environ["PATH"], **variables},
        umask=umask,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


@pytest.fixture
def hostile(tmp_path: Path) -> Mapping[str, str]:
    home = tmp_path / "home"
    for name, content in HOME_FILES.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(content, encoding="utf-8")
    return {"HOME": str(home), "KUBECONFIG": str(home / ".kube" / "config"), **VARIABLES}


@pytest.mark.parametrize("stack", ["edge", "onprem-train"])
def test_a_description_has_the_same_report(tmp_path: Path, hostile: Mapping[str, str], stack: str) -> None:
    (tmp_path / "empty").mkdir()
    clean = {"HOME": str(tmp_path / "empty")}
    target = STACKS / f"Pulumi.{stack}.yaml"

    assert rehearsed(STACKS, clean, target) == rehearsed(STACKS, hostile, target, umask=0o077)


@pytest.mark.parametrize("own_interpreter", [False, True])
def test_a_program_of_any_kind_has_the_same_report(
    tmp_path: Path, hostile: Mapping[str, str], own_interpreter: bool
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "Pulumi.yaml").write_text("name: shop\nruntime: python\n", encoding="utf-8")
    (tmp_path / "__main__.py").write_text(PROGRAM, encoding="utf-8")
    if own_interpreter:  # a module of the project that hides one of Python's
        (tmp_path / "this.py").write_text("", encoding="utf-8")
    clean = {"HOME": str(tmp_path / "empty")}
    arguments = (tmp_path, "--stack", "dev")

    assert rehearsed(tmp_path, clean, *arguments) == rehearsed(tmp_path, hostile, *arguments, umask=0o077)


def test_a_program_reads_its_own_variables(tmp_path: Path) -> None:
    (tmp_path / "Pulumi.yaml").write_text("name: shop\nruntime: python\n", encoding="utf-8")
    program = 'import os, pulumi\npulumi.export("region", [os.environ["AWS_REGION"], os.getenv("AWS_REGION")])\n'
    (tmp_path / "__main__.py").write_text(program, encoding="utf-8")

    report = json.loads(rehearsed(tmp_path, {"AWS_REGION": "eu-west-1"}, tmp_path, "--stack", "dev"))

    assert report["resources"][0]["outputs"]["region"] == ["eu-west-1", "eu-west-1"]
