"""Kinds of preconditions on Google Cloud, by subject."""

from __future__ import annotations

from penstock.gcp.preconditions import (
    apis,
    billing,
    endpoints,
    images,
    kept_names,
    named,
    organization,
    quotas,
    searches,
    single_tenants,
)

SUBJECTS = (named, searches, apis, quotas, billing, images, endpoints, organization, kept_names, single_tenants)
