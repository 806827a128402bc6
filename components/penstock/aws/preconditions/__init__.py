"""Kinds of preconditions on AWS, by subject."""

from __future__ import annotations

from penstock.aws.preconditions import cost_tags, endpoints, images, kept_names, linked_roles, named, quotas, searches

SUBJECTS = (named, searches, linked_roles, quotas, images, endpoints, kept_names, cost_tags)
