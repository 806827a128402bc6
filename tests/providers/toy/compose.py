"""A platform on the toy cloud: its pools, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import pulumi
from tests.providers.toy import sdk

from penstock.platform.site import PlatformSite


class Composer:
    """The pools of a description."""

    decided_by: Mapping[str, str] = MappingProxyType({})
    outputs: Mapping[str, pulumi.Input[object]]

    def __init__(self, site: PlatformSite) -> None:
        site = site.by(sdk.Provider(site.name_of("toy"), opts=site.child))
        pools = [
            sdk.Pool(
                site.name_of(pool.name),
                machine_type=pool.machine_type or "",
                machines=pool.nodes.max,
                opts=site.child,
            )
            for pool in site.pools
        ]
        self.outputs = {"addresses": [pool.address for pool in pools]}
