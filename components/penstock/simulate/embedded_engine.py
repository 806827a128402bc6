"""The engine's service for a program, beside the monitor: its log."""

from __future__ import annotations

import sys

from google.protobuf.empty_pb2 import Empty
from pulumi.runtime.proto import engine_pb2

from penstock.secrets.redaction import Redaction


class EmbeddedEngine:
    """Takes what a program says to its engine; the methods are named as those of Pulumi's service."""

    def __init__(self, redaction: Redaction) -> None:
        self._redaction = redaction

    def Log(self, request: engine_pb2.LogRequest) -> Empty:  # noqa: N802
        """Takes what the program logs; warnings and errors are for the person who runs it."""
        if request.severity >= engine_pb2.WARNING:
            sys.stderr.write(f"{self._redaction.of(request.message)}\n")
        return Empty()

    def RequirePulumiVersion(  # noqa: N802
        self, _: engine_pb2.RequirePulumiVersionRequest
    ) -> engine_pb2.RequirePulumiVersionResponse:
        """Lets every version pass: no Pulumi CLI is there, whose version it could be."""
        return engine_pb2.RequirePulumiVersionResponse()
