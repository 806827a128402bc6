"""Policies on resources of Google Cloud; a module is named for its category."""
