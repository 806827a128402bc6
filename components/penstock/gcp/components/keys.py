"""The customer-managed keys that everything else is encrypted with."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import partial

import pulumi
from pulumi_gcp import kms

from penstock.description.block import HoldingSpec
from penstock.gcp.components.handles import KeyHandle, ProjectHandle
from penstock.gcp.facts import service_agents

_DAY_S = 24 * 60 * 60
_ROTATION = f"{90 * _DAY_S}s"
_LONGEST_END = f"{30 * _DAY_S}s"

USER = "roles/cloudkms.cryptoKeyEncrypterDecrypter"
"""The role of whoever encrypts and decrypts with a key."""

_OF_KUBERNETES = "container"
"""The service whose agent uses the key of what Kubernetes stores; all others use the key of data."""


class Keys(pulumi.ComponentResource):
    """Two keys that rotate every 90 days, so that the right to read one kind of data is not a right to read another.

    `data` is for disks, file systems, buckets, databases, images and secrets; `cluster` for what Kubernetes stores. On
    Google Cloud each service works with a key through an account of its own, its service agent: only the agents of the
    services in `users` are let in, and whatever is encrypted waits for its grant (`KeyHandle.for_`).

    Google never deletes a key ring or a key: destroying the stack destroys the keys' versions, and with them the data.
    """

    data: KeyHandle
    cluster: KeyHandle

    def __init__(
        self,
        name: str,
        spec: HoldingSpec,
        *,
        project: ProjectHandle,
        region: str,
        users: Collection[str],
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Make the keys.

        Args:
            name: The start of every name in it.
            spec: Labels and protection.
            project: Whose service agents are let in.
            region: Where the keys are, and all that they encrypt: Google refuses keys of another location.
            users: Services that encrypt with them, named as in `penstock.gcp.facts.service_agents`: compute, storage.
            opts: Pulumi's options.
        """
        super().__init__("penstock:gcp:Keys", name, None, opts)
        ring = key_ring(name, project=project, region=region, opts=pulumi.ResourceOptions(parent=self))
        child = pulumi.ResourceOptions(parent=self)
        of_data = [user for user in users if user != _OF_KUBERNETES]
        of_kubernetes = [user for user in users if user == _OF_KUBERNETES]
        self.data = customer_key(f"{name}-data", spec, ring=ring, project=project, users=of_data, opts=child)
        self.cluster = customer_key(
            f"{name}-cluster", spec, ring=ring, project=project, users=of_kubernetes, opts=child
        )
        self.register_outputs({"data": self.data.id, "cluster": self.cluster.id})


def key_ring(name: str, *, project: ProjectHandle, region: str, opts: pulumi.ResourceOptions) -> kms.KeyRing:
    """A key ring, which Google never deletes."""
    return kms.KeyRing(
        name,
        location=region,
        project=project.id,
        opts=pulumi.ResourceOptions.merge(opts, pulumi.ResourceOptions(depends_on=project.on("cloudkms"))),
    )


def customer_key(
    name: str,
    spec: HoldingSpec,
    *,
    ring: kms.KeyRing,
    project: ProjectHandle,
    users: Iterable[str],
    opts: pulumi.ResourceOptions,
) -> KeyHandle:
    """A key that rotates every 90 days, and the right of the agents of some services to use it."""
    key = kms.CryptoKey(
        name,
        key_ring=ring.id,
        purpose="ENCRYPT_DECRYPT",
        rotation_period=_ROTATION,
        destroy_scheduled_duration=_LONGEST_END,  # with the key, all that it encrypted is lost
        labels=spec.tags,
        opts=pulumi.ResourceOptions.merge(opts, pulumi.ResourceOptions(protect=spec.protect)),
    )
    grants = {user: _grant(f"{name}-{user}", key, user, project, opts) for user in users}
    return KeyHandle(id=key.id, grants=grants)


def _grant(
    name: str, key: kms.CryptoKey, service: str, project: ProjectHandle, opts: pulumi.ResourceOptions
) -> pulumi.Resource:
    agent = project.agents.get(service)
    if agent is None:
        agent = pulumi.Output.from_input(project.number).apply(partial(service_agents.email, service))
    return kms.CryptoKeyIAMMember(
        name,
        crypto_key_id=key.id,
        role=USER,
        member=pulumi.Output.concat("serviceAccount:", agent),
        # IAM refuses members that do not exist, and an agent exists from the moment that its API is on.
        opts=pulumi.ResourceOptions.merge(opts, pulumi.ResourceOptions(depends_on=project.on(service))),
    )
