"""What a new repository requires: the Penstock that wrote it, and never a package of the same name from elsewhere."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from penstock import __version__
from penstock.app.init import plan_repository
from penstock.core.errors import Unwritable

WHEEL = f"penstock_iac-{__version__}-py3-none-any.whl"
IN_VENDOR = f"./vendor/{WHEEL}[aws,preflight-aws]"
OPTIONS = {"cloud": "aws", "accelerator": "h100"}


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    """A wheel file, of our name and without our code."""
    file = tmp_path / "dist" / WHEEL
    file.parent.mkdir()
    about = WHEEL.removesuffix("-py3-none-any.whl") + ".dist-info"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(f"{about}/METADATA", f"Metadata-Version: 2.4\nName: penstock-iac\nVersion: {__version__}\n")
        archive.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{about}/RECORD", "")
    return file


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on the path with the metadata of an installed Penstock."""
    about = tmp_path / "site" / f"penstock_iac-{__version__}.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.4\nName: penstock-iac\nVersion: {__version__}\n")
    monkeypatch.syspath_prepend(str(about.parent))
    return about.parent


def installed_from(site: Path, origin: Mapping[str, Any]) -> None:
    """Record where it was installed from, as PEP 610 says."""
    (about,) = site.iterdir()
    (about / "direct_url.json").write_text(json.dumps(origin))


def wheel_origin(wheel: Path) -> dict[str, Any]:
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    return {"url": wheel.as_uri(), "archive_info": {"hashes": {"sha256": digest}}}


def init(site: Path, folder: Path, *options: str) -> str:
    """Run `penstock init` as it is installed in a folder, and return what it prints."""
    command = [sys.executable, "-m", "penstock", "init", "--cloud", "aws", "--accelerator", "h100", *options]
    variables = {**os.environ, "PYTHONPATH": str(site)}
    return subprocess.run(command, cwd=folder, env=variables, check=True, capture_output=True, text=True).stdout


@pytest.mark.usefixtures("site")
def test_an_installation_from_an_index_is_required_by_name_and_version(tmp_path: Path) -> None:
    plan_repository(OPTIONS, tmp_path / "new").write()

    required = (tmp_path / "new" / "requirements.txt").read_text().splitlines()
    assert required[0] == f"penstock-iac[aws,preflight-aws]=={__version__}"
    assert not (tmp_path / "new" / "vendor").exists()


def test_the_installed_wheel_is_in_the_repository_and_pip_and_git_take_it(
    site: Path, wheel: Path, tmp_path: Path
) -> None:
    installed_from(site, wheel_origin(wheel))
    new = tmp_path / "new"

    plan_repository(OPTIONS, new).write()

    assert (new / "vendor" / WHEEL).read_bytes() == wheel.read_bytes()
    pip = [sys.executable, "-m", "pip", "install", "--dry-run", "--no-index", "--no-deps", "--ignore-installed"]
    (new / "penstock.txt").write_text((new / "requirements.txt").read_text().partition("\n")[0])
    report = [*pip, "--quiet", "--report", "-", "--requirement", "penstock.txt"]
    (found,) = json.loads(subprocess.run(report, cwd=new, check=True, capture_output=True).stdout)["install"]
    assert (found["metadata"]["name"], found["requested_extras"]) == ("penstock-iac", ["aws", "preflight-aws"])
    subprocess.run(["git", "init", "-q"], cwd=new, check=True)
    ignored = subprocess.run(["git", "check-ignore", f"vendor/{WHEEL}"], cwd=new, capture_output=True, check=False)
    assert ignored.returncode == 1


def test_uv_records_no_digest_of_the_wheel(site: Path, wheel: Path, tmp_path: Path) -> None:
    installed_from(site, {"url": wheel.as_uri(), "archive_info": {}})

    plan_repository(OPTIONS, tmp_path / "new").write()

    assert (tmp_path / "new" / "vendor" / WHEEL).read_bytes() == wheel.read_bytes()


@pytest.mark.parametrize("case", ["editable", "gone", "other content", "other name", "other host"])
def test_without_the_installed_wheel_the_repository_waits_for_it_and_init_says_so(
    case: str, site: Path, wheel: Path, tmp_path: Path
) -> None:
    origins: Mapping[str, dict[str, Any]] = {
        "editable": {"url": tmp_path.as_uri(), "dir_info": {"editable": True}},
        "other name": {"url": wheel.with_name("penstock-0.1.0-py3-none-any.whl").as_uri(), "archive_info": {}},
        "other host": {"url": f"https://example.com/{WHEEL}", "archive_info": {}},
    }
    installed_from(site, origins.get(case) or wheel_origin(wheel))
    if case == "gone":
        wheel.unlink()
    elif case == "other content":
        wheel.write_bytes(wheel.read_bytes() + b"\0")
    elif case == "other name":
        wheel.rename(wheel.with_name("penstock-0.1.0-py3-none-any.whl"))

    printed = init(site, tmp_path, "new")

    assert (tmp_path / "new" / "requirements.txt").read_text().startswith(f"{IN_VENDOR}\n")
    assert not (tmp_path / "new" / "vendor").exists()
    assert f"Missing: vendor/{WHEEL}. " in printed
    assert f"pip wheel --no-deps --wheel-dir {tmp_path}/new/vendor ." in printed


def test_an_existing_project_gets_the_wheel_and_the_line_to_add_once(site: Path, wheel: Path, tmp_path: Path) -> None:
    installed_from(site, wheel_origin(wheel))
    project = tmp_path / "shop"
    project.mkdir()
    (project / "Pulumi.yaml").write_text("name: shop\nruntime: python\n")
    (project / "requirements.txt").write_text("pulumi\n")

    printed = init(site, project, "--stack", "first")

    assert f"Add to the requirements of the project: {IN_VENDOR}\n" in printed
    assert (project / "vendor" / WHEEL).is_file()
    (project / "requirements.txt").write_text(f"pulumi\n{IN_VENDOR}\n")
    assert "Add to the requirements" not in init(site, project, "--stack", "second")


def test_nothing_is_left_behind_if_the_wheel_cannot_be_copied(site: Path, wheel: Path, tmp_path: Path) -> None:
    installed_from(site, wheel_origin(wheel))
    repository = plan_repository(OPTIONS, tmp_path / "new")
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "vendor").write_text("theirs")

    with pytest.raises(Unwritable, match="cannot be written"):
        repository.write()

    assert [each.name for each in (tmp_path / "new").iterdir()] == ["vendor"]
