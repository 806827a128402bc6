"""A platform of ND and NC machines on Azure in plain Pulumi, by an author who never saw Penstock."""

from __future__ import annotations

from collections.abc import Callable

import pulumi_azure_native as azure
from tests.nd_platform.clusters import cluster, keys, pools
from tests.nd_platform.machines import machines
from tests.nd_platform.networks import endpoints, network
from tests.nd_platform.program import GROUP, REGION, Misconfiguration, Program
from tests.nd_platform.stores import buckets, database, files, people


def platform(misconfiguration: Misconfiguration) -> Callable[[], None]:
    """The program with its misconfigurations."""
    return lambda: _build(Program(misconfiguration))


def _build(program: Program) -> None:
    """Makes everything, in an order in which each part has what it needs."""
    program.make(azure.resources.ResourceGroup, "group", grouped=False, resource_group_name=GROUP, location=REGION)
    network(program)
    keys(program)
    cluster(program)
    pools(program)
    buckets(program)
    endpoints(program)
    files(program)
    database(program)
    machines(program)
    people(program)
