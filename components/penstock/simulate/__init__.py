"""Runs a Pulumi program without a cloud, a CLI or credentials, and keeps what it would have built."""
