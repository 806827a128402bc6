"""Penstock: AI infrastructure with Pulumi, rehearsed before it is provisioned."""
