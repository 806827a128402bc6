"""Requests and hardware for the tests of sizing."""

from __future__ import annotations

from penstock.sizing.hardware import Hardware, all_hardware
from penstock.sizing.request import SizingRequest
from penstock.sizing.request_fields import request_of


def asked(**fields: str) -> SizingRequest:
    """The request of some fields, which must be valid."""
    found = request_of(fields)
    assert isinstance(found, SizingRequest), found
    return found


def hardware(machine_type: str) -> Hardware:
    """The machine type of any cloud."""
    return next(each for each in all_hardware(("aws", "gcp", "azure")) if each.machine_type == machine_type)
