"""The control planes that the tests of this folder share, and why they are not there where they are not."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager

import pytest
from tests.cluster import binaries
from tests.cluster.control_plane import ControlPlane, control_plane
from tests.cluster.controllers import JOB_SET, KUEUE


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ControlPlane]:
    """A real control plane without nodes; with JobSet beside it where the machine has it."""
    with _started(tmp_path_factory) as found:
        _add_job_sets(found, tmp_path_factory)
        yield found


@pytest.fixture(scope="module")
def admitting_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ControlPlane]:
    """One that lets pods past the taints of devices that they request, as GKE does."""
    with _started(tmp_path_factory, "ExtendedResourceToleration") as found:
        _add_job_sets(found, tmp_path_factory)
        yield found


@pytest.fixture(scope="module")
def bare_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ControlPlane]:
    """One with nothing beside it, for what installs all that it needs; no webhook that it installs is asked."""
    with _started(tmp_path_factory, asks_webhooks=False) as found:
        yield found


@pytest.fixture(scope="module")
def asked_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ControlPlane]:
    """One with nothing beside it, which asks the webhooks of those that a test starts."""
    with _started(tmp_path_factory) as found:
        yield found


@pytest.fixture(scope="module")
def kueue(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ControlPlane]:
    """One with Kueue beside it."""
    with _started(tmp_path_factory) as found:
        KUEUE.start(found, tmp_path_factory.mktemp("kueue"), frameworks=("batch/job", "pod"))
        yield found


def _add_job_sets(cluster: ControlPlane, folders: pytest.TempPathFactory) -> None:
    if not JOB_SET.missing():
        JOB_SET.start(cluster, folders.mktemp("jobset"))


def _started(
    folders: pytest.TempPathFactory, *admission: str, asks_webhooks: bool = True
) -> AbstractContextManager[ControlPlane]:
    if lacking := binaries.missing():
        pytest.skip(f"no control plane: {', '.join(lacking)} not in {binaries.FOLDER}; `make test-cluster` builds them")
    return control_plane(folders.mktemp("control-plane"), *admission, asks_webhooks=asks_webhooks)
