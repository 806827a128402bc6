"""Composes a description into components: the one place that knows all of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import pulumi
import pulumi_aws
import pulumi_kubernetes

from penstock import aws
from penstock.aws.cluster import adopt as adopt_cluster
from penstock.aws.kubeconfig import kubeconfig
from penstock.aws.network import adopt as adopt_network
from penstock.catalog import regions
from penstock.spec import node_pool, storage
from penstock.spec.block import ComponentSpec
from penstock.spec.platform import Spec, full_name, node_pools, protect, tags, zones
from penstock.spec.storage import BucketSpec, DatabaseSpec, LustreSpec, SharedFilesSpec

SomeSpec = TypeVar("SomeSpec", bound=ComponentSpec)


class Platform(pulumi.ComponentResource):
    """One AI platform on AWS, in the order in which the cloud can build it.

    `outputs` is what its users need to reach it: names, endpoints and mount points, none of them secret.
    """

    outputs: Mapping[str, pulumi.Input[object]]

    def __init__(self, spec: Spec, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("penstock:index:Platform", spec.name, None, opts)
        self._spec = spec
        self._zones = zones(spec)
        self._pools = node_pools(spec)
        self._region = spec.cloud.region or ""
        self._account = self._enter_account()

        self._keys = aws.Keys(
            self._name_of("keys"),
            self._own(ComponentSpec()),
            region=self._region,
            account=self._account,
            opts=self._child,
        )
        self._network = self._connect()
        self._cluster = self._control_plane()
        for pool in self._pools:
            aws.NodePool(
                self._name_of(pool.name),
                self._own(pool),
                cluster=self._cluster,
                network=self._network,
                key=self._keys.data,
                opts=self._child,
            )
        stores = self._store()
        self._plug_in_devices()
        services = self._serve()

        self.outputs = {
            "cluster": self._cluster.name,
            "kubeconfig": self._kubeconfig,
            "storage": stores,
            **services,
        }
        self.register_outputs({"summary": f"{spec.cloud.provider} {self._region}, {spec.environment}", **self.outputs})

    def _enter_account(self) -> pulumi.Output[str]:
        """Set up the provider, which refuses any account but the one of the description, and tell the account."""
        account = self._spec.cloud.account
        provider = pulumi_aws.Provider(
            self._name_of("aws"),
            region=self._region,
            allowed_account_ids=[account] if account else None,
            opts=pulumi.ResourceOptions(parent=self),
        )
        self._child = pulumi.ResourceOptions(parent=self, provider=provider)
        caller = pulumi_aws.get_caller_identity_output(opts=pulumi.InvokeOptions(provider=provider))
        return caller.account_id

    def _connect(self) -> aws.NetworkHandle:
        spec = self._own(self._spec.network)
        if spec.existing is not None:
            return adopt_network(
                self._name_of("network"), spec.existing, region=self._region, tags=spec.tags, opts=self._child
            )
        return aws.Network(
            self._name_of("network"),
            spec,
            zones=self._zones,
            region=self._region,
            key=self._keys.logs,
            opts=self._child,
        ).handle

    def _control_plane(self) -> aws.ClusterHandle:
        spec = self._own(self._spec.cluster)
        if spec.existing is not None:
            return adopt_cluster(spec.existing, version=spec.version, opts=self._child)
        return aws.Cluster(
            full_name(self._spec),
            spec,
            network=self._network,
            key=self._keys.cluster,
            logs_key=self._keys.logs,
            allowed_cidrs=self._spec.network.allowed_cidrs,
            mtu=self._spec.network.mtu,
            opts=self._child,
        ).handle

    def _store(self) -> dict[str, pulumi.Input[object]]:
        """Buckets first, because file systems import from them; then the drivers that pods mount with."""
        buckets = {
            item.name: aws.Bucket(
                self._name_of(item.name), self._own(item), key=self._keys.data, opts=self._child
            ).handle
            for item in self._spec.storage
            if isinstance(item, BucketSpec)
        }
        outputs: dict[str, pulumi.Input[object]] = {name: bucket.name for name, bucket in buckets.items()}
        for item in self._spec.storage:
            if isinstance(item, LustreSpec):
                filesystem = aws.Lustre(
                    self._name_of(item.name),
                    self._own(item),
                    network=self._network,
                    zone=storage.zone_of(item, self._zones),
                    key=self._keys.data,
                    source=buckets[item.source] if item.source else None,
                    opts=self._child,
                )
                outputs[item.name] = {
                    "filesystem_id": filesystem.filesystem_id,
                    "dns_name": filesystem.dns_name,
                    "mount_name": filesystem.mount_name,
                }
            elif isinstance(item, SharedFilesSpec):
                outputs[item.name] = aws.SharedFiles(
                    self._name_of(item.name),
                    self._own(item),
                    network=self._network,
                    key=self._keys.data,
                    opts=self._child,
                ).dns_name
            elif isinstance(item, DatabaseSpec):
                outputs[item.name] = aws.Database(
                    self._name_of(item.name),
                    self._own(item),
                    network=self._network,
                    key=self._keys.data,
                    opts=self._child,
                ).address
        kinds = {item.kind for item in self._spec.storage}
        if kinds & {"bucket", "lustre", "nfs"}:
            aws.StorageDrivers(
                self._name_of("drivers"),
                self._own(ComponentSpec()),
                cluster=self._cluster,
                partition=self._network.partition,
                key=self._keys.data,
                lustre="lustre" in kinds,
                shared_files="nfs" in kinds,
                buckets=list(buckets.values()),
                opts=self._child,
            )
        return outputs

    def _plug_in_devices(self) -> None:
        """A device plugin for each kind of device that a pool has: the EKS images bring drivers, but no plugins."""
        self._kubeconfig = kubeconfig(self._cluster, region=self._region)
        kinds = {node_pool.machine(pool).accelerator_kind for pool in self._pools}
        fabric = any(node_pool.efa(pool) for pool in self._pools)
        if not fabric and not kinds & {"gpu", "neuron"}:
            return
        from penstock.kubernetes import EfaDevicePlugin, NeuronDevicePlugin, NvidiaDevicePlugin

        provider = pulumi_kubernetes.Provider(
            self._name_of("kubernetes"),
            kubeconfig=self._kubeconfig,
            # Whoever runs Pulumi must have been let in before the first call to the cluster.
            opts=pulumi.ResourceOptions(parent=self, depends_on=list(self._cluster.access)),
        )
        child = pulumi.ResourceOptions(parent=self, provider=provider)
        mirror = self._image_mirror()
        if "gpu" in kinds:
            NvidiaDevicePlugin(self._name_of("nvidia"), image_mirror=mirror, opts=child)
        if "neuron" in kinds:
            NeuronDevicePlugin(self._name_of("neuron"), image_mirror=mirror, opts=child)
        if fabric:
            EfaDevicePlugin(self._name_of("efa"), region=self._region, opts=child)

    def _image_mirror(self) -> pulumi.Input[str] | None:
        """Where public images come from when nothing leads out: the account's own registry, if no other is named."""
        network = self._spec.network
        if network.egress == "nat" or network.existing is not None:
            return network.image_mirror
        place = regions.find(self._region)
        own = pulumi.Output.concat(self._account, f".dkr.ecr.{self._region}.{place.dns_suffix}")
        return network.image_mirror or own

    def _serve(self) -> dict[str, pulumi.Input[object]]:
        outputs: dict[str, pulumi.Input[object]] = {}
        addons = self._spec.addons
        if addons.secrets is not None:
            secrets = aws.SecretStore(
                self._name_of("secrets"),
                self._own(addons.secrets),
                key=self._keys.data,
                account=self._account,
                opts=self._child,
            )
            outputs["secrets"] = secrets.arns
        if addons.registry is not None:
            registry = aws.Registry(
                self._name_of("registry"), self._own(addons.registry), key=self._keys.data, opts=self._child
            )
            outputs["images"] = registry.urls
        if self._spec.budget is not None:
            aws.Budget(self._name_of("budget"), self._own(self._spec.budget), opts=self._child)
        return outputs

    def _name_of(self, part: str) -> str:
        return full_name(self._spec, part)

    def _own(self, component: SomeSpec) -> SomeSpec:
        """The component's part of the description, with what the whole platform says of tags and protection."""
        platform = {"tags": tags(self._spec, component), "protect": protect(self._spec, component)}
        return component.model_copy(update=platform)
