"""Rules on names, for Google Cloud alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from penstock.addons.registry.block import RegistrySpec
from penstock.catalog import limits
from penstock.catalog.name_forms import name_forms
from penstock.description import platform
from penstock.description.node_pool import NodePoolSpec
from penstock.description.platform import Spec
from penstock.description.problems import Problem
from penstock.description.rules.names import LONGEST_PART, longer
from penstock.description.rules.rule import pool_rule, rule, storage_rule
from penstock.description.storage import StorageSpec
from penstock.gcp.facts import bucket_names as gcp_bucket_names
from penstock.gcp.types import ARTIFACTREGISTRY_REPOSITORY

_SUFFIX = len("-0123abc")
"""What Pulumi adds to a name, to distinguish a resource from the one that it replaces."""


@rule("SPEC-107", reads=("name", "environment"), provider="gcp")
def platform_name_fits_google(spec: Spec) -> Iterator[Problem]:
    """The names of platform and environment together, which are the cluster's name, are short enough for GKE."""
    full, most = platform.full_name(spec), limits.find_limit("cluster_name_characters", "gcp").most
    if len(full) > most:
        yield longer(full, most, "it")


@pool_rule("SPEC-103", reads=("name", "environment"), provider="gcp")
def pool_name_fits_google(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """The name of a pool, after those of platform and environment, is short enough for GKE."""
    full = platform.full_name(spec, pool.name)
    slices = len(f"-{pool.slices - 1}") if pool.slices is not None else 0
    most = limits.find_limit("node_pool_name_characters", "gcp").most - _SUFFIX - slices
    if len(full) > most:
        yield longer(full, most)


@storage_rule("SPEC-104", reads=("name", "environment"), provider="gcp")
def storage_name_fits_google(item: StorageSpec, spec: Spec) -> Iterator[Problem]:
    """The name of an item of storage, after those of platform and environment, is one that Google takes."""
    full = platform.full_name(spec, item.name)
    if len(full) > LONGEST_PART:
        yield longer(full, LONGEST_PART)
    elif item.kind == "bucket" and (trouble := gcp_bucket_names.problem(full)) is not None:
        yield Problem(("name",), f"The full name is {full}: {trouble}.", "Use another name.")


@rule("SPEC-108", reads=("addons", "name", "environment"), provider="gcp")
def repository_names_fit(spec: Spec) -> Iterator[Problem]:
    """The names of repositories, after those of platform and environment, are short enough for Artifact Registry."""
    most = name_forms("gcp")[ARTIFACTREGISTRY_REPOSITORY].longest
    registry = spec.addons.get(RegistrySpec)
    for index, name in enumerate(registry.repositories if registry is not None else ()):
        full = platform.full_name(spec, "registry", name)
        if len(full) > most:
            yield replace(longer(full, most), path=("addons", "registry", "repositories", index))
