"""How Azure platforms become descriptions: from the resources of a stack export."""

from __future__ import annotations

from typing import Final

from penstock.azure.conversion.resources import READERS
from penstock.conversion.format import CloudConversion

CONVERSION: Final = CloudConversion(
    readers=READERS,
    own=(
        "azure-native:network:",
        "azure-native:managedidentity:",
        "azure-native:authorization:",
        "azure-native:keyvault:",
        "azure-native:resources:",
        "azure-native:storage:",
    ),
    region="location",
    account="subscriptionId",
)
