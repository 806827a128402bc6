"""`pulumi policy publish` takes the policy pack as it is installed."""

from __future__ import annotations

import gzip
import io
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from tests.engine.service import ORGANIZATION, Published, service

from penstock import __version__
from penstock.pack import servicer

pytestmark = pytest.mark.skipif(shutil.which("pulumi") is None, reason="the Pulumi CLI is not on the PATH")

PACK = Path(servicer.__file__).with_name("policy_pack")


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Published:
    folder = tmp_path_factory.mktemp("publish")
    with service() as (address, published):
        variables = {
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",  # as in an active environment
            "PULUMI_HOME": str(folder),
            "PULUMI_BACKEND_URL": address,
            "PULUMI_ACCESS_TOKEN": "token-of-a-test",
            "PULUMI_SKIP_UPDATE_CHECK": "true",
        }
        done = subprocess.run(
            ["pulumi", "policy", "publish", ORGANIZATION, "--non-interactive"],
            cwd=PACK,
            env={**os.environ, **variables},
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
    assert done.returncode == 0, done.stdout + done.stderr
    return published


def test_a_published_pack_has_the_version_of_penstock(published: Published) -> None:
    assert (published.metadata["name"], published.metadata["versionTag"]) == ("penstock", __version__)
    assert published.completed == __version__


def test_each_policy_is_published_with_what_a_group_shows_of_it(published: Published) -> None:
    for policy in published.metadata["policies"]:
        assert policy["name"]
        assert policy["description"]
        assert policy["enforcementLevel"] in ("advisory", "mandatory")


def test_a_group_can_set_what_a_stack_file_can(published: Published) -> None:
    (own,) = (policy for policy in published.metadata["policies"] if policy["name"] == "penstock")

    assert {"packs", "rules", "waivers", "enforcement"} <= own["configSchema"]["properties"].keys()


def test_the_archive_installs_this_version_and_knows_no_path_of_this_machine(published: Published) -> None:
    with tarfile.open(fileobj=io.BytesIO(gzip.decompress(published.archive))) as archive:
        files = {member.name: archive.extractfile(member) for member in archive if member.isfile()}
        texts = {name: file.read().decode() for name, file in files.items() if file is not None}

    assert {"package/PulumiPolicy.yaml", "package/__main__.py", "package/requirements.txt"} <= texts.keys()
    assert texts["package/requirements.txt"].strip() == f"penstock-iac=={__version__}"
    assert not any(str(Path(sys.prefix)) in text or str(PACK) in text for text in texts.values())
