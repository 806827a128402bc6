"""Whether an address takes connections from where a preflight runs."""

from __future__ import annotations

import socket
from contextlib import closing
from typing import Final
from urllib.parse import urlsplit

from penstock.preflight.inquiry import Reply, met, not_met

_CONNECT_S: Final = 5
_HTTPS: Final = 443


def reached(address: str) -> Reply:
    """Return whether a host takes connections at the port of an address."""
    parts = urlsplit(address if "//" in address else f"https://{address}")
    try:
        with closing(socket.create_connection((parts.hostname or "", parts.port or _HTTPS), _CONNECT_S)):
            return met(f"{parts.hostname} takes connections from here.")
    except OSError as error:
        return not_met(f"{parts.hostname or 'It'} takes no connection from here: {error}.")
