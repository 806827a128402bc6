"""Rules on fields that Penstock does not support yet, or only on another cloud."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from penstock.core.wording import listed, quoted
from penstock.description import addon
from penstock.description.node_pool import NodePoolSpec
from penstock.description.offer import other_offers
from penstock.description.platform import Spec
from penstock.description.positions import Path
from penstock.description.problems import Problem
from penstock.description.rules import known
from penstock.description.rules.rule import CLOUDS, pool_rule, rule, storage_rule
from penstock.description.storage import StorageSpec
from penstock.providers import built_clouds

UNBUILT_CODE = "SPEC-020"
"""One code for all that is not built yet: a description that is refused with it is right, only early."""


@rule(UNBUILT_CODE, reads=("addons", "cloud"))
def addons_are_built(spec: Spec) -> Iterator[Problem]:
    """Add-ons are enabled only where Penstock has them."""
    provider = spec.cloud.provider
    there = addon.keys(provider)
    for name in spec.addons.enabled():
        if name not in there:
            hint = f"Supported there: {listed(there)}."
            yield Problem(("addons", name), f"{quoted(name)} is not supported with provider {provider} yet.", hint)


@rule("SPEC-021", reads=("cloud", "cluster"))
def fields_belong_to_the_provider(spec: Spec) -> Iterator[Problem]:
    """`profile`, `kubeconfig` and `context` describe clusters that no cloud manages: provider kubernetes."""
    if spec.cloud.provider == "kubernetes":
        return
    fields = {
        ("cloud", "profile"): spec.cloud.profile,
        ("cluster", "kubeconfig"): spec.cluster.kubeconfig,
        ("cluster", "context"): spec.cluster.context,
    }
    for path, value in fields.items():
        if value is not None:
            message = f"{path[-1]} is for provider kubernetes, not for {spec.cloud.provider}."
            yield Problem(path, message, "Leave it out.")


@pool_rule("SPEC-021", provider=CLOUDS)
def machines_of_clouds_have_their_own_devices(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """`devices` and `fabric_networks` are of nodes that no cloud describes: provider kubernetes."""
    if pool.devices:
        message = f"devices is for provider kubernetes, not for {spec.cloud.provider}: the machine type has its own."
        yield Problem(("devices",), message, "Leave it out.")
    if pool.fabric_networks:
        message = f"fabric_networks is for provider kubernetes, not for {spec.cloud.provider}, which has its own."
        yield Problem(("fabric_networks",), message, "Leave it out.")


@pool_rule("SPEC-022", provider=CLOUDS)
def pool_has_no_block_of_another_cloud(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """Fields for one cloud only are set on that cloud only."""
    for cloud in built_clouds():
        if cloud != spec.cloud.provider and cloud in pool.model_fields_set:
            yield _elsewhere((cloud,), spec)


@rule("SPEC-022", reads=("cluster", "network", "addons", "budget"), provider=CLOUDS)
def blocks_have_no_field_of_another_cloud(spec: Spec) -> Iterator[Problem]:
    """Blocks are described in the words of their cloud."""
    own = known.offer(spec).own_fields
    theirs = (each for _, other in other_offers(spec.cloud.provider) for each in other.own_fields)
    for path, only in dict.fromkeys(each for each in theirs if each not in own):
        block: Any = spec
        for part in path[:-1]:
            block = getattr(block, str(part), None)
        field = str(path[-1])
        if block is not None and field in block.model_fields_set and only in (None, getattr(block, field)):
            yield _elsewhere(path, spec, only)


@storage_rule("SPEC-022", provider=CLOUDS)
def storage_has_no_field_of_another_cloud(item: StorageSpec, spec: Spec) -> Iterator[Problem]:
    """Storage is described in the words of its cloud."""
    own = known.offer(spec).own_storage_fields
    theirs = (each for _, other in other_offers(spec.cloud.provider) for each in other.own_storage_fields)
    for kind, field in dict.fromkeys(each for each in theirs if each not in own):
        if item.kind == kind and field in item.model_fields_set:
            yield _elsewhere((field,), spec)


def _elsewhere(path: Path, spec: Spec, only: str | None = None) -> Problem:
    what = quoted(path[-1]) if only is None else f"{path[-1]}: {only}"
    return Problem(path, f"{what} is not a field for {known.cloud_name(spec)}.", "Leave it out.")


def not_yet(path: Path, what: str, built: tuple[str, ...]) -> Problem:
    """Return the problem that nothing is built from a field; `built` are the values that are, if there are any."""
    hint = f"Supported today: {listed(built)}." if built else "Leave it out for now."
    return Problem(path, f"{what} is not supported yet.", hint)
