"""Kinds of preconditions on Azure, by subject."""

from __future__ import annotations

from penstock.preconditions.azure import kept_names, lustre, named, quotas, registrations

SUBJECTS = (named, registrations, quotas, lustre, kept_names)
