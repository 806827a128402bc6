"""Rules on names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from penstock.catalog import limits
from penstock.catalog.gcp import bucket_names as gcp_bucket_names
from penstock.catalog.gcp import name_forms
from penstock.spec import platform
from penstock.spec.node_pool import NodePoolSpec
from penstock.spec.platform import Spec
from penstock.spec.positions import Path
from penstock.spec.problems import Problem
from penstock.spec.rules.rule import AWS, GCP, pool_rule, rule, storage_rule
from penstock.spec.storage import StorageSpec
from penstock.wording import quoted

_LONGEST_PART = 48
"""Characters of a part's full name. Node groups and buckets have names of 63 at most (EKS and S3 user guides), as all
storage on Google Cloud: this leaves 15 for what a component and Pulumi add to tell its resources apart."""

_SUFFIX = len("-0123abc")
"""What Pulumi adds to a name, to tell a resource from the one that it replaces."""

_LONGEST_PLATFORM = 35
"""Characters of the platform's full name. IAM roles have names of 64 at most: this leaves 29 for the longest role, that
of the driver of shared files, and Pulumi's suffix."""

_NO_GROUP_NAME = "sg-"
"""With what no security group's name begins (EC2 API, CreateSecurityGroup): their ids do."""


@rule("SPEC-100", reads=("node_pools",))
def pools_have_names_of_their_own(spec: Spec) -> Iterator[Problem]:
    """No two pools have one name."""
    yield from _repeated((pool.name for pool in spec.node_pools), ("node_pools",), ("name",))


@rule("SPEC-101", reads=("storage",))
def storage_has_names_of_its_own(spec: Spec) -> Iterator[Problem]:
    """No two items of storage have one name, whatever their kinds: outputs are found by it."""
    yield from _repeated((item.name for item in spec.storage), ("storage",), ("name",))


@rule("SPEC-102", reads=("addons",))
def secrets_and_repositories_are_named_once(spec: Spec) -> Iterator[Problem]:
    """Each secret and each repository is listed once."""
    if spec.addons.secrets is not None:
        yield from _repeated(spec.addons.secrets.names, ("addons", "secrets", "names"))
    if spec.addons.registry is not None:
        yield from _repeated(spec.addons.registry.repositories, ("addons", "registry", "repositories"))


@rule("SPEC-107", reads=("name", "environment"), provider=AWS)
def platform_name_fits(spec: Spec) -> Iterator[Problem]:
    """The names of platform and environment together are short enough for AWS, and none that it keeps for itself."""
    full = platform.full_name(spec)
    if len(full) > _LONGEST_PLATFORM:
        yield _longer(full, _LONGEST_PLATFORM, "it")
    if full.startswith(_NO_GROUP_NAME):
        message = f"In the cloud this becomes {full}, and AWS refuses security groups named {_NO_GROUP_NAME}…"
        yield Problem(("name",), message, "Take another name.")


@pool_rule("SPEC-103", reads=("name", "environment"), provider=AWS)
def pool_name_fits(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """The name of a pool, after those of platform and environment, is short enough for AWS."""
    yield from _too_long(spec, pool.name)


@storage_rule("SPEC-104", reads=("name", "environment"), provider=AWS)
def storage_name_fits(item: StorageSpec, spec: Spec) -> Iterator[Problem]:
    """The name of an item of storage, after those of platform and environment, is short enough for AWS."""
    yield from _too_long(spec, item.name)


@rule("SPEC-107", reads=("name", "environment"), provider=GCP)
def platform_name_fits_google(spec: Spec) -> Iterator[Problem]:
    """The names of platform and environment together, which are the cluster's name, are short enough for GKE."""
    full, most = platform.full_name(spec), limits.find_limit("cluster_name_characters", GCP).most
    if len(full) > most:
        yield _longer(full, most, "it")


@pool_rule("SPEC-103", reads=("name", "environment"), provider=GCP)
def pool_name_fits_google(pool: NodePoolSpec, spec: Spec) -> Iterator[Problem]:
    """The name of a pool, after those of platform and environment, is short enough for GKE."""
    full = platform.full_name(spec, pool.name)
    slices = len(f"-{pool.slices - 1}") if pool.slices is not None else 0
    most = limits.find_limit("node_pool_name_characters", GCP).most - _SUFFIX - slices
    if len(full) > most:
        yield _longer(full, most)


@storage_rule("SPEC-104", reads=("name", "environment"), provider=GCP)
def storage_name_fits_google(item: StorageSpec, spec: Spec) -> Iterator[Problem]:
    """The name of an item of storage, after those of platform and environment, is one that Google takes."""
    full = platform.full_name(spec, item.name)
    if len(full) > _LONGEST_PART:
        yield _longer(full, _LONGEST_PART)
    elif item.kind == "bucket" and (trouble := gcp_bucket_names.problem(full)) is not None:
        yield Problem(("name",), f"In the cloud this becomes {full}: {trouble}.", "Take another name.")


@rule("SPEC-108", reads=("addons", "name", "environment"), provider=GCP)
def repository_names_fit(spec: Spec) -> Iterator[Problem]:
    """The names of repositories, after those of platform and environment, are short enough for Artifact Registry."""
    most = name_forms.by_type()["gcp:artifactregistry/repository:Repository"].longest
    for index, name in enumerate(spec.addons.registry.repositories if spec.addons.registry is not None else ()):
        full = platform.full_name(spec, "registry", name)
        if len(full) > most:
            yield replace(_longer(full, most), path=("addons", "registry", "repositories", index))


def _repeated(names: Iterable[str], block: Path, field: Path = ()) -> Iterator[Problem]:
    seen: dict[str, int] = {}
    for index, name in enumerate(names):
        if seen.setdefault(name, index) != index:
            message = f"{quoted(name)} is the name of item {seen[name] + 1} already."
            yield Problem((*block, index, *field), message, "Every name stands once.")


def _too_long(spec: Spec, name: str) -> Iterator[Problem]:
    full = platform.full_name(spec, name)
    if len(full) > _LONGEST_PART:
        yield _longer(full, _LONGEST_PART)


def _longer(full: str, most: int, what: str = "it, or the platform's name,") -> Problem:
    message = f"In the cloud this becomes {full}, which has {len(full)} characters; {most} fit."
    return Problem(("name",), message, f"Shorten {what} by {len(full) - most}.")
