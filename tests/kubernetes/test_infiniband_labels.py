"""Nodes of InfiniBand pools are labelled by partition and switch, and Kueue places jobs by the switch."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from tests.environments import environment as environment_of

from penstock import description
from penstock.addons.network_operator import infiniband_labels
from penstock.description import document
from penstock.description.nodes import nodes_of

PARTITIONS = {"mlx5_0": ("0x8a12", "0x7fff"), "mlx5_1": ("0x8a12", "0xffff")}
GID = "fe80:0000:0000:0000:0015:5dff:fe33:ff{}"


@pytest.fixture
def node(tmp_path: Path) -> Path:
    """A node with two adapters."""
    for index, (device, keys) in enumerate(PARTITIONS.items()):
        port = tmp_path / "sys/class/infiniband" / device / "ports/1"
        for folder in ("pkeys", "gids"):
            (port / folder).mkdir(parents=True)
        for number, key in enumerate(keys):
            (port / "pkeys" / str(number)).write_text(f"{key}\n")
        (port / "gids/0").write_text(GID.format(f"0{index}") + "\n")
    (tmp_path / "features").mkdir()
    (tmp_path / "switches").mkdir()
    return tmp_path


def written(node: Path) -> list[str]:
    script = infiniband_labels._SCRIPT.replace("sleep 60", "exit 0")  # noqa: SLF001 - it never ends by itself
    for folder in ("/sys/class/infiniband", "/switches", "/features"):
        script = script.replace(folder, f"{node}{folder}")
    subprocess.run(["sh", "-c", script], check=True, env={"NODE": "aks-train-0", "PATH": "/usr/bin:/bin"})
    return (node / "features/infiniband").read_text().splitlines()


def test_partitions_of_full_members_and_ports_are_found(node: Path) -> None:
    assert written(node) == [
        "ib/pkey=0x8a12",
        "ib/torset=unknown",
        "# +no-label",
        "ib.hca-guids=0x00155dfffe33ff00,0x00155dfffe33ff01",
    ]


def test_the_switch_is_what_somebody_has_found(node: Path) -> None:
    (node / "switches/aks-train-0").write_text("torset-03")

    assert "ib/torset=torset-03" in written(node)


def test_a_node_without_a_partition_still_has_every_level_of_the_topology(node: Path) -> None:
    for key in node.glob("sys/class/infiniband/*/ports/1/pkeys/*"):
        key.write_text("0xffff\n")

    labels = written(node)

    assert not any(line.startswith("ib/pkey") for line in labels)
    assert "ib/torset=unknown" in labels


@pytest.mark.parametrize(("environment", "levels"), [("azure-train", 2), ("azure-serve", 1)])
def test_jobs_are_placed_by_the_switches_of_infiniband(environment: str, levels: int) -> None:
    described = json.loads(environment_of(environment).config.values[document.KEY])
    pool = next(each for each in nodes_of(description.parse(described)) if each.accelerators)

    assert pool.topology == ("ib/torset", "kubernetes.io/hostname")[-levels:]
