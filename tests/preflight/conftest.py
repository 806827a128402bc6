"""The clouds of tests: each answers on loopback, and none is asked elsewhere."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.preflight.awsserver import AwsServer, aws_server
from tests.preflight.azureserver import AzureServer
from tests.preflight.clusterserver import ClusterServer
from tests.preflight.googleserver import GoogleServer
from tests.preflight.httpapi import serving


@pytest.fixture
def aws(monkeypatch: pytest.MonkeyPatch) -> Iterator[AwsServer]:
    """An account that has nothing yet; boto3 finds it by the environment."""
    with aws_server() as server:
        for name, value in server.variables.items():
            monkeypatch.setenv(name, value)
        yield server


@pytest.fixture
def google() -> Iterator[GoogleServer]:
    """A project that has nothing yet."""
    server = GoogleServer()
    with serving(server):
        yield server


@pytest.fixture
def azure() -> Iterator[AzureServer]:
    """A subscription that has nothing yet."""
    server = AzureServer()
    with serving(server):
        yield server


@pytest.fixture
def cluster() -> Iterator[ClusterServer]:
    """A cluster without nodes."""
    server = ClusterServer()
    with serving(server):
        yield server
