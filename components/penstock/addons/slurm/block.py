"""Slurm."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints

from penstock.description.block import Name, SpecBlock
from penstock.description.forms import Host, Member, ObjectName, SshPublicKey

SecretKey = Annotated[
    str,
    StringConstraints(pattern=r"^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?/[-._a-zA-Z0-9]{1,253}$"),
    Field(description="A Secret that somebody else writes and a key in it, as NAME/KEY."),
]
"""Where a value is that never stands in a description."""

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


class SlurmSpec(SpecBlock):
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
