"""The fabrics of a platform on Google Cloud: their networks, shared by pools, and what they need at run time."""

from __future__ import annotations

from collections.abc import Mapping

import pulumi

from penstock import gcp
from penstock.description.node_pool import NodePoolSpec
from penstock.gcp.components.fabric import BY_GKE
from penstock.gcp.description import pools, ranges
from penstock.gcp.facts import fabrics
from penstock.gcp.facts.machines import GcpMachine
from penstock.platform.site import PlatformSite


class Wiring:
    """The networks of each fabric that some pool has; pools of one fabric (and zone, if it lies in one) share them."""

    def __init__(self, site: PlatformSite, *, project: gcp.ProjectHandle) -> None:
        self._site, self._project = site, project
        self.networks: dict[tuple[str, str | None], gcp.FabricHandle] = {}
        for pool in site.pools:
            key = self._key(pool)
            if key is not None and key not in self.networks:
                self.networks[key] = self._build(*key, zone=pools.zone_of(pool, site.zones) or site.zones[0])

    def of(self, pool: NodePoolSpec) -> gcp.FabricHandle | None:
        """The fabric of a pool; None for one without a fabric."""
        if pools.dranet(pool):
            return BY_GKE
        key = self._key(pool)
        return None if key is None else self.networks[key]

    def _key(self, pool: NodePoolSpec) -> tuple[str, str | None] | None:
        fabric = pools.fabric(pool)
        if fabric is None:
            return None
        return fabric.name, pools.zone_of(pool, self._site.zones) if fabric.zonal else None

    def _build(self, name: str, of_zone: str | None, *, zone: str) -> gcp.FabricHandle:
        return gcp.Fabric(
            self._site.name_of(pools.fabric_prefix(fabrics.find_fabric(name), of_zone)),
            fabric=fabrics.find_fabric(name),
            zone=zone,
            region=self._site.region,
            project=self._project,
            first=ranges.first_of_fabric(name, of_zone),
            opts=self._site.child,
        ).handle


def mirrored_hosts(site: PlatformSite) -> tuple[str, ...]:
    """The registries of others than Google's that fabrics pull from, where the network leads to Google's alone."""
    network = site.spec.network
    if network.existing is not None or network.egress == "nat" or network.image_mirror is not None:
        return ()
    hosts = {
        "docker.io": any(machine.fabric == "tcpxo" for machine in _wired(site)),
        "nvcr.io": any(pools.in_nvlink_domain(machine) for machine in _wired(site)),
    }
    return tuple(host for host, needed in hosts.items() if needed)


def install(
    site: PlatformSite, wiring: Wiring, *, mirrors: Mapping[str, pulumi.Input[str]], opts: pulumi.ResourceOptions
) -> None:
    """The objects that pods need of a fabric: its networks, NCCL's plug-in for it, and the variables that tune both.

    `mirrors` are registries that stand in for others, by host, unless the description names one for all.
    """
    from penstock.gcp import AsapdLite, Gib, Tcpx, Tcpxo
    from penstock.kubernetes import ComputeDomains, FabricNetworks, NcclProfile
    from penstock.kubernetes.components.node_setup import Mirror

    for (name, zone), networks in wiring.networks.items():
        part = pools.fabric_prefix(fabrics.find_fabric(name), zone)
        FabricNetworks(
            site.name_of(part), fabric=fabrics.find_fabric(name), networks=networks.interfaces, prefix=part, opts=opts
        )
    named = site.spec.network.image_mirror
    mirror: Mirror = mirrors if named is None else named
    wired = _wired(site)
    names = {machine.fabric for machine in wired if machine.accelerator_kind == "gpu"}
    for name in sorted(filter(None, names)):
        NcclProfile(
            site.name_of(f"nccl-{name}"),
            fabric=name,
            provider=site.spec.cloud.provider,
            accelerators={each.accelerator for each in wired if each.fabric == name and each.accelerator},
            opts=opts,
        )
    if "tcpx" in names:
        Tcpx(site.name_of("tcpx-plugin"), image_mirror=mirror, opts=opts)
    if "tcpxo" in names:
        Tcpxo(site.name_of("tcpxo-plugin"), image_mirror=mirror, opts=opts)
    for arm in sorted({machine.architecture == "arm64" for machine in wired if "rdma" in (machine.fabric or "")}):
        Gib(site.name_of("gib-arm64" if arm else "gib"), arm=arm, image_mirror=mirror, opts=opts)
    if any(pools.in_nvlink_domain(machine) for machine in wired):
        nvidia = mirrors.get("nvcr.io") if named is None else named
        ComputeDomains(site.name_of("compute-domains"), image_mirror=nvidia, opts=opts)
    if "rdma-metal" in names:
        AsapdLite(site.name_of("asapd-lite"), image_mirror=mirror, opts=opts)


def _wired(site: PlatformSite) -> list[GcpMachine]:
    """The machines of the pools that use their fabric."""
    return [machine for pool in site.pools if (machine := pools.machine(pool)).fabric and pool.fabric != "none"]
