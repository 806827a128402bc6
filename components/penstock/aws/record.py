"""The record of AWS."""

from __future__ import annotations

from typing import Final

from penstock.providers.provider import PluginTraits, Provider

PROVIDER: Final = Provider(
    name="aws",
    title="AWS",
    package="aws",
    sdk="pulumi_aws",
    place=1,
    quota_page="The Service Quotas console",
    zone=r"([a-z]{2}(?:-[a-z]+)+-\d+)[a-z]",
    grantee_source="aws:eks/accessEntry:AccessEntry",
    plugin=PluginTraits(lenient=True, filled_input=("region",)),
)
