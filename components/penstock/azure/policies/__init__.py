"""Policies on resources of Azure; a module is named for its category."""
