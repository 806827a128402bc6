"""The record of one provider."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import import_module
from types import ModuleType
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class PluginTraits:
    """How a provider's plugin treats its resources, beyond what its SDK's schema says.

    Attributes:
        lenient: It reads texts, numbers and flags as what they should be, and compares JSON documents by what they say.
        links: It takes the link, the path and the name of a resource for the same thing.
        always_deletes_first: It deletes what is replaced before the new one is created, whatever it is called.
        marks_generated_names: Its state says which names the plugin generated.
        filled_input: The path of the input that it fills from its own configuration, from the key of the same name.
        filled_with: The value that it fills in where its configuration has none.
        ignores_undeclared: It leaves out properties that its schema does not declare, and validates no values of maps.
    """

    lenient: bool = False
    links: bool = False
    always_deletes_first: bool = False
    marks_generated_names: bool = True
    filled_input: tuple[str, ...] = ()
    filled_with: str = ""
    ignores_undeclared: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """The record of a provider: all that shared code must know of it.

    Fields that name modules hold dotted paths, or `module:object`; an empty one says that the provider has none of that
    kind. Only a provider with a `composer` is one that a description can be built on, and it needs `nodes`, too: every
    platform says what its nodes are. One with an `offer` beside it sells the machines.

    Attributes:
        name: As `cloud.provider` of a description says it: aws, gcp, azure, kubernetes.
        title: As people say it: AWS, Google Cloud.
        package: The Pulumi package, with which type tokens begin: aws, azure-native.
        sdk: The Python module of the Pulumi SDK: pulumi_aws.
        quota_page: Where people read their quotas.
        catalogue: The package whose folder `data` has its tables.
        offer: The `CloudOffer`: what a description may ask of the cloud.
        description_rules: The package of the rules on descriptions for this cloud alone (`SUBJECTS`).
        nodes: The function that reads the nodes of a pool of a description (`PoolNodes`): jobs, add-ons and reports ask
            it. No default can stand in for it, since the labels and devices of nodes differ from cloud to cloud.
        composer: The class that makes a platform of a `Site` and returns its `outputs`.
        simulated_cloud: The module that answers in place of the provider (`create`, `invoke`).
        pools: The module that reads pools of machines from resources (`read_pools`).
        topology: The module that reads subnets, the fabric of pools, and where resources stand (`SUBNETS`,
            `placed_subnets`, `pool_subnets`, `pool_fabric`, `standing`).
        pool_updates: The module that reads how an update in place reaches machines (`rehearsal.changes.pool_updates`).
        endpoints: The module that reads the APIs of its managed clusters and the ways into their networks (`CLUSTER`,
            `NETWORK`, `cluster_api`, `HOLDERS`, `MACHINES`).
        prices: The module that prices resources (`priced_items`).
        machine_terms: The `MachineTerms`: what machines cost beside their price.
        price_service: The module that asks its price service for newer prices (`ENDPOINT`, `EXAMPLE_REGION`, `ask`); it
            is in the choices of `penstock catalog refresh`.
        sizing: The `CloudSizing`: what `penstock size` needs of the cloud, which leaves out those that have none.
        budgets: The module that reads the monthly limit of a budget (`TYPE`, `PATH`, `limit`).
        rules: The package of the provider rules, whose modules `SUBJECTS` names.
        preconditions: The package of the kinds of preconditions (`SUBJECTS`).
        preflight: The package that asks the real cloud for preconditions (`open_inquiry`).
        stand_in: The function that gives the type whose rules judge resources of a type that no rule names, such as
            one of a custom kind; empty for other types.
        api_switch: The type of the resources that turn an API on, some time after they are asked to.
        cluster_nodes: The module that reads the nodes of its managed clusters (`clusters`, `version`, `offers`,
            `has_way_out`, `REGISTRIES`).
        plugin: How its plugin treats resources.

    Raises:
        ValueError: it has a `composer` without `nodes`.
    """

    name: str
    title: str
    package: str
    sdk: str
    quota_page: str = ""
    catalogue: str = ""
    offer: str = ""
    description_rules: str = ""
    nodes: str = ""
    composer: str = ""
    simulated_cloud: str = ""
    pools: str = ""
    topology: str = ""
    pool_updates: str = ""
    endpoints: str = ""
    prices: str = ""
    machine_terms: str = ""
    price_service: str = ""
    sizing: str = ""
    budgets: str = ""
    rules: str = ""
    preconditions: str = ""
    preflight: str = ""
    stand_in: str = ""
    api_switch: str = ""
    cluster_nodes: str = ""
    plugin: PluginTraits = field(default_factory=PluginTraits)

    def __post_init__(self) -> None:
        """Refuse a record that would fail only when a platform is built."""
        if self.composer and not self.nodes:
            message = f"provider {self.name!r} has a composer, but no `nodes` to say what the nodes of its pools are"
            raise ValueError(message)

    def module(self, field: str) -> ModuleType | None:
        """Import and return the module that a field names; None where the provider has none."""
        path: str = getattr(self, field)
        return import_module(path) if path else None

    def load(self, field: str) -> Any:
        """Import and return the object that a field names as `module:object`; None where the provider has none."""
        path: str = getattr(self, field)
        module, _, name = path.partition(":")
        return getattr(import_module(module), name) if path else None
