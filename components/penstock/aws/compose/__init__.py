"""A platform on AWS."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Final

import pulumi
import pulumi_aws
import pulumi_kubernetes

from penstock import aws
from penstock.addons.registry.block import RegistrySpec
from penstock.addons.secrets.block import SecretStoreSpec
from penstock.aws.components.cluster import adopt as adopt_cluster
from penstock.aws.components.kubeconfig import kubeconfig
from penstock.aws.components.logs import DEV_RETENTION_DAYS, RETENTION_DAYS
from penstock.aws.components.network import adopt as adopt_network
from penstock.aws.description import karpenter_pools, pools
from penstock.aws.description.node_pool_block import own_settings
from penstock.catalog import regions
from penstock.description import storage
from penstock.description.block import ComponentSpec, HoldingSpec
from penstock.description.closed_network import has_own_mirror
from penstock.description.cluster import version_of
from penstock.description.network import NetworkSpec
from penstock.description.node_pool import NodePoolSpec
from penstock.description.nodes import nodes_of, pool_nodes
from penstock.description.platform import full_name
from penstock.description.storage import BucketSpec, DatabaseSpec, LustreSpec, SharedFilesSpec
from penstock.kubernetes.components.in_cluster import SecretSource
from penstock.kubernetes.components.job_images import default_images
from penstock.kubernetes.components.mirrored import ask_for_images, asked_of_mirror
from penstock.platform.in_cluster import in_cluster, install
from penstock.platform.namespace_labels import labelled
from penstock.platform.site import PlatformSite

_DECIDED_BY: Final = {
    "addonVersion": "cluster.version",
    "deletionProtection": ".protect",
    "region": "cloud.region",
    "tagSpecifications": "tags owner",
    "ClusterAutoscaler": "node_pools",
    "ImageMirror": "network.egress",
    "Runner": "cluster.runner",
    "WorkloadRoles": "storage addons.secrets.readers",
    "cost-budget-exists": "budget.monthly_usd",
    "cost-max-gpus-eks": "node_pools.*.nodes",
}


class Composer:
    """The components of a description, in the order in which AWS can build them."""

    decided_by: Mapping[str, str] = _DECIDED_BY
    outputs: Mapping[str, pulumi.Input[object]]

    def __init__(self, site: PlatformSite) -> None:
        self._parent = site.child
        self._site = site.by(self._provider(site))
        self._account = self._caller()
        self._keys = aws.Keys(
            site.name_of("keys"),
            site.own(HoldingSpec()),
            region=site.region,
            account=self._account,
            only_data=site.spec.cluster.existing is not None,
            opts=self._site.child,
        )
        self._log_days = DEV_RETENTION_DAYS if site.spec.environment == "dev" else RETENTION_DAYS
        self._network = self._connect()
        existing = site.spec.cluster.existing
        self._installed = frozenset[str](existing.installed if existing is not None else ())
        self._cluster = self._control_plane()
        self._kubeconfig = kubeconfig(self._cluster, region=site.region)
        self._in_cluster = self._kubernetes()
        if existing is None:
            disks = aws.Disks(
                site.name_of("disks"), site.own(HoldingSpec()), key=self._keys.data, opts=self._in_cluster
            )
            # The first object in the cluster shows that Pulumi reaches it, before any scarce machine is paid for.
            self._cluster = replace(self._cluster, access=(*self._cluster.access, disks.ready))
        for pool in site.pools:
            if karpenter_pools.is_scaled(pool, site.spec.cluster):
                continue  # by Karpenter, once it runs
            aws.NodePool(
                site.name_of(pool.name),
                pool,
                cluster=self._cluster,
                network=self._network,
                key=self._keys.data,
                lustre_over_efa=self._mounts_over_efa(pool),
                startup_taint=pool_nodes(pool, site.spec).startup_taint,
                opts=self._site.child,
            )
        self._kinds = {pools.machine(pool).accelerator_kind for pool in site.pools}
        bounds = any(pool.nodes.min < pool.nodes.max for pool in site.pools)
        # An existing cluster has its own autoscaler, or people who scale its pools.
        self._scales = bounds and existing is None and site.spec.cluster.autoscaling == "cluster-autoscaler"
        self._karpenter = site.spec.cluster.autoscaling == "karpenter"
        self._image_mirror = self._registry() if has_own_mirror(site.spec) else site.spec.network.image_mirror
        with asked_of_mirror() as images:
            if self._scales:
                self._scale()
            if self._karpenter:
                self._scale_by_karpenter()
            self._used: list[aws.BucketUse] = []
            self._volumes: dict[str, aws.VolumeHandle] = {}
            self._secrets: SecretSource | None = None
            stores = self._store()
            self._claim_volumes()
            self._plug_in_devices()
            services = self._serve()
            addons = install(
                self._site,
                in_cluster(
                    self._site,
                    version=version_of(site.spec.cluster, "aws"),
                    image_mirror=self._image_mirror,
                    volumes=self._volumes,
                    secrets=self._secrets,
                    outputs={"cluster": self._cluster.name},
                ),
                opts=self._in_cluster,
            )
            for nodes in nodes_of(site.spec):
                ask_for_images(default_images(nodes.share))
        copies = self._mirror(images)

        self.outputs = {
            "cluster": self._cluster.name,
            "kubeconfig": self._kubeconfig,
            "storage": stores,
            **services,
            **addons,
            **self._reach(),
            **({"image_copies": copies} if copies else {}),
        }

    def _provider(self, site: PlatformSite) -> pulumi_aws.Provider:
        """A provider that refuses any account but the one of the description."""
        account = site.spec.cloud.account
        return pulumi_aws.Provider(
            site.name_of("aws"),
            region=site.region,
            allowed_account_ids=[account] if account else None,
            opts=site.child,
        )

    def _caller(self) -> pulumi.Output[str]:
        provider = self._site.child.provider
        return pulumi_aws.get_caller_identity_output(opts=pulumi.InvokeOptions(provider=provider)).account_id

    def _connect(self) -> aws.NetworkHandle:
        site, spec = self._site, self._site.own(self._site.spec.network, "network")
        if spec.existing is not None:
            return adopt_network(
                site.name_of("network"), spec.existing, region=site.region, tags=spec.tags, opts=site.child
            )
        return aws.Network(
            site.name_of("network"),
            _frugal(spec) if site.spec.environment == "dev" else spec,
            zones=site.zones,
            region=site.region,
            key=self._keys.logs,
            log_days=self._log_days,
            opts=site.child,
        ).handle

    def _control_plane(self) -> aws.ClusterHandle:
        site, spec = self._site, self._site.own(self._site.spec.cluster, "cluster")
        if spec.existing is not None:
            return adopt_cluster(spec.existing, version=spec.version, opts=site.child)
        return aws.Cluster(
            full_name(site.spec),
            spec,
            network=self._network,
            key=self._keys.cluster,
            logs_key=self._keys.logs,
            allowed_cidrs=site.spec.network.allowed_cidrs,
            mtu=site.spec.network.mtu,
            log_days=self._log_days,
            multi_nic=any(own_settings(pool).efa_interfaces == "bandwidth_optimized" for pool in site.pools),
            opts=site.child,
        ).handle

    def _store(self) -> dict[str, pulumi.Input[object]]:
        """Buckets first, because file systems import from them; then the drivers that pods mount with."""
        site, key = self._site, self._keys.data
        buckets = self._buckets()
        outputs: dict[str, pulumi.Input[object]] = {name: bucket.name for name, bucket in buckets.items()}
        for lustre in site.storage(LustreSpec):
            filesystem = aws.Lustre(
                site.name_of(lustre.name),
                lustre,
                network=self._network,
                zone=storage.zone_of(lustre, site.zones),
                key=key,
                source=buckets[lustre.source] if lustre.source else None,
                opts=site.child,
            )
            self._volumes[lustre.name] = filesystem.volume
            outputs[lustre.name] = {
                "filesystem_id": filesystem.filesystem_id,
                "dns_name": filesystem.dns_name,
                "mount_name": filesystem.mount_name,
            }
        for files in site.storage(SharedFilesSpec):
            shared = aws.SharedFiles(site.name_of(files.name), files, network=self._network, key=key, opts=site.child)
            outputs[files.name], self._volumes[files.name] = shared.dns_name, shared.volume
        for database in site.storage(DatabaseSpec):
            outputs[database.name] = aws.Database(
                site.name_of(database.name), database, network=self._network, key=key, opts=site.child
            ).address
        kinds = {item.kind for item in site.spec.storage} - self._installed
        if kinds & {"bucket", "lustre", "nfs"}:
            aws.StorageDrivers(
                site.name_of("drivers"),
                site.own(ComponentSpec()),
                cluster=self._cluster,
                partition=self._network.partition,
                lustre="lustre" in kinds,
                shared_files="nfs" in kinds,
                buckets="bucket" in kinds,
                opts=site.child,
            )
        return outputs

    def _mounts_over_efa(self, pool: NodePoolSpec) -> bool:
        """Whether the platform has a file system that this pool's nodes can mount over EFA, which leaves no zone."""
        site = self._site
        zones = {storage.zone_of(item, site.zones) for item in site.storage(LustreSpec) if item.fabric == "efa"}
        return pools.mounts_over_efa(pool) and pools.zone_of(pool, site.zones) in zones

    def _buckets(self) -> dict[str, aws.BucketHandle]:
        site, items = self._site, list(self._site.storage(BucketSpec))
        if not items:
            return {}
        logs = aws.AccessLogs(
            site.name_of("access-logs"), site.own(HoldingSpec()), account=self._account, opts=site.child
        ).handle
        buckets = {
            item.name: aws.Bucket(site.name_of(item.name), item, key=self._keys.data, logs=logs, opts=site.child).handle
            for item in items
        }
        machines = [pools.machine(pool) for pool in site.pools]
        for item in items:
            self._volumes[item.name] = aws.bucket_volume(
                buckets[item.name], item, region=site.region, machines=machines
            )
        self._used = [
            aws.BucketUse(bucket=buckets[item.name], readers=item.readers, writers=item.writers) for item in items
        ]
        return buckets

    def _claim_volumes(self) -> None:
        """Make storage ready to mount: a claim for each, called as in the description."""
        if not self._volumes:
            return
        from penstock.kubernetes import Volume

        for claim, volume in self._volumes.items():
            Volume(
                self._site.name_of(claim),
                claim=claim,
                driver=volume.driver,
                handle=volume.handle,
                gib=volume.gib,
                attributes=volume.attributes,
                mount_options=volume.mount_options,
                described_at=self._site.path_of("storage", claim),
                opts=self._in_cluster,
            )

    def _kubernetes(self) -> pulumi.ResourceOptions:
        """The options of what goes into the cluster."""
        provider = pulumi_kubernetes.Provider(
            self._site.name_of("kubernetes"),
            kubeconfig=self._kubeconfig,
            # Whoever runs Pulumi must have been let in before the first call to the cluster.
            opts=pulumi.ResourceOptions.merge(
                self._parent, pulumi.ResourceOptions(depends_on=list(self._cluster.access))
            ),
        )
        child = pulumi.ResourceOptions.merge(self._parent, pulumi.ResourceOptions(provider=provider))
        return pulumi.ResourceOptions.merge(child, labelled(self._site.spec))

    def _scale(self) -> None:
        from penstock.kubernetes import ClusterAutoscaler

        site, name = self._site, self._site.name_of("autoscaler")
        role = aws.AutoscalerRole(
            name,
            cluster=self._cluster,
            partition=self._network.partition,
            tags=site.own(ComponentSpec()).tags,
            opts=site.child,
        )
        ClusterAutoscaler(
            name,
            cluster_name=self._cluster.name,
            region=site.region,
            image_mirror=self._image_mirror,
            opts=pulumi.ResourceOptions.merge(self._in_cluster, pulumi.ResourceOptions(depends_on=[role.ready])),
        )

    def _scale_by_karpenter(self) -> None:
        from penstock.aws.compose import karpenter

        karpenter.install(
            self._site,
            cluster=self._cluster,
            network=self._network,
            key=self._keys.data,
            account=self._account,
            image_mirror=self._image_mirror,
            mounts_over_efa=self._mounts_over_efa,
            in_cluster=self._in_cluster,
        )

    def _plug_in_devices(self) -> None:
        """A device plugin for each kind of device that a pool has: the EKS images bring drivers, but no plugins.

        Where pods claim GPUs and EFA, there is a driver for claims in place of either plugin.
        """
        site, child, kinds, mirror = self._site, self._in_cluster, self._kinds, self._image_mirror
        fabric = any(pools.efa(pool) for pool in site.pools)
        if not fabric and not kinds & {"gpu", "neuron"}:
            return
        from penstock.aws import EfaDevicePlugin
        from penstock.kubernetes import NeuronDevicePlugin, NvidiaDevicePlugin
        from penstock.kubernetes.components.device_sharing import plan

        claimed = site.spec.cluster.device_allocation == "claims"
        if claimed:
            self._serve_claims(gpus="gpu" in kinds, fabric=fabric)
        if "gpu" in kinds and not claimed and not self._installed & {"nvidia", "gpu-operator"}:
            NvidiaDevicePlugin(
                site.name_of("nvidia"), image_mirror=mirror, sharing=plan(nodes_of(site.spec)), opts=child
            )
        if "neuron" in kinds and "neuron" not in self._installed:
            NeuronDevicePlugin(site.name_of("neuron"), image_mirror=mirror, opts=child)
        if fabric and not claimed and "efa" not in self._installed:
            EfaDevicePlugin(site.name_of("efa"), region=site.region, opts=child)

    def _serve_claims(self, *, gpus: bool, fabric: bool) -> None:
        """The drivers for claims of what pools have."""
        from penstock.aws import EfaClaims
        from penstock.kubernetes import GpuClaims

        site, child = self._site, self._in_cluster
        if gpus and "nvidia-dra" not in self._installed:
            GpuClaims(site.name_of("gpu-claims"), image_mirror=self._image_mirror, opts=child)
        if fabric and "efa-dra" not in self._installed:
            EfaClaims(site.name_of("efa-claims"), region=site.region, opts=child)

    def _let_in(self, secrets: Sequence[pulumi.Input[str]]) -> None:
        """Give the pods that the description names their rights to its buckets and secrets."""
        site, store = self._site, self._site.spec.addons.get(SecretStoreSpec)
        readers = store.readers if store is not None else ()
        if readers or any(use.readers or use.writers for use in self._used):
            aws.WorkloadRoles(
                site.name_of("workloads"),
                site.own(ComponentSpec()),
                cluster=self._cluster,
                region=site.region,
                key=self._keys.data,
                buckets=self._used,
                secrets=secrets,
                secret_readers=readers,
                opts=site.child,
            )

    def _reach(self) -> dict[str, pulumi.Input[object]]:
        """The machine inside, where the description has one, and the commands that lead through it."""
        site, spec = self._site, self._site.own(self._site.spec.cluster, "cluster")
        if not spec.runner:
            return {}
        runner = aws.Runner(
            site.name_of("runner"),
            cluster=self._cluster,
            network=self._network,
            key=self._keys.data,
            region=site.region,
            tags=spec.tags,
            opts=site.child,
        )
        return {"runner": {"session": runner.session, "tunnel": runner.tunnel, "kubeconfig": runner.kubeconfig}}

    def _registry(self) -> pulumi.Output[str]:
        place = regions.find_region(self._site.region, "aws")
        account = pulumi.Output.concat(self._account, f".dkr.ecr.{self._site.region}.{place.dns_suffix}")
        return pulumi.Output.concat(account, "/", self._site.name_of("mirror"))

    def _mirror(self, images: Collection[str]) -> Mapping[str, pulumi.Output[str]]:
        """A repository of our own for each public image where nothing leads out; where each is copied to."""
        if not (has_own_mirror(self._site.spec) and images):
            return {}
        site = self._site
        return aws.ImageMirror(
            site.name_of("mirror"), site.own(HoldingSpec()), images=images, key=self._keys.data, opts=site.child
        ).copies

    def _serve(self) -> dict[str, pulumi.Input[object]]:
        site = self._site
        outputs: dict[str, pulumi.Input[object]] = {}
        arns = list[pulumi.Input[str]]()
        store, images = site.spec.addons.get(SecretStoreSpec), site.spec.addons.get(RegistrySpec)
        if store is not None:
            secrets = aws.SecretStore(
                site.name_of("secrets"),
                site.own(store, "addons", "secrets"),
                key=self._keys.data,
                account=self._account,
                opts=site.child,
            )
            outputs["secrets"] = secrets.arns
            arns = list(secrets.arns.values())
            manager = {"service": "SecretsManager", "region": site.region}
            self._secrets = SecretSource(provider={"aws": manager}, keys=secrets.arns)
        if images is not None:
            registry = aws.Registry(
                site.name_of("registry"),
                site.own(images, "addons", "registry"),
                key=self._keys.data,
                opts=site.child,
            )
            outputs["images"] = registry.urls
        self._let_in(arns)
        if site.spec.budget is not None:
            aws.Budget(site.name_of("budget"), site.own(site.spec.budget, "budget"), opts=site.child)
        return outputs


def _frugal(network: NetworkSpec) -> NetworkSpec:
    """The network of an environment that may lose its way out with a zone, and pays neither for more nor for others."""
    if network.egress != "nat":
        return network
    derived = {"nat": "single", "private_endpoints": False}
    return network.model_copy(
        update={key: value for key, value in derived.items() if key not in network.model_fields_set}
    )
