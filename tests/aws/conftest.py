"""A network and a key that are already there, as a program that brings its own would hand them over."""

from __future__ import annotations

import pytest

from penstock.aws.components.handles import KeyHandle, NetworkHandle


@pytest.fixture
def network() -> NetworkHandle:
    """Two zones of one VPC."""
    return NetworkHandle(
        vpc_id="vpc-0a1b2c3d4e5f60718",
        subnets={"us-east-1a": "subnet-0aaaaaaaaaaaaaaaa", "us-east-1b": "subnet-0bbbbbbbbbbbbbbbb"},
        fabric_group_id="sg-0fabfabfabfabfabf",
        cidr="10.40.0.0/16",
    )


@pytest.fixture
def key() -> KeyHandle:
    """A customer-managed key."""
    return KeyHandle(arn="arn:aws:kms:us-east-1:123456789012:key/11111111-2222-3333-4444-555555555555")
