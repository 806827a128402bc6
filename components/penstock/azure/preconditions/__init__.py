"""Kinds of preconditions on Azure, by subject."""

from __future__ import annotations

from penstock.azure.preconditions import kept_names, lustre, named, offers, quotas, registrations, registries

SUBJECTS = (named, registrations, offers, registries, quotas, lustre, kept_names)
