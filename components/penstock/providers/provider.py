"""The record of one provider, and the parts that its folder has by convention."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, Final, Literal

TagCase = Literal["exact", "ignored", "lower"]

PARTS: Final = {
    "offer": "description.offer:OFFER",
    "description_rules": "description.rules",
    "node_pool_block": "description.node_pool_block:BLOCK",
    "nodes": "description.nodes:read",
    "composer": "compose:Composer",
    "packaged": "components.packaged:COMPONENTS",
    "simulated_cloud": "simulate.cloud",
    "standing": "simulate.standing:answer",
    "pools": "model.pools",
    "topology": "model.topology",
    "karpenter": "model.karpenter:MACHINES",
    "endpoints": "model.endpoints",
    "pool_updates": "changes",
    "prices": "cost.items",
    "machine_terms": "cost.machines:TERMS",
    "price_service": "cost.price_service",
    "budgets": "cost.budgets",
    "sizing": "sizing:SIZING",
    "scaffold": "scaffold:SCAFFOLD",
    "conversion": "conversion:CONVERSION",
    "machines": "facts.machines:MACHINE",
    "accelerator_columns": "facts.accelerator_columns:COLUMNS",
    "rules": "rules",
    "policies": "policies",
    "exemptions": "policies.exemptions:RELATIONS",
    "deletion_locks": "policies.deletion_locks:by_lock",
    "preconditions": "preconditions",
    "preflight": "preflight",
    "cluster_nodes": "rules.cluster_nodes",
}
"""The parts of a provider: the module below its folder, or the object in one, that shared code asks for.

| Part | What it is |
|---|---|
| offer | the `CloudOffer`: what a description may ask of the cloud; one with an offer sells machines |
| description_rules | the package of the rules on descriptions for this cloud alone (`SUBJECTS`) |
| node_pool_block | the block of a node pool with settings for this cloud only |
| nodes | reads the nodes of a pool of a description (`PoolNodes`): jobs, add-ons and reports ask it |
| composer | the class that makes a platform of a `Site` and returns its `outputs` |
| packaged | the components that programs in other languages use (`PackagedComponent`) |
| simulated_cloud | answers in place of the provider (`create`, `invoke`) |
| standing | answers a function from what exists before a run, where the state knows better |
| pools | reads pools of machines from resources (`read_pools`, `TYPES`); `COMPONENTS` describe pools themselves |
| topology | reads subnets, the fabric of pools and where resources stand (`SUBNETS`, `placed_subnets`, \
`pool_subnets`, `pool_fabric`, `standing`) |
| karpenter | the `KarpenterMachines`: the machine types that Karpenter starts there |
| endpoints | reads the APIs of managed clusters and the ways into networks (`CLUSTER`, `NETWORK`, `cluster_api`, \
`HOLDERS`, `MACHINES`) |
| pool_updates | reads how an update in place reaches machines (`penstock.changes.pool_updates`) |
| prices | prices resources (`priced_items`); without it the table `billed_parts` does, at the list's prices |
| machine_terms | the `MachineTerms`: what machines cost beside their price |
| price_service | asks the cloud's service for newer prices (`ENDPOINT`, `EXAMPLE_REGION`, `ask`) |
| budgets | reads the monthly limit of a budget (`TYPE`, `PATH`, `limit`) |
| sizing | the `CloudSizing`: what `penstock size` needs of the cloud |
| scaffold | the `CloudScaffold`: what `penstock init` writes for the cloud |
| conversion | the `CloudConversion`: how resources of a stack export become a description |
| machines | the record of a machine, where the cloud knows more than `penstock.catalog.machine.Machine` |
| accelerator_columns | the columns of the cloud in the reference page of accelerators |
| rules | the package of the provider rules, whose modules `SUBJECTS` names |
| policies | the package of the policies, a module a category |
| exemptions | the relations that exempt resources from rules, by the names in the table `exemptions` |
| deletion_locks | judges whether a lock of the cloud keeps a resource from being deleted |
| preconditions | the package of the kinds of preconditions (`SUBJECTS`) |
| preflight | asks the real cloud for preconditions (`open_inquiry`) |
| cluster_nodes | reads the nodes of managed clusters (`clusters`, `version`, `offers`, `has_way_out`, `REGISTRIES`) |
"""


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
        versioned_types: It has a type for each version of an API, beside the one without a version.
    """

    lenient: bool = False
    links: bool = False
    always_deletes_first: bool = False
    marks_generated_names: bool = True
    filled_input: tuple[str, ...] = ()
    filled_with: str = ""
    ignores_undeclared: bool = False
    versioned_types: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """The record of a provider: all that shared code must know of it beside what its folder has (`PARTS`).

    Only a provider with a composer is one that a description can be built on.

    Attributes:
        name: As `cloud.provider` of a description says it: aws, gcp, azure, kubernetes.
        title: As people say it: AWS, Google Cloud.
        package: The Pulumi package, with which type tokens begin: aws, azure-native.
        sdk: The Python module of the Pulumi SDK: pulumi_aws.
        place: Its place in lists of providers, the smallest first.
        home: The package that is its folder; `penstock.NAME` where nothing is given.
        quota_page: Where people read their quotas.
        api_switch: The type of the resources that turn an API on, some time after they are asked to.
        stand_in: Gives the type whose rules judge resources of a type that no rule names, such as one of a custom kind;
            empty for other types.
        zone: The form of its zones' names, with the region as group; empty where zones do not name their region.
        tag_case: What letter case means in keys of tags: it counts (exact), does not (ignored), or is small (lower).
        grantee_source: The type of grants from which other grants take their grantee.
        plugin: How its plugin treats resources.
    """

    name: str
    title: str
    package: str
    sdk: str
    place: int = 100
    home: str = ""
    quota_page: str = ""
    api_switch: str = ""
    stand_in: Callable[[str], str] | None = None
    zone: str = ""
    tag_case: TagCase = "exact"
    grantee_source: str = ""
    plugin: PluginTraits = field(default_factory=PluginTraits)

    @property
    def folder(self) -> Path | None:
        """The folder of the provider; None for one without."""
        return _folder(self._home)

    @property
    def _home(self) -> str:
        return self.home or f"penstock.{self.name}"

    def path_of(self, part: str) -> str:
        """Return the dotted path of the module that a part is or is in; empty where the provider has none."""
        path = f"{self._home}.{PARTS[part].partition(':')[0]}"
        return path if _exists(path) else ""

    def has(self, part: str) -> bool:
        """Return whether the provider has a part."""
        return bool(self.path_of(part))

    def module(self, part: str) -> ModuleType | None:
        """Import and return the module that a part is; None where the provider has none."""
        path = self.path_of(part)
        return import_module(path) if path else None

    def load(self, part: str) -> Any:
        """Import and return the object that a part is; None where the provider has none."""
        module = self.module(part)
        return getattr(module, PARTS[part].partition(":")[2]) if module is not None else None


@cache
def _folder(home: str) -> Path | None:
    try:
        found = find_spec(home)
    except ModuleNotFoundError:  # the package above it is missing, too
        return None
    return Path(found.origin).parent if found is not None and found.origin else None


@cache
def _exists(path: str) -> bool:
    try:
        return find_spec(path) is not None
    except ModuleNotFoundError:
        return False
