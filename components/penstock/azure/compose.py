"""A platform on Azure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import pulumi
import pulumi_azure_native
import pulumi_kubernetes

from penstock import azure
from penstock.addons.registry.block import RegistrySpec
from penstock.addons.secrets.block import EXTERNAL_SECRETS, SecretStoreSpec
from penstock.azure.components.kubeconfig import certificate_authority, kubeconfig
from penstock.azure.components.network import adopt
from penstock.azure.description import pools
from penstock.core.clock import utc_today
from penstock.description import storage
from penstock.description.block import ComponentSpec, HoldingSpec
from penstock.description.cluster import version_of
from penstock.description.platform import full_name
from penstock.description.storage import BucketSpec, DatabaseSpec, LustreSpec, SharedFilesSpec
from penstock.kubernetes.components.in_cluster import SecretSource
from penstock.platform.in_cluster import in_cluster
from penstock.platform.in_cluster import install as install_addons
from penstock.platform.namespace_labels import labelled
from penstock.platform.site import PlatformSite

_SERVICES = {"bucket": ("blob", "dfs"), "nfs": ("file",), "postgres": ("postgresqlServer",)}
"""The private endpoints of each kind of storage."""


_DECIDED_BY: Final = {
    "location": "cloud.region",
    "cost-budget-exists-az": "budget.monthly_usd",
    "cost-max-gpus-aks": "node_pools.*.nodes",
}


class Composer:
    """The components of a description, in the order in which Azure can build them."""

    decided_by: Mapping[str, str] = _DECIDED_BY
    outputs: Mapping[str, pulumi.Input[object]]

    def __init__(self, site: PlatformSite) -> None:
        self._parent = site.child
        self._site = site = site.by(self._provider(site))
        self._group = azure.ResourceGroup(
            full_name(site.spec), site.own(HoldingSpec()), region=site.region, opts=site.child
        ).handle
        self._network = self._connect()
        self._keys = azure.Keys(
            site.name_of("keys"),
            site.own(HoldingSpec()),
            group=self._group,
            network=self._network,
            lustre=any(site.storage(LustreSpec)),
            opts=site.child,
        )
        self._cluster = self._control_plane()
        for pool in pools.beside_the_first(site.pools):
            azure.NodePool(
                site.name_of(pool.name),
                pool,
                cluster=self._cluster,
                network=self._network,
                group=self._group,
                zones=site.zones,
                opts=site.child,
            )
        self._identities = self._pods()
        self._volumes: dict[str, azure.VolumeHandle] = {}
        self._secrets: SecretSource | None = None
        stores = self._store()
        self._kubeconfig = kubeconfig(self._cluster)
        services = self._serve()
        addons = self._set_up_cluster()

        clients = {who: its.client for who, its in self._identities.items() if who != EXTERNAL_SECRETS}
        self.outputs = {
            "cluster": self._cluster.name,
            "kubeconfig": self._kubeconfig,
            "storage": stores,
            **services,
            **({"identities": clients} if clients else {}),
            **addons,
        }

    def _provider(self, site: PlatformSite) -> pulumi_azure_native.Provider:
        """A provider of the one subscription, where the description names one."""
        return pulumi_azure_native.Provider(
            site.name_of("azure"), location=site.region, subscription_id=site.spec.cloud.account, opts=site.child
        )

    def _connect(self) -> azure.NetworkHandle:
        site, addons = self._site, self._site.spec.addons
        existing, file_systems = site.spec.network.existing, [item.name for item in site.storage(LustreSpec)]
        if existing is not None:
            return adopt(existing, file_systems=file_systems, opts=site.child)
        services = {"vault", *(each for item in site.spec.storage for each in _SERVICES.get(item.kind, ()))}
        if addons.has("registry"):
            services.add("registry")
        return azure.Network(
            site.name_of("network"),
            site.own(site.spec.network, "network"),
            group=self._group,
            services=sorted(services),
            lustre=len(file_systems),
            machines=sum(pool.nodes.max for pool in site.pools),
            opts=site.child,
        ).handle

    def _control_plane(self) -> azure.ClusterHandle:
        site = self._site
        return azure.Cluster(
            full_name(site.spec),
            site.own(site.spec.cluster, "cluster"),
            group=self._group,
            network=self._network,
            key=self._keys.cluster,
            disk_key=self._keys.data,
            system=pools.first(site.pools),
            zones=site.zones,
            allowed_cidrs=site.spec.network.allowed_cidrs,
            drivers=sorted({item.kind for item in site.spec.storage}),
            accelerated=any(pools.machine(pool).accelerators for pool in site.pools),
            opts=site.child,
        ).handle

    def _pods(self) -> Mapping[str, azure.IdentityHandle]:
        """An identity for each service account that the description lets in somewhere."""
        site, secrets = self._site, self._site.spec.addons.get(SecretStoreSpec)
        accounts = [*(who for item in site.storage(BucketSpec) for who in (*item.readers, *item.writers))]
        accounts += secrets.readers if secrets is not None else ()
        return {
            who: azure.WorkloadIdentity(
                site.name_of(who.replace("/", "-")),
                site.own(ComponentSpec()),
                account=who,
                cluster=self._cluster,
                group=self._group,
                opts=site.child,
            ).handle
            for who in dict.fromkeys(accounts)
        }

    def _store(self) -> dict[str, pulumi.Input[object]]:
        """Buckets first, because file systems import from them."""
        site, key, group, network = self._site, self._keys.data, self._group, self._network
        importers = {lustre.source: lustre.importer for lustre in site.storage(LustreSpec)}
        buckets: dict[str, azure.BucketHandle] = {}
        outputs: dict[str, pulumi.Input[object]] = {}
        for item in site.storage(BucketSpec):
            bucket = azure.Bucket(
                site.name_of(item.name),
                item,
                group=group,
                network=network,
                key=key,
                importer=importers.get(item.name),
                identities=self._identities,
                opts=site.child,
            )
            buckets[item.name], outputs[item.name] = bucket.handle, bucket.url
        for lustre, subnet in zip(site.storage(LustreSpec), network.lustre, strict=True):
            filesystem = azure.Lustre(
                site.name_of(lustre.name),
                lustre,
                group=group,
                subnet=subnet,
                key=self._keys.lustre,
                zone=storage.zone_of(lustre, site.zones) if site.zones else None,
                source=buckets[lustre.source] if lustre.source else None,
                opts=site.child,
            )
            outputs[lustre.name], self._volumes[lustre.name] = filesystem.address, filesystem.volume
        for files in site.storage(SharedFilesSpec):
            shared = azure.SharedFiles(
                site.name_of(files.name), files, group=group, network=network, key=key, opts=site.child
            )
            outputs[files.name], self._volumes[files.name] = shared.address, shared.volume
        for database in site.storage(DatabaseSpec):
            outputs[database.name] = azure.Database(
                site.name_of(database.name), database, group=group, network=network, key=key, opts=site.child
            ).address
        return outputs

    def _serve(self) -> dict[str, pulumi.Input[object]]:
        site, addons = self._site, self._site.spec.addons
        secrets, registry = addons.get(SecretStoreSpec), addons.get(RegistrySpec)
        outputs: dict[str, pulumi.Input[object]] = {}
        if secrets is not None:
            store = azure.SecretStore(
                site.name_of("secrets"),
                site.own(secrets, "addons", "secrets"),
                group=self._group,
                network=self._network,
                identities=self._identities,
                opts=site.child,
            )
            outputs["secrets"], self._secrets = store.ids, self._source(store)
        if registry is not None:
            outputs["images"] = azure.Registry(
                site.name_of("registry"),
                site.own(registry, "addons", "registry"),
                group=self._group,
                network=self._network,
                key=self._keys.data,
                puller=self._cluster.kubelet,
                opts=site.child,
            ).urls
        if site.spec.budget is not None:
            azure.Budget(
                site.name_of("budget"),
                site.own(site.spec.budget, "budget"),
                group=self._group,
                month=utc_today(),
                opts=site.child,
            )
        return outputs

    def _source(self, store: azure.SecretStore) -> SecretSource:
        """The vault as External Secrets reads it, by the identity that it has where secrets are delivered."""
        namespace, _, name = EXTERNAL_SECRETS.partition("/")
        operator, tenant = self._identities.get(EXTERNAL_SECRETS), self._group.tenant
        login = {"authType": "WorkloadIdentity", "serviceAccountRef": {"name": name, "namespace": namespace}}
        return SecretSource(
            provider={"azurekv": {"vaultUrl": store.url, "tenantId": tenant, **login}},
            keys={secret: secret for secret in store.ids},
            account=(
                {"azure.workload.identity/client-id": operator.client, "azure.workload.identity/tenant-id": tenant}
                if operator is not None
                else {}
            ),
        )

    def _set_up_cluster(self) -> Mapping[str, pulumi.Input[object]]:
        """The objects that Pulumi puts into the cluster: volumes and add-ons."""
        from pulumi_kubernetes.core import v1 as core

        from penstock.azure import AzureLustreDriver
        from penstock.kubernetes import Volume

        site = self._site
        provider = pulumi_kubernetes.Provider(
            site.name_of("kubernetes"),
            kubeconfig=self._kubeconfig,
            # By default another endpoint is another cluster, and all objects in it are replaced, volumes in use too.
            cluster_identifier=certificate_authority(self._cluster),
            opts=self._parent,
        )
        child = pulumi.ResourceOptions.merge(self._parent, pulumi.ResourceOptions(provider=provider))
        child = pulumi.ResourceOptions.merge(child, labelled(site.spec))
        if any(isinstance(item, LustreSpec) for item in site.spec.storage):
            AzureLustreDriver(site.name_of("lustre-driver"), image_mirror=site.spec.network.image_mirror, opts=child)
        for claim, volume in self._volumes.items():
            Volume(
                site.name_of(claim),
                claim=claim,
                driver=volume.driver,
                handle=volume.handle,
                gib=volume.gib,
                attributes=volume.attributes,
                mount_options=volume.mount_options,
                described_at=site.path_of("storage", claim),
                opts=child,
            )
        for who, identity in self._identities.items():
            namespace, _, account = who.partition("/")
            # Other namespaces are made by add-ons, or by whoever uses them, together with their accounts.
            if namespace == "default":
                core.ServiceAccount(
                    site.name_of(who.replace("/", "-")),
                    metadata={
                        "name": account,
                        "namespace": namespace,
                        "annotations": {"azure.workload.identity/client-id": identity.client},
                    },
                    automount_service_account_token=False,
                    opts=child,
                )
        facts = in_cluster(
            site,
            version=version_of(site.spec.cluster, "azure"),
            volumes=self._volumes,
            secrets=self._secrets,
            outputs={"cluster": self._cluster.name},
        )
        return install_addons(site, facts, opts=child)
