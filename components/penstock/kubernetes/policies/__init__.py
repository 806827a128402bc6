"""Policies for Kubernetes resources; a module bears the name of its category."""
