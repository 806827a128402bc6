"""Logging: what happened can be told afterwards."""
