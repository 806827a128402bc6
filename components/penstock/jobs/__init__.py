"""Ready jobs for the pools of a platform: manifests that run where they are applied."""

from __future__ import annotations

from penstock.jobs.manifests import job_manifests, job_notes
from penstock.jobs.request import JobRequest, Template
from penstock.jobs.teams import namespace_for

__all__ = ["JobRequest", "Template", "job_manifests", "job_notes", "namespace_for"]
