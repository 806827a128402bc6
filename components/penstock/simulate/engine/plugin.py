"""Serves one simulated cloud as a Pulumi provider plugin: `python -m penstock.simulate.engine.plugin aws FOLDER`.

The Pulumi CLI starts it, reads a port from its first line of output and speaks the provider protocol to it
(https://github.com/pulumi/pulumi/blob/master/proto/pulumi/provider.proto). FOLDER is that of the scratch project.
"""

from __future__ import annotations

import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import grpc
from pulumi.runtime.proto.provider_pb2_grpc import add_ResourceProviderServicer_to_server

from penstock.simulate.engine.servicer import Servicer
from penstock.simulate.engine.world import World
from penstock.simulate.sdk_hooks import imports_on_demand

ORDERS_FILE = "orders.json"
WORLD_FILE = "world.jsonl"

_LARGEST_MESSAGE = 400 * 1024 * 1024  # bytes; the CLI's own limit
_LOOK_FOR_ENGINE_S = 1


def serve(servicer: Servicer) -> tuple[grpc.Server, int]:
    """Starts to answer on a free port of this machine; the port is the second of the pair.

    One thread answers: an answer takes a millisecond, and the SDKs' lazy imports are not safe in several.
    """
    server = grpc.server(
        ThreadPoolExecutor(max_workers=1),
        options=[
            ("grpc.max_receive_message_length", _LARGEST_MESSAGE),
            ("grpc.max_send_message_length", _LARGEST_MESSAGE),
        ],
    )
    add_ResourceProviderServicer_to_server(servicer, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    return server, port


def main(package: str, folder: str) -> None:
    """Serves a package until the engine ends it, or has ended itself."""
    engine = os.getppid()
    orders = json.loads(Path(folder, ORDERS_FILE).read_text(encoding="utf-8"))
    servicer = Servicer(
        package, World(Path(folder, WORLD_FILE)), orders["faults"], judges=orders["judges"], engine=engine
    )
    with imports_on_demand():
        server, port = serve(servicer)
        print(port, flush=True)  # noqa: T201 - what the engine reads
        while server.wait_for_termination(_LOOK_FOR_ENGINE_S) and os.getppid() == engine:
            pass
        server.stop(None).wait()


if __name__ == "__main__":
    main(*sys.argv[1:3])
