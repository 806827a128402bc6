"""The table of mounts: what files on them may be used for."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from penstock.description.mounts import mounts_of
from penstock.kubernetes.facts.file_systems import driver_of, kinds
from penstock.kubernetes.facts.mounts import all_mounts, find_mount, mounts_of_driver
from penstock.providers import built_clouds

PAGE = Path(__file__).parents[2] / "docs" / "guides" / "kubernetes-storage.md"


def test_mountpoint_renames_files_on_directory_buckets_only() -> None:
    assert find_mount("mountpoint-s3").rename_file == "no"
    assert find_mount("mountpoint-s3-directory").rename_file == "yes"
    assert {each.mount for each in mounts_of_driver("s3.csi.aws.com")} == {"mountpoint-s3", "mountpoint-s3-directory"}


@pytest.mark.parametrize("kind", kinds())
def test_every_file_system_that_exists_is_one_kind_of_mount(kind: str) -> None:
    assert len(mounts_of_driver(driver_of(kind).driver)) == 1


@pytest.mark.parametrize("cloud", built_clouds())
def test_every_cloud_mounts_files_that_can_be_renamed(cloud: str) -> None:
    mounts = mounts_of(cloud)

    assert {"lustre", "nfs"} <= set(mounts)
    assert mounts["lustre"].rename_file == "yes"


def test_the_guide_shows_the_table() -> None:
    text = PAGE.read_text(encoding="utf-8")
    shown = {
        cells[0]: cells[1:]
        for line in re.findall(r"^\| (.+) \|$", text, re.MULTILINE)
        if len(cells := [cell.strip() for cell in line.split(" | ")]) == 8
    }

    for mount in all_mounts():
        operations = [
            mount.rename_file, mount.rename_directory, mount.append, mount.random_write, mount.lock, mount.hard_link,
            mount.many_writers,
        ]  # fmt: skip
        assert shown[mount.title] == [each or "?" for each in operations], mount.title
