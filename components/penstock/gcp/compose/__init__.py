"""A platform on Google Cloud."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

import pulumi
import pulumi_gcp
import pulumi_kubernetes

from penstock import gcp
from penstock.addons.registry.block import RegistrySpec
from penstock.addons.secrets.block import SecretStoreSpec
from penstock.description import storage
from penstock.description.block import ComponentSpec, HoldingSpec
from penstock.description.cluster import version_of
from penstock.description.nodes import pool_nodes
from penstock.description.platform import full_name
from penstock.description.storage import BucketSpec, DatabaseSpec, LustreSpec, SharedFilesSpec
from penstock.gcp.components.kubeconfig import kubeconfig
from penstock.gcp.components.network import adopt as adopt_network
from penstock.gcp.compose.gpudirect import Wiring, install, mirrored_hosts
from penstock.gcp.description import pools
from penstock.kubernetes.components.in_cluster import SecretSource
from penstock.platform.in_cluster import in_cluster
from penstock.platform.in_cluster import install as install_addons
from penstock.platform.namespace_labels import labelled
from penstock.platform.site import PlatformSite

_APIS_OF_ALL = ("binaryauthorization", "compute", "container", "containerfilesystem", "cloudkms", "iam")
"""The APIs that every platform needs; that of the container file system streams images.

Without that of Binary Authorization clusters that enforce it admit every image.
"""

_APIS = {"bucket": ("storage",), "lustre": ("lustre",), "nfs": ("file",), "postgres": ("sqladmin",)}
"""The APIs that each kind of storage needs beside them."""

_PEERED = frozenset({"lustre", "nfs", "postgres"})
"""Storage that Google runs in a network of its own, reached by peering."""

_KEY_USERS = {"bucket": "storage", "lustre": "lustre", "nfs": "file", "postgres": "sqladmin"}
"""The service that encrypts each kind of storage."""


_DECIDED_BY: Final = {
    "deletionProtection deletionProtectionEnabled settings.deletionProtectionEnabled": ".protect",
    "labels nodeConfig.resourceLabels resourceLabels settings.userLabels": "tags owner",
    "location region": "cloud.region",
    "project": "cloud.account",
    "Administrators": "cluster.admins",
    "Fabric FabricNetworks Gib NcclProfile": "node_pools",
    "ImageMirror": "network.egress",
    "Runner": "cluster.runner",
    "cost-budget-exists-gcp": "budget.monthly_usd",
    "cost-max-gpus-gke": "node_pools.*.nodes",
}


class Composer:
    """The components of a description, in the order in which Google Cloud can build them."""

    decided_by: Mapping[str, str] = _DECIDED_BY
    outputs: Mapping[str, pulumi.Input[object]]

    def __init__(self, site: PlatformSite) -> None:
        self._parent = site.child
        self._kinds = {item.kind for item in site.spec.storage}
        self._mirrored = mirrored_hosts(site)
        self._site = site.by(self._provider(site))
        self._project = self._enter_project()
        self._keys = gcp.Keys(
            site.name_of("keys"),
            site.own(HoldingSpec()),
            project=self._project,
            region=site.region,
            users=self._key_users(),
            opts=self._site.child,
        )
        self._network = self._connect()
        self._cluster = self._control_plane()
        self._volumes: dict[str, gcp.VolumeHandle] = {}
        self._secrets: SecretSource | None = None
        self._wiring = Wiring(self._site, project=self._project)
        for pool in self._site.pools:
            component = (
                gcp.TpuPool
                if pools.machine(pool).accelerator_kind == "tpu"
                else partial(gcp.NodePool, startup_taint=pool_nodes(pool, site.spec).startup_taint)
            )
            component(
                site.name_of(pool.name),
                pool,
                cluster=self._cluster,
                network=self._network,
                key=self._keys.data,
                zones=site.zones,
                fabric=self._wiring.of(pool),
                opts=self._site.child,
            )
        stores = self._store()
        self._kubeconfig = kubeconfig(self._cluster)
        in_gke = self._set_up_cluster()
        services = self._serve()
        facts = in_cluster(
            self._site,
            version=version_of(site.spec.cluster, "gcp"),
            volumes=self._volumes,
            secrets=self._secrets,
            outputs={"cluster": self._cluster.name, "project": self._project.id},
        )
        addons = install_addons(self._site, facts, opts=in_gke)

        self.outputs = {
            "cluster": self._cluster.name,
            "kubeconfig": self._kubeconfig,
            "storage": stores,
            **services,
            **addons,
            **self._runner(),
        }

    def _provider(self, site: PlatformSite) -> pulumi_gcp.Provider:
        """A provider of the one project, which is also billed for what its user asks the budget's API."""
        project = site.spec.cloud.account
        budget = site.spec.budget is not None
        return pulumi_gcp.Provider(
            site.name_of("gcp"),
            project=project,
            region=site.region,
            user_project_override=budget or None,
            billing_project=project if budget else None,
            opts=site.child,
        )

    def _enter_project(self) -> gcp.ProjectHandle:
        """Turn on the APIs that the platform needs, and nothing in any other project."""
        site = self._site
        addons = site.spec.addons
        apis = {*_APIS_OF_ALL, *(api for kind in self._kinds for api in _APIS.get(kind, ()))}
        if self._kinds & _PEERED:
            apis.add("servicenetworking")
        if site.spec.network.existing is None and site.spec.network.egress == "none":
            apis.add("dns")
        if addons.has("secrets"):
            apis.add("secretmanager")
        if addons.has("registry") or self._mirrored:
            apis |= {"artifactregistry", "containerscanning"}
        if site.spec.cluster.runner:
            apis.add("iap")
        if site.spec.budget is not None:
            apis |= {"billingbudgets", "cloudbilling", "monitoring"}
        return gcp.Project(
            site.name_of("project"),
            project=site.spec.cloud.account or "",
            apis=sorted(apis),
            opts=site.child,
        ).handle

    def _key_users(self) -> list[str]:
        addons = self._site.spec.addons
        users = {"compute", "container", *(_KEY_USERS[kind] for kind in self._kinds if kind in _KEY_USERS)}
        if addons.has("secrets"):
            users.add("secretmanager")
        if addons.has("registry") or self._mirrored:
            users.add("artifactregistry")
        return sorted(users)

    def _connect(self) -> gcp.NetworkHandle:
        site, spec = self._site, self._site.own(self._site.spec.network, "network")
        if spec.existing is not None:
            return adopt_network(spec.existing, region=site.region, project=self._project, opts=site.child)
        return gcp.Network(
            site.name_of("network"),
            spec,
            region=site.region,
            project=self._project,
            peered=bool(self._kinds & _PEERED),
            machines=sum(pool.nodes.max for pool in site.pools),
            opts=site.child,
        ).handle

    def _control_plane(self) -> gcp.ClusterHandle:
        site = self._site
        machines = [pools.machine(pool) for pool in site.pools]
        return gcp.Cluster(
            full_name(site.spec),
            site.own(site.spec.cluster, "cluster"),
            network=self._network,
            project=self._project,
            key=self._keys.cluster,
            disk_key=self._keys.data,
            allowed_cidrs=site.spec.network.allowed_cidrs,
            multi_networking=any(pools.fabric(pool) for pool in site.pools),
            drivers=sorted(self._kinds & {"bucket", "lustre", "nfs"}),
            zones=site.zones,
            shielded=not any(machine.machine_type.endswith("-metal") for machine in machines),
            accelerated=any(machine.accelerators for machine in machines),
            gpu_metrics=not site.spec.addons.has("observability"),
            opts=site.child,
        ).handle

    def _runner(self) -> dict[str, pulumi.Input[object]]:
        """The machine from which a closed endpoint is reached, where the description wants one."""
        site = self._site
        if not site.spec.cluster.runner:
            return {}
        runner = gcp.Runner(
            site.name_of("runner"),
            site.own(ComponentSpec(tags=site.spec.cluster.tags)),
            network=self._network,
            project=self._project,
            key=self._keys.data,
            zone=site.zones[0],
            members=site.spec.cluster.admins,
            opens_firewall=site.spec.network.existing is None,
            opts=site.child,
        )
        return {"runner": {"tunnel": runner.tunnel, "proxy": runner.proxy}}

    def _store(self) -> dict[str, pulumi.Input[object]]:
        """Buckets first, because file systems import from them."""
        site, project, key = self._site, self._project, self._keys.data
        buckets: dict[str, gcp.BucketHandle] = {}
        for item in site.storage(BucketSpec):
            bucket = gcp.Bucket(
                site.name_of(item.name),
                item,
                region=site.region,
                project=project,
                key=key,
                cluster=self._cluster,
                opts=site.child,
            )
            buckets[item.name], self._volumes[item.name] = bucket.handle, bucket.volume
        if buckets:
            gcp.AccessLogs(site.name_of("access-logs"), project=project, opts=site.child)
        outputs: dict[str, pulumi.Input[object]] = {name: bucket.name for name, bucket in buckets.items()}
        for lustre in site.storage(LustreSpec):
            filesystem = gcp.Lustre(
                site.name_of(lustre.name),
                lustre,
                network=self._network,
                project=project,
                zone=storage.zone_of(lustre, site.zones),
                key=key,
                source=buckets[lustre.source] if lustre.source else None,
                opts=site.child,
            )
            self._volumes[lustre.name] = filesystem.volume
            outputs[lustre.name] = {
                "mount_point": filesystem.mount_point,
                "filesystem": filesystem.filesystem,
                **({} if filesystem.import_command is None else {"import_command": filesystem.import_command}),
            }
        for files in site.storage(SharedFilesSpec):
            shared = gcp.SharedFiles(
                site.name_of(files.name),
                files,
                network=self._network,
                project=project,
                key=key,
                zone=site.zones[0],
                opts=site.child,
            )
            outputs[files.name], self._volumes[files.name] = shared.address, shared.volume
        for database in site.storage(DatabaseSpec):
            outputs[database.name] = gcp.Database(
                site.name_of(database.name), database, network=self._network, project=project, key=key, opts=site.child
            ).address
        return outputs

    def _set_up_cluster(self) -> pulumi.ResourceOptions:
        """The objects that Pulumi puts into the cluster: administrators, a storage class, volumes, and fabrics.

        Returns the options of all that goes there.
        """
        from penstock.kubernetes import Administrators, Volume

        site = self._site
        provider = pulumi_kubernetes.Provider(
            site.name_of("kubernetes"),
            kubeconfig=self._kubeconfig,
            # By default another endpoint is another cluster, and all objects in it are replaced, volumes in use too.
            cluster_identifier=self._cluster.identity,
            opts=self._parent,
        )
        child = pulumi.ResourceOptions.merge(self._parent, pulumi.ResourceOptions(provider=provider))
        child = pulumi.ResourceOptions.merge(child, labelled(site.spec))
        if site.spec.cluster.admins:
            Administrators(site.name_of("admins"), members=site.spec.cluster.admins, opts=child)
        gcp.Disks(
            site.name_of("disks"),
            site.own(HoldingSpec()),
            key=self._keys.data,
            machines=[pools.machine(pool) for pool in site.pools],
            version=version_of(site.spec.cluster, "gcp"),
            opts=child,
        )
        for claim, volume in self._volumes.items():
            Volume(
                site.name_of(claim),
                claim=claim,
                driver=volume.driver,
                handle=volume.handle,
                gib=volume.gib,
                attributes=volume.attributes,
                described_at=site.path_of("storage", claim),
                opts=child,
            )
        install(site, self._wiring, mirrors=self._mirror_images(), opts=child)
        return child

    def _mirror_images(self) -> Mapping[str, pulumi.Input[str]]:
        site = self._site
        if not self._mirrored:
            return {}
        return gcp.ImageMirror(
            site.name_of("mirror"),
            site.own(ComponentSpec()),
            hosts=self._mirrored,
            project=self._project,
            region=site.region,
            key=self._keys.data,
            opts=site.child,
        ).registries

    def _serve(self) -> dict[str, pulumi.Input[object]]:
        site, project, key = self._site, self._project, self._keys.data
        outputs: dict[str, pulumi.Input[object]] = {}
        store, registry = site.spec.addons.get(SecretStoreSpec), site.spec.addons.get(RegistrySpec)
        if store is not None:
            ids = gcp.SecretStore(
                site.name_of("secrets"),
                site.own(store, "addons", "secrets"),
                project=project,
                region=site.region,
                key=key,
                cluster=self._cluster,
                opts=site.child,
            ).ids
            outputs["secrets"] = ids
            # The operator puts the project before it.
            keys = {name: id_.apply(lambda path: path.rpartition("/")[2]) for name, id_ in ids.items()}
            self._secrets = SecretSource(provider={"gcpsm": {"projectID": project.id}}, keys=keys)
        if registry is not None:
            outputs["images"] = gcp.Registry(
                site.name_of("registry"),
                site.own(registry, "addons", "registry"),
                project=project,
                region=site.region,
                key=key,
                opts=site.child,
            ).urls
        if site.spec.budget is not None:
            gcp.Budget(site.name_of("budget"), site.own(site.spec.budget, "budget"), project=project, opts=site.child)
        return outputs
