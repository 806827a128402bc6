"""The wheel is all that one needs: it works with no clone beside it, policy pack included."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest
from tests import built_wheel
from tests.pack import engine

from penstock import __version__

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
MOST_BYTES = 8_000_000
STACK = """config:
  penstock:platform:
    environment: dev
    cloud: {provider: aws, region: us-east-1}
    cluster: {deployer_cidrs: [203.0.113.0/24], admins: ["arn:aws:iam::123456789012:role/platform"]}
    node_pools:
      - {name: train, accelerator: l4, nodes: 1}
    storage:
      - {name: datasets, kind: bucket}
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the wheel holds."""
    folder = tmp_path_factory.mktemp("wheel")
    wheel = built_wheel.built(folder / "dist")
    assert wheel.name == f"penstock_iac-{__version__}-py3-none-any.whl"
    assert wheel.stat().st_size < MOST_BYTES, "the wheel is what every user downloads"
    return built_wheel.unpacked(wheel, folder / "site")


@pytest.fixture
def away(installed: Path) -> Mapping[str, str]:
    """Variables with which Python finds the wheel and what it depends on, and no clone."""
    return built_wheel.variables(installed)


def run(away: Mapping[str, str], folder: Path, *arguments: str) -> str:
    command = [*built_wheel.python(), "-m", "penstock", *arguments]
    return subprocess.run(command, cwd=folder, env=away, check=True, capture_output=True, text=True).stdout


def test_it_carries_licence_types_and_metadata(installed: Path) -> None:
    (about,) = installed.glob("penstock_iac-*.dist-info")
    metadata = (about / "METADATA").read_text(encoding="utf-8")

    assert (about / "licenses" / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()
    assert (installed / "penstock" / "py.typed").is_file()
    assert f"Version: {__version__}\n" in metadata
    assert "License-Expression: Apache-2.0\n" in metadata
    assert "Classifier: Typing :: Typed\n" in metadata


def test_the_command_rehearses_a_stack(away: Mapping[str, str], tmp_path: Path) -> None:
    (tmp_path / "Pulumi.yaml").write_text("name: mine\nruntime: python\n")
    (tmp_path / "Pulumi.dev.yaml").write_text(STACK)
    (tmp_path / "__main__.py").write_text((ROOT / "stacks" / "__main__.py").read_text(encoding="utf-8"))

    assert run(away, tmp_path, "--version") == f"penstock {__version__}\n"
    assert "no findings" in run(away, tmp_path, "rehearse", "dev")


def test_tests_of_a_user_find_the_pytest_plugin(away: Mapping[str, str], tmp_path: Path) -> None:
    (tmp_path / "test_volume.py").write_text(
        "from pulumi_aws import ebs\n"
        "def test_volume(rehearse):\n"
        '    rehearse(lambda: ebs.Volume("v", availability_zone="us-east-1a", size=8)).assert_no_findings()\n'
    )

    command = [*built_wheel.python(), "-m", "pytest", "-q"]
    tested = subprocess.run(command, cwd=tmp_path, env=away, check=False, capture_output=True, text=True)

    assert (tested.returncode, tested.stdout.splitlines()[-1][:8]) == (0, "1 passed"), tested.stdout


def test_the_guides_are_there_for_assistants(installed: Path) -> None:
    pages = {str(page.relative_to(ROOT / "docs")) for page in (ROOT / "docs" / "guides").glob("*.md")}

    assert pages <= {
        str(page.relative_to(installed / "penstock" / "docs"))
        for page in (installed / "penstock" / "docs").rglob("*.md")
    }


def test_the_policy_pack_starts(away: Mapping[str, str], installed: Path, tmp_path: Path) -> None:
    pack = Path(run(away, tmp_path, "policy-pack").strip())

    assert pack.is_relative_to(installed)
    assert len(list((pack / "kyverno").glob("*.yaml"))) == len(list((ROOT / "policies" / "kyverno").glob("*.yaml")))
    with engine.started(pack, PYTHONPATH=away["PYTHONPATH"]) as running:
        assert len(running.info().policies) > 1


def test_the_wheel_serves_components_to_other_languages(
    away: Mapping[str, str], installed: Path, tmp_path: Path
) -> None:
    (entries,) = installed.glob("*.dist-info/entry_points.txt")
    assert "pulumi-resource-penstock = penstock.component_provider.provider:main" in entries.read_text()

    command = [*built_wheel.python(), "-m", "penstock.component_provider.provider", "127.0.0.1:1"]
    with subprocess.Popen(command, cwd=tmp_path, env=away, stdout=subprocess.PIPE, text=True) as provider:
        assert provider.stdout is not None
        port = provider.stdout.readline()
        provider.kill()

    assert port.strip().isdecimal()
