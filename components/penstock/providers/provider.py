"""The record of one provider."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from types import ModuleType


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """What shared code must know of a provider.

    Fields that name modules hold dotted paths; an empty one says that the provider has none of that kind.

    Attributes:
        name: As `cloud.provider` of a description says it: aws, gcp, azure, kubernetes.
        title: As people say it: AWS, Google Cloud.
        package: The Pulumi package, with which type tokens begin: aws, azure-native.
        sdk: The Python module of the Pulumi SDK: pulumi_aws.
        composer: The module that makes a platform of a description (`compose`).
        simulated_cloud: The module that answers in place of the provider.
        pools: The module that reads pools of machines from resources (`read`).
        prices: The module that tells what resources cost (`items`).
        rules: The package of the provider rules.
    """

    name: str
    title: str
    package: str
    sdk: str
    composer: str = ""
    simulated_cloud: str = ""
    pools: str = ""
    prices: str = ""
    rules: str = ""

    def module(self, field: str) -> ModuleType | None:
        """Import and return the module that a field names; None where the provider has none."""
        path: str = getattr(self, field)
        return import_module(path) if path else None
