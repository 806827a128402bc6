"""Kinds of preconditions on Azure, by subject."""

from __future__ import annotations

from penstock.preconditions.azure import quotas, registrations

SUBJECTS = (registrations, quotas)
