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
        ring = kms.KeyRing(
            name,
            location=region,
            project=project.id,
            opts=pulumi.ResourceOptions(parent=self, depends_on=project.on("cloudkms")),
        )

        self.data = self._key(f"{name}-data", spec, ring, project, (user for user in users if user != _OF_KUBERNETES))
        self.cluster = self._key(
            f"{name}-cluster", spec, ring, project, (user for user in users if user == _OF_KUBERNETES)
        )
        self.register_outputs({"data": self.data.id, "cluster": self.cluster.id})

    def _key(
        self, name: str, spec: HoldingSpec, ring: kms.KeyRing, project: ProjectHandle, users: Iterable[str]
    ) -> KeyHandle:
        key = kms.CryptoKey(
            name,
            key_ring=ring.id,
            purpose="ENCRYPT_DECRYPT",
            rotation_period=_ROTATION,
            destroy_scheduled_duration=_LONGEST_END,  # with the key, all that it encrypted is lost
            labels=spec.tags,
            opts=pulumi.ResourceOptions(parent=self, protect=spec.protect),
        )
        return KeyHandle(id=key.id, grants={user: self._grant(f"{name}-{user}", key, user, project) for user in users})

    def _grant(self, name: str, key: kms.CryptoKey, service: str, project: ProjectHandle) -> pulumi.Resource:
        agent = project.agents.get(service)
        if agent is None:
            agent = pulumi.Output.from_input(project.number).apply(partial(service_agents.email, service))
        return kms.CryptoKeyIAMMember(
            name,
            crypto_key_id=key.id,
            role="roles/cloudkms.cryptoKeyEncrypterDecrypter",
            member=pulumi.Output.concat("serviceAccount:", agent),
            # IAM refuses members that do not exist, and an agent exists from the moment that its API is on.
            opts=pulumi.ResourceOptions(parent=self, depends_on=project.on(service)),
        )
