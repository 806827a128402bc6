"""Compute domains: NVLink across nodes."""
