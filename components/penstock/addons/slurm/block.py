"""Slurm."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final

from pydantic import Field, StringConstraints

from penstock.description.addon_block import AddonBlock
from penstock.description.block import Name, SpecBlock
from penstock.description.forms import Host, Member, ObjectName, SecretKey, SshPublicKey
from penstock.description.node_pool import Taint

TAINT: Final = Taint(key="penstock.dev/slurm", value="present")
"""Keeps everything but workers of Slurm off the pools that the block names."""

DETECTED: Final = {"nvidia.com/gpu": "nvidia", "amd.com/gpu": "rsmi"}
"""How Slurm finds accelerators, by what pods request (Slurm documentation, gres.conf, AutoDetect)."""

MountPath = Annotated[
    str, StringConstraints(pattern=r"^(/[^/:]+)+/?$"), Field(description="An absolute path below /, such as /home.")
]


class SlurmAccounting(SpecBlock):
    """A database of finished jobs: MariaDB or MySQL, which exists already."""

    host: Host = Field(description="Host of the database, reached from pods.")
    port: Annotated[int, Field(ge=1, le=65535, strict=True)] = Field(default=3306, description="Port of the database.")
    database: Member = Field(default="slurm_acct_db", description="Database for the records.")
    username: Member = Field(default="slurm", description="User who owns the database.")
    password_from: SecretKey = Field(description="Password as NAME/KEY of a Secret in namespace slurm.")


class SlurmSpec(AddonBlock):
    """A Slurm cluster in Kubernetes, by Slinky: its workers hold the nodes of their pools."""

    pools: tuple[Name, ...] = Field(
        default=(),
        description="Pools whose nodes become Slurm nodes, and take no other work; by default all with GPUs.",
    )
    login_keys: tuple[SshPublicKey, ...] = Field(
        default=(),
        description="Public SSH keys that are let in to a login node, as root; without any there is no login node.",
    )
    claims: dict[ObjectName, MountPath] = Field(
        default_factory=dict,
        description="Claims of namespace slurm that workers and login nodes mount, such as {home: /home}.",
    )
    accounting: SlurmAccounting | None = Field(
        default=None, description="Records of finished jobs; off without a database."
    )

    def taints(self) -> Mapping[str, Taint]:
        """Return the taint of the pools that the block names."""
        return dict.fromkeys(self.pools, TAINT)

    def held_pools(self, resources: Mapping[str, str | None]) -> frozenset[str]:
        """Return the pools that the block names, or all whose accelerators Slurm finds by itself."""
        if self.pools:
            return frozenset(pool for pool in resources if pool in self.pools)
        return frozenset(pool for pool, resource in resources.items() if resource in DETECTED)
