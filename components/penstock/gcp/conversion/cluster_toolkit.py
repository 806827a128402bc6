"""Blueprints of Google's Cluster Toolkit.

Source: GoogleCloudPlatform/cluster-toolkit, modules/*/variables.tf and examples, 2026-10.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from penstock.conversion.draft import Draft, taint_of
from penstock.conversion.format import FileFormat, ParsedFile
from penstock.conversion.note import NoteCode
from penstock.conversion.source import Expressions, Fields, Reason, SourceFile
from penstock.core.quantities import GIB_PER_TIB, lustre_tib
from penstock.description.positions import Path

_SECONDS_PER_HOUR: Final = 3600
_EXPRESSION: Final = re.compile(r"\$\(|^\s*\(\(")
_VARIABLE: Final = re.compile(r"\$\((vars\.\w+)\)")

_OWN: Final[Mapping[str, Reason]] = {
    "gpu-rdma-vpc": Reason("Penstock creates the fabric's networks from the machine type."),
    "multivpc": Reason("Penstock creates the fabric's networks from the machine type."),
    "service-account": Reason("Penstock creates the accounts of nodes and workloads with the roles they need."),
    "private-service-access": Reason("Penstock connects managed services to the network by itself."),
    "firewall-rules": Reason("Penstock creates the firewall rules that its components need."),
    "gke-persistent-volume": Reason(
        "Penstock creates volumes for storage and its readers.", "Set readers and writers."
    ),
    "gke-storage": Reason("Penstock creates volumes for storage and its readers.", "Set readers and writers."),
    "pre-existing-network-storage": Reason("Penstock mounts the storage that it creates.", "Set readers and writers."),
    "gke-job-template": Reason("A description has no jobs.", "Run `penstock jobs` for manifests."),
    "kubectl-apply": Reason("Add-ons are named, not applied.", "See addons.training, addons.queueing and the guides."),
    "helm_install": Reason("Add-ons are named, not installed.", "Install other charts beside the platform."),
    "pre-existing-vpc": Reason("The subnetwork must be named.", "Set network.existing with the subnetwork's path."),
    "gke-topology-scheduler": Reason("Penstock installs topology-aware scheduling with addons.queueing."),
}
"""Modules for what Penstock does by itself or in another way."""

_REASONS: Final[Mapping[str, Reason]] = {
    "additional_networks": Reason("Penstock connects pools to their fabric's networks by itself."),
    "guest_accelerator": Reason("The machine type determines the accelerators."),
    "auto_upgrade": Reason("GKE upgrades nodes by one policy.", "Set cluster.node_upgrades."),
    "auto_repair": Reason("GKE repairs nodes in every pool."),
    "maintenance_exclusions": Reason("GKE upgrades by one policy.", "Set cluster.node_upgrades."),
    "release_channel": Reason("Penstock enrols clusters by cluster.node_upgrades."),
    "local_mount": Reason("Penstock mounts storage at paths of its own.", "Run `penstock jobs` for the paths."),
    "remote_mount": Reason("Penstock names the file system."),
    "firewall_rules": Reason("Penstock creates the firewall rules that its components need."),
    "secondary_ranges_list": Reason("Penstock divides network.cidr into ranges for pods and services."),
    "secondary_ranges": Reason("Penstock divides network.cidr into ranges for pods and services."),
    "toolkit_modules_url": Reason("A description has no modules."),
    "toolkit_modules_version": Reason("A description has no modules."),
    "terraform_backend_defaults": Reason("Pulumi keeps the state.", "Run `pulumi login` for your backend."),
    "validators": Reason("Penstock checks every description.", "Run `penstock check`."),
    "system_node_pool_disk_type": Reason("Penstock chooses the type of boot disks."),
    "disk_type": Reason("Penstock chooses the type of boot disks."),
    "image_type": Reason("Penstock runs Container-Optimized OS."),
    "name_prefix": Reason("Penstock names resources after the platform."),
    "random_suffix": Reason("Pulumi adds a suffix to names by itself."),
    "network_name": Reason("Penstock names resources after the platform."),
}


def _recognises(data: Mapping[str, Any]) -> bool:
    return "blueprint_name" in data and "deployment_groups" in data


def _read(parsed: ParsedFile) -> Draft:
    variables = parsed.data.get("vars")
    known = variables if isinstance(variables, Mapping) else {}
    defaults = {f"vars.{key}": value for key, value in known.items()}
    source = SourceFile(
        parsed.file, parsed.data, parsed.places, Expressions(_EXPRESSION, _VARIABLE, defaults), _REASONS
    )
    draft = Draft(source, "gcp")
    root = source.root
    own = root.block("vars")
    name = own.text("deployment_name") or root.text("blueprint_name")
    root.built_in("blueprint_name")
    draft.called(name, own.origin("deployment_name") if "deployment_name" in own else root.origin("blueprint_name"))
    draft.put(("cloud", "region"), own.text("region"), own.origin("region"))
    draft.put(("cloud", "account"), own.text("project_id"), own.origin("project_id"))
    draft.put(("tags",), own.labels("labels"), own.origin("labels"))
    modules = [module for group in root.blocks("deployment_groups") for module in _modules(group)]
    for module in modules:
        _module(draft, module)
    _variables(own, parsed.data["deployment_groups"])
    source.unread()
    return draft


def _modules(group: Fields) -> list[Fields]:
    group.built_in("group")
    return group.blocks("modules")


def _variables(own: Fields, modules: Any) -> None:
    """Record variables that modules name: they are reported there."""
    text = json.dumps(modules, default=str)
    own.built_in(*(key for key in own.names() if re.search(rf"\bvars\.{re.escape(key)}\b", text)), "zone")


def _module(draft: Draft, module: Fields) -> None:
    address = module.text("source") or ""
    kind = address.partition("?")[0].rstrip("/").rpartition("/")[2]
    module.built_in("id", "source", "use", "outputs", "kind")
    reader = _READERS.get(kind)
    if reader is not None:
        reader(draft, module.text("id") or kind, module.block("settings"))
        return
    slurm = Reason("Penstock runs Slurm on Kubernetes.", "Set addons.slurm, and describe the partitions as pools.")
    reason = _OWN.get(kind) or (slurm if "slurm" in kind else Reason("Penstock has no counterpart of the module."))
    draft.source.read(module.path)
    draft.source.note(NoteCode.NOT_TRANSLATED, module.path, f"Module {kind}: {reason.message}", reason.hint)


def _network(draft: Draft, _name: str, settings: Fields) -> None:
    if "cidr" in draft.platform["network"]:
        message = "A platform has one network; Penstock creates the fabric's own."
        draft.source.read(settings.path)
        draft.source.note(NoteCode.NOT_TRANSLATED, settings.path, message)
        return
    subnetworks = settings.blocks("subnetworks")
    for subnetwork in subnetworks[:1]:
        draft.put(("network", "cidr"), subnetwork.text("subnet_ip"), subnetwork.origin("subnet_ip"))
        subnetwork.built_in("subnet_name", "subnet_region", "subnet_private_access")
    mtu = settings.number("mtu")
    if mtu:
        draft.put(("network", "mtu"), mtu, settings.origin("mtu"))


def _cluster(draft: Draft, _name: str, settings: Fields) -> None:
    version = re.match(r"1\.\d{2}\b", settings.text("version_prefix", "min_master_version") or "")
    if version:
        draft.put(("cluster", "version"), version[0], settings.origin("version_prefix"))
    cidrs = [each.text("cidr_block") for each in settings.blocks("master_authorized_networks")]
    for each in settings.blocks("master_authorized_networks"):
        each.built_in("display_name")
    ranges = [each for each in cidrs if each and not each.endswith("/0")]
    if settings.flag("enable_private_endpoint") is False and ranges:
        draft.put(("cluster", "access"), "restricted", settings.origin("enable_private_endpoint"))
        draft.put(("network", "allowed_cidrs"), ranges, settings.origin("master_authorized_networks"))
    elif ranges:
        draft.put(("network", "allowed_cidrs"), ranges, settings.origin("master_authorized_networks"))
    machine = settings.text("system_node_pool_machine_type")
    if machine:
        _system(draft, machine, settings)
    settings.built_in(
        "cluster_reference_type",
        "configure_workload_identity_sa",
        "enable_dcgm_monitoring",
        "enable_gcsfuse_csi",
        "enable_managed_lustre_csi",
        "enable_filestore_csi",
        "enable_persistent_disk_csi",
        "enable_private_nodes",
        "deletion_protection",
    )


def _system(draft: Draft, machine: str, settings: Fields) -> None:
    path = draft.add("node_pools", "system", settings.origin("system_node_pool_machine_type"), machine_type=machine)
    count = settings.block("system_node_pool_node_count")
    low, high = count.number("total_min_nodes"), count.number("total_max_nodes")
    nodes = {"min": 2 if low is None else low, "max": max(high or 3, low or 1)}
    draft.put((*path, "nodes"), nodes, settings.origin("system_node_pool_node_count"))
    size = settings.number("system_node_pool_disk_size_gb")
    if size:
        draft.put((*path, "disk"), {"size_gib": size}, settings.origin("system_node_pool_disk_size_gb"))
    taints = settings.blocks("system_node_pool_taints")
    draft.put((*path, "taints"), _taints(taints), settings.origin("system_node_pool_taints"))


def _pool(draft: Draft, name: str, settings: Fields) -> None:
    machine = settings.text("machine_type")
    if not machine:
        message = "A pool needs a machine type, and none is known."
        draft.source.note(NoteCode.NOT_TRANSLATED, settings.path, message, "Add the pool under node_pools.")
        return
    path = draft.add("node_pools", settings.text("name") or name, settings.path[:-1], machine_type=machine)
    _nodes(draft, path, settings)
    zones = settings.texts("zones")
    if len(zones) == 1:
        draft.put((*path, "zone"), zones[0], settings.origin("zones"))
    elif zones:
        message = "A pool is in one zone or in all zones of the platform."
        settings.untranslated("zones", message, "Set zone, or add a pool for each zone.")
    _capacity(draft, path, settings)
    size = settings.number("disk_size_gb")
    if size:
        draft.put((*path, "disk"), {"size_gib": size}, settings.origin("disk_size_gb"))
    placement = settings.block("placement_policy")
    placement.built_in("type")
    draft.put((*path, "placement"), placement.text("name"), placement.origin("name"))
    maintenance = (settings.text("host_maintenance_interval") or "").lower()
    if maintenance:
        draft.put((*path, "gcp", "host_maintenance"), maintenance, settings.origin("host_maintenance_interval"))
    draft.put((*path, "topology"), placement.text("tpu_topology"), placement.origin("tpu_topology"))
    draft.put((*path, "slices"), settings.number("num_slices"), settings.origin("num_slices"))
    draft.put((*path, "labels"), settings.labels("kubernetes_labels"), settings.origin("kubernetes_labels"))
    draft.put((*path, "tags"), settings.labels("labels"), settings.origin("labels"))
    draft.put((*path, "taints"), _taints(settings.blocks("taints")), settings.origin("taints"))


def _nodes(draft: Draft, path: Path, settings: Fields) -> None:
    fixed = settings.number("static_node_count", "initial_node_count")
    low = settings.number("autoscaling_total_min_nodes", "autoscaling_min_node_count")
    high = settings.number("autoscaling_total_max_nodes", "autoscaling_max_node_count")
    most = fixed or high or 1
    if not fixed and not high:
        message = "The number of nodes is not known, and is set to 1."
        draft.source.note(NoteCode.ASSUMED, settings.path, message, "Set nodes.")
    flexible = settings.flag("enable_flex_start")
    least = 0 if flexible else (low or 0) if high and not fixed else most
    draft.put((*path, "nodes"), {"min": least, "max": most}, settings.path)


def _capacity(draft: Draft, path: Path, settings: Fields) -> None:
    if settings.flag("spot"):
        draft.put((*path, "capacity"), "spot", settings.origin("spot"))
    if settings.flag("enable_flex_start"):
        draft.put((*path, "capacity"), "flex_start", settings.origin("enable_flex_start"))
        if settings.flag("enable_queued_provisioning"):
            draft.put((*path, "gcp"), {"queued": True}, settings.origin("enable_queued_provisioning"))
        seconds = settings.number("max_run_duration")
        if seconds:
            hours = max(1, seconds // _SECONDS_PER_HOUR)
            draft.put((*path, "gcp", "max_run_hours"), hours, settings.origin("max_run_duration"))
    affinity = settings.block("reservation_affinity")
    if affinity.text("consume_reservation_type") == "SPECIFIC_RESERVATION":
        draft.put((*path, "capacity"), "reserved", settings.origin("reservation_affinity"))
    reservations = affinity.blocks("specific_reservations")
    for reservation in reservations[:1]:
        name = reservation.text("name")
        project = reservation.text("project")
        if name:
            full = f"projects/{project}/reservations/{name}" if project else name
            draft.put((*path, "reservation"), full, reservation.origin("name"))


def _taints(taints: list[Fields]) -> list[Mapping[str, str]]:
    return [taint_of(each.text("key") or "", each.text("value"), each.text("effect")) for each in taints]


def _bucket(draft: Draft, name: str, settings: Fields) -> None:
    draft.add("storage", name, settings.path[:-1], kind="bucket")
    if settings.flag("force_destroy"):
        settings.untranslated("force_destroy", "Buckets keep their objects.", "Empty one before it is deleted.")
    settings.built_in("enable_hierarchical_namespace")


def _filestore(draft: Draft, name: str, settings: Fields) -> None:
    gib = settings.number("size_gb")
    capacity = {"capacity_tib": round(gib / GIB_PER_TIB, 3)} if gib else {}
    path = draft.add("storage", name, settings.path[:-1], kind="nfs", **capacity)
    tier = (settings.text("filestore_tier") or "").upper()
    if tier in ("ZONAL", "HIGH_SCALE_SSD", "BASIC_SSD", "BASIC_HDD"):
        draft.put((*path, "tier"), "zonal", settings.origin("filestore_tier"))


def _lustre(draft: Draft, name: str, settings: Fields) -> None:
    gib, throughput = settings.number("size_gib"), settings.number("per_unit_storage_throughput")
    settings.built_in("name")
    if gib and throughput:
        sold = {"capacity_tib": lustre_tib(gib), "throughput_mbps_per_tib": throughput}
        path = draft.add("storage", name, settings.path[:-1], kind="lustre", **sold)
        zone = settings.text("zone") or draft.source.root.block("vars").text("zone")
        draft.put((*path, "zone"), zone, settings.origin("zone"))
        return
    message = "A Lustre file system needs size_gib and per_unit_storage_throughput."
    hint = "Add it under storage with capacity_tib and throughput_mbps_per_tib."
    draft.source.note(NoteCode.NOT_TRANSLATED, settings.path[:-1], message, hint)


_READERS: Final[Mapping[str, Callable[[Draft, str, Fields], None]]] = {
    "vpc": _network,
    "gke-cluster": _cluster,
    "gke-node-pool": _pool,
    "cloud-storage-bucket": _bucket,
    "filestore": _filestore,
    "managed-lustre": _lustre,
}

FORMAT: Final = FileFormat(title="Cluster Toolkit blueprint", language="yaml", recognises=_recognises, read=_read)
