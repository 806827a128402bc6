"""The record of Azure."""

from __future__ import annotations

from typing import Final

from penstock.providers.provider import PluginTraits, Provider

PROVIDER: Final = Provider(
    name="azure",
    title="Azure",
    package="azure-native",
    sdk="pulumi_azure_native",
    place=3,
    quota_page="The portal's page Quotas",
    tag_case="ignored",
    plugin=PluginTraits(
        always_deletes_first=True, marks_generated_names=False, ignores_undeclared=True, versioned_types=True
    ),
)
