"""Secrets: named values in a store outside of the cluster."""
