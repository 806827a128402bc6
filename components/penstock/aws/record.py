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
    plugin=PluginTraits(lenient=True, filled_input=("region",)),
)
