"""Handles for tests: what a program that brings its own cluster would hand over."""

from __future__ import annotations

from penstock.aws.components.handles import ClusterHandle

CLUSTER = ClusterHandle(
    name="main",
    security_group_id="sg-0c1c1c1c1c1c1c1c1",
    endpoint="https://0123.gr7.us-east-1.eks.amazonaws.com",
    certificate_authority="LS0tLS1CRUdJTi0tLS0t",
    version="1.33",
)
