"""The record of Google Cloud."""

from __future__ import annotations

from typing import Final

from penstock.providers.provider import PluginTraits, Provider

PROVIDER: Final = Provider(
    name="gcp",
    title="Google Cloud",
    package="gcp",
    sdk="pulumi_gcp",
    place=2,
    quota_page="The console's page Quotas & System Limits",
    api_switch="gcp:projects/service:Service",
    zone=r"([a-z]+-[a-z]+\d+)-[a-z0-9]+",
    tag_case="lower",
    plugin=PluginTraits(lenient=True, links=True),
)
