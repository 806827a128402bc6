"""Rules on storage, for AWS alone."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.aws.description import pools
from penstock.core.wording import listed
from penstock.description import platform, storage
from penstock.description.platform import Spec
from penstock.description.problems import Problem
from penstock.description.rules import known
from penstock.description.rules.rule import rule, storage_rule
from penstock.description.storage import LustreSpec, StorageSpec


@rule("SPEC-094", reads=("storage", "node_pools", "network"), provider="aws")
def lustre_over_efa_has_clients_in_its_zone(spec: Spec) -> Iterator[Problem]:
    """A file system that is mounted over EFA has a pool in its zone that FSx takes as a client: EFA leaves no zone."""
    zones = known.zones(spec)
    if not zones or any(known.machine(pool, spec) is None for pool in spec.node_pools):
        return
    fabric = [pool for pool in platform.node_pools(spec) if pools.efa(pool)]
    clients = [pool for pool in fabric if pools.mounts_over_efa(pool)]
    served = {pools.zone_of(pool, zones) for pool in clients}
    for index, item in enumerate(spec.storage):
        if not isinstance(item, LustreSpec) or item.fabric != "efa":
            continue
        zone = storage.zone_of(item, zones)
        if not served:
            refused = listed(pools.machine(pool).machine_type for pool in fabric)
            why = f"FSx does not support {refused} as clients" if refused else "no pool has EFA"
            hint = "Leave fabric out, or use a machine type with EFA in a pool."
            yield Problem(("storage", index, "fabric"), f"storage.fabric is efa, but {why}.", hint)
        elif zone not in served:
            message = f"{item.name} is in {zone}, but its clients are in {listed(sorted(map(str, served)))}."
            yield Problem(("storage", index, "zone"), message, "Set zone to that of the clients.")


@storage_rule("SPEC-098", reads=("network",), provider="aws")
def lustre_over_efa_reaches_its_setup(item: StorageSpec, spec: Spec) -> Iterator[Problem]:
    """Clients of a file system over EFA reach the package repository of Amazon Linux, to install lustre-client."""
    closed = spec.network.existing is None and spec.network.egress == "none"
    if isinstance(item, LustreSpec) and item.fabric == "efa" and closed:
        message = "storage.fabric is efa, but without egress nodes cannot install lustre-client."
        yield Problem(("fabric",), message, "Leave fabric out to mount over TCP, or set network.egress to nat.")
