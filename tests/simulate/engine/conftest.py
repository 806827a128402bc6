"""A simulated AWS served as the engine's plugin serves it, on a port of this machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import grpc
import pytest
from pulumi.runtime.proto import provider_pb2 as rpc
from pulumi.runtime.proto.provider_pb2_grpc import ResourceProviderStub

from penstock.simulate.engine.plugin import serve
from penstock.simulate.engine.servicer import Servicer
from penstock.simulate.engine.world import World
from penstock.simulate.wire import to_wire

Served = Callable[..., Any]


@pytest.fixture
def world_file(tmp_path: Path) -> Path:
    return tmp_path / "world.jsonl"


@pytest.fixture
def served(world_file: Path) -> Iterator[Served]:
    """Serves a package anew, as each run of the engine does; the simulated cloud stays the same."""
    running = []

    def start(
        package: str = "aws",
        *,
        config: Mapping[str, Any] | None = None,
        faults: Mapping[str, str] = MappingProxyType({}),
        engine: int = 0,
    ) -> Any:
        server, port = serve(Servicer(package, World(world_file), faults, judges=True, engine=engine))
        channel = grpc.insecure_channel(f"127.0.0.1:{port}", options=[("grpc.max_receive_message_length", -1)])
        running.append((server, channel))
        stub = ResourceProviderStub(channel)
        stub.Configure(rpc.ConfigureRequest(args=to_wire(config or {"region": "us-east-1"})))
        return stub

    yield start
    for server, channel in running:
        channel.close()
        server.stop(None).wait()
