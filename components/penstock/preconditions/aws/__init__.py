"""Kinds of preconditions on AWS, by subject."""

from __future__ import annotations

from penstock.preconditions.aws import endpoints, images, kept_names, named, quotas

SUBJECTS = (named, quotas, images, endpoints, kept_names)
