"""Policies on resources of Kubernetes; a module is named for its category."""
