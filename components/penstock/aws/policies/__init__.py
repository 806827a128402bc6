"""Policies on resources of AWS; a module is named for its category."""
