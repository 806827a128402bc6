"""Penstock: AI infrastructure with Pulumi, rehearsed before it is provisioned."""

__version__ = "0.1.0"
