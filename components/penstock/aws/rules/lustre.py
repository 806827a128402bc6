"""FSx for Lustre: the capacities, throughput tiers and options AWS sells, and access from the nodes."""

from __future__ import annotations

from penstock.aws.facts import lustre
from penstock.aws.model.ec2 import zone_of, zones_of
from penstock.aws.model.launch_templates import inside
from penstock.aws.model.openings import GROUPS, openings
from penstock.aws.rules import nodes
from penstock.aws.types import EC2_SUBNET, EKS_NODE_GROUP, FSX_LUSTRE_FILE_SYSTEM
from penstock.core.errors import UnknownFact
from penstock.graph.verdict import NOT_APPLICABLE, NotKnown, Verdict, allow, fail, together
from penstock.graph.view import Site, View
from penstock.model.openings.reach import ALL
from penstock.rules.checks import Absent, All, Given, IsNot, Where
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

INTELLIGENT_TIERING = "INTELLIGENT_TIERING"
_CACHE_STEP, _CACHE_MOST = 4000, 2_000_000
"""Throughput of Intelligent-Tiering in MB/s: sold in steps, up to a most (FSx API model, ThroughputCapacity)."""

_EFA_VERSION = "2.15"
_PORTS = (988, *range(1018, 1024))
"""What Lustre speaks over TCP (FSx for Lustre user guide, file system access control)."""


@RULES.rule(
    on=FSX_LUSTRE_FILE_SYSTEM,
    severity=HIGH,
    rationale="CreateFileSystem rejects other capacities.",
    fix="Set storageCapacity to a step of the tier.",
    sources=("FSx for Lustre user guide, storage capacity", "FSx API model in botocore 1.44"),
)
def aws_fsx_capacity_step(filesystem: View) -> Verdict:
    """The storage capacity of a persistent file system is a step of its throughput tier, which is larger with EFA."""
    throughput, capacity = filesystem.integer("perUnitStorageThroughput"), filesystem.integer("storageCapacity")
    if throughput is None or capacity is None:
        return NOT_APPLICABLE
    try:
        steps = lustre.steps(throughput, efa=filesystem.flag("efaEnabled") is True)
    except UnknownFact:
        return NOT_APPLICABLE  # a tier that is not sold is another rule's
    return allow(
        steps.allow(capacity),
        f"AWS does not offer {capacity} GiB at {throughput} MB/s for each TiB",
        hint=f"Use {steps.nearest(capacity)} GiB.",
        path="storageCapacity",
    )


@RULES.rule(
    on=FSX_LUSTRE_FILE_SYSTEM,
    severity=HIGH,
    rationale="CreateFileSystem rejects a missing tier, an unknown tier, and a tier on any other file system.",
    fix="Set perUnitStorageThroughput to a tier of the deployment type, or leave perUnitStorageThroughput out.",
    sources=("FSx API model in botocore 1.44, PerUnitStorageThroughput",),
)
def aws_fsx_throughput_tier(filesystem: View) -> Verdict:
    """A persistent file system on SSD or HDD has a throughput tier of its type, and any other has none."""
    kind, storage = deployment_type(filesystem), storage_type(filesystem)
    if storage not in lustre.storage_types(kind):
        return NOT_APPLICABLE
    tiers, asked = lustre.tiers(kind, storage), filesystem.integer("perUnitStorageThroughput")
    path = "perUnitStorageThroughput"
    if not tiers:
        return allow(
            asked is None,
            f"{kind} on {storage} does not accept perUnitStorageThroughput",
            hint="Leave it out.",
            path=path,
        )
    hint = f"Use one of {', '.join(map(str, tiers))}."
    if asked is None and "backupId" in filesystem:
        return NOT_APPLICABLE  # the backup decides
    if asked is None:
        return fail(f"{kind} on {storage} requires a throughput in MB/s for each TiB", hint=hint, path=path)
    return allow(
        asked in tiers, f"AWS does not offer {asked} MB/s for each TiB for {kind} on {storage}", hint=hint, path=path
    )


@RULES.rule(
    on=FSX_LUSTRE_FILE_SYSTEM,
    severity=HIGH,
    rationale="CreateFileSystem rejects other capacities.",
    fix="Set storageCapacity to a step of the deployment type.",
    sources=("FSx API model in botocore 1.44, StorageCapacity",),
)
def aws_fsx_scratch_capacity(filesystem: View) -> Verdict:
    """The storage capacity of a scratch file system is one that AWS offers."""
    capacity = filesystem.integer("storageCapacity")
    if capacity is None:
        return NOT_APPLICABLE
    try:
        steps = lustre.scratch_steps(deployment_type(filesystem))
    except UnknownFact:
        return NOT_APPLICABLE
    message = f"AWS does not offer {capacity} GiB for {deployment_type(filesystem)}"
    return allow(steps.allow(capacity), message, hint=f"Use {steps.nearest(capacity)} GiB.", path="storageCapacity")


@RULES.rule(
    on=FSX_LUSTRE_FILE_SYSTEM,
    severity=HIGH,
    rationale="CreateFileSystem rejects other combinations of deployment type, storage type and drive cache.",
    fix="Set storageType to one of the deployment type, and set driveCacheType to NONE or READ for HDD only.",
    sources=("FSx API model in botocore 1.44, StorageType", "FSx API model in botocore 1.44, DriveCacheType"),
)
def aws_fsx_storage_type(filesystem: View) -> Verdict:
    """HDD is for PERSISTENT_1 with a drive cache, Intelligent-Tiering for PERSISTENT_2, and SSD for the rest."""
    kind, storage = deployment_type(filesystem), storage_type(filesystem)
    sold = lustre.storage_types(kind)
    if not sold:
        return NOT_APPLICABLE
    if storage not in sold:
        return fail(
            f"{kind} does not support the storage type {storage}", hint=f"Use {' or '.join(sold)}.", path="storageType"
        )
    cached = "driveCacheType" in filesystem
    message = (
        "driveCacheType is not set, which HDD storage needs"
        if storage == "HDD"
        else f"{storage} storage does not accept driveCacheType"
    )
    hint = 'Set driveCacheType to "NONE" or "READ".' if storage == "HDD" else "Leave driveCacheType out."
    return allow(cached == (storage == "HDD"), message, hint=hint, path="driveCacheType")


@RULES.rule(
    on=FSX_LUSTRE_FILE_SYSTEM,
    severity=HIGH,
    rationale="CreateFileSystem rejects EFA on any other file system.",
    fix=(
        "Set deploymentType to PERSISTENT_2, metadataConfiguration to {mode: AUTOMATIC} and fileSystemTypeVersion to "
        '"2.15".'
    ),
    sources=("Pulumi AWS 7.51, LustreFileSystem efaEnabled", "FSx API model in botocore 1.44"),
)
def aws_fsx_efa_requirements(filesystem: View) -> Verdict:
    """A file system with EFA is of the type PERSISTENT_2, has a metadata configuration, and runs Lustre 2.15."""
    if not filesystem.flag("efaEnabled"):
        return NOT_APPLICABLE
    version = filesystem.text("fileSystemTypeVersion")
    kind = deployment_type(filesystem)
    return together(
        (
            allow(
                kind == "PERSISTENT_2",
                f"{kind} does not support EFA clients",
                hint="Set deploymentType to PERSISTENT_2.",
                path="deploymentType",
            ),
            allow(
                "metadataConfiguration" in filesystem,
                "a file system for EFA clients has no metadata configuration",
                hint="Set metadataConfiguration to {mode: AUTOMATIC}.",
                path="metadataConfiguration",
            ),
            allow(
                version in (None, _EFA_VERSION),
                f"Lustre {version} does not support EFA clients",
                hint=f'Set fileSystemTypeVersion to "{_EFA_VERSION}".',
                path="fileSystemTypeVersion",
            ),
        )
    )


@RULES.rule(
    on=FSX_LUSTRE_FILE_SYSTEM,
    severity=HIGH,
    rationale=(
        "CreateFileSystem rejects other numbers of IOPS, and a metadata configuration on any other deployment type."
    ),
    fix="Set metadataConfiguration.mode to AUTOMATIC without iops, or to USER_PROVISIONED with iops that AWS offers.",
    sources=("FSx API model in botocore 1.44, CreateFileSystemLustreMetadataConfiguration",),
)
def aws_fsx_metadata_iops(filesystem: View) -> Verdict:
    """Only PERSISTENT_2 has a metadata configuration, with automatic IOPS or a number that AWS offers."""
    metadata = filesystem.block("metadataConfiguration")
    if metadata is None:
        return NOT_APPLICABLE
    kind, storage = deployment_type(filesystem), storage_type(filesystem)
    if kind != "PERSISTENT_2":
        hint = "Leave metadataConfiguration out, or set deploymentType to PERSISTENT_2."
        return fail(f"{kind} does not accept metadataConfiguration", hint=hint, path="metadataConfiguration")
    mode, iops, sold = metadata.text("mode"), metadata.integer("iops"), lustre.metadata_iops(storage)
    if mode == "AUTOMATIC" and storage == INTELLIGENT_TIERING:
        hint = f"Set mode to USER_PROVISIONED, and iops to {sold[0]}."
        return fail(
            f"{INTELLIGENT_TIERING} does not support the metadata mode AUTOMATIC", hint=hint, path=metadata.at("mode")
        )
    if mode == "AUTOMATIC":
        message, hint = (
            f"the metadata mode is AUTOMATIC, and iops is {iops}",
            "Leave iops out, or set USER_PROVISIONED.",
        )
        return allow(iops is None, message, hint=hint, path=metadata.at("mode"))
    if not sold:
        return NOT_APPLICABLE  # another rule reports an unknown storage type
    if mode == "USER_PROVISIONED" and iops is None:
        return fail(
            "metadataConfiguration.iops is not set", hint=f"Set iops, such as {sold[0]}.", path=metadata.at("iops")
        )
    nearest = min(sold, key=lambda each: abs(each - (iops or 0)))
    message = f"AWS does not offer {iops} metadata IOPS"
    return allow(iops is None or iops in sold, message, hint=f"Use {nearest}.", path=metadata.at("iops"))


@RULES.rule(
    on=FSX_LUSTRE_FILE_SYSTEM,
    severity=HIGH,
    rationale="CreateFileSystem rejects other combinations, and a throughput capacity that AWS does not offer.",
    fix="Set throughputCapacity to a multiple of 4000, set dataReadCacheConfiguration, and leave storageCapacity out.",
    sources=(
        "FSx API model in botocore 1.44, ThroughputCapacity",
        "FSx API model in botocore 1.44, DataReadCacheConfiguration",
    ),
)
def aws_fsx_tiering_settings(filesystem: View) -> Verdict:
    """Intelligent-Tiering has a throughput capacity and a read cache, but no storage capacity; others have neither."""
    keys = ("throughputCapacity", "dataReadCacheConfiguration")
    if storage_type(filesystem) != INTELLIGENT_TIERING:
        given = [key for key in keys if key in filesystem]
        if not given:
            return NOT_APPLICABLE
        return fail(
            f"{given[0]} is for the storage type {INTELLIGENT_TIERING} only", hint="Leave it out.", path=given[0]
        )
    asked = filesystem.integer("throughputCapacity")
    return together(
        (
            allow(
                asked is not None and asked % _CACHE_STEP == 0 and 0 < asked <= _CACHE_MOST,
                f"AWS does not offer {asked} MB/s for {INTELLIGENT_TIERING}",
                hint=f"Use a multiple of {_CACHE_STEP}, at most {_CACHE_MOST}.",
                path="throughputCapacity",
            ),
            allow(
                "dataReadCacheConfiguration" in filesystem,
                f"{INTELLIGENT_TIERING} storage has no dataReadCacheConfiguration",
                hint="Set dataReadCacheConfiguration to {sizingMode: PROPORTIONAL_TO_THROUGHPUT_CAPACITY} or NO_CACHE.",
                path="dataReadCacheConfiguration",
            ),
            allow(
                "storageCapacity" not in filesystem,
                f"{INTELLIGENT_TIERING} storage is elastic, and does not accept storageCapacity",
                hint="Leave storageCapacity out.",
                path="storageCapacity",
            ),
        )
    )


@RULES.rule(
    on=FSX_LUSTRE_FILE_SYSTEM,
    severity=HIGH,
    rationale="CreateFileSystem rejects other versions.",
    fix="Set fileSystemTypeVersion to a version of the deployment type.",
    sources=("FSx API model in botocore 1.44, FileSystemTypeVersion",),
)
def aws_fsx_lustre_version(filesystem: View) -> Verdict:
    """The Lustre version is one that AWS offers for the deployment type, and 2.15 with a metadata configuration."""
    version = filesystem.text("fileSystemTypeVersion")
    if filesystem.flag("efaEnabled"):
        return NOT_APPLICABLE  # what EFA asks for is another rule's
    sold = lustre.versions(deployment_type(filesystem), metadata="metadataConfiguration" in filesystem)
    if version is None or not sold:
        return NOT_APPLICABLE
    message = f"AWS does not offer Lustre {version} as {deployment_type(filesystem)} with these settings"
    return allow(version in sold, message, hint=f"Use {' or '.join(sold)}.", path="fileSystemTypeVersion")


@RULES.rule(
    on=FSX_LUSTRE_FILE_SYSTEM,
    severity=HIGH,
    rationale=(
        "FSx encrypts scratch file systems with its own key, and CreateFileSystem rejects a key or backups on them."
    ),
    fix="Leave kmsKeyId and automaticBackupRetentionDays out, or set deploymentType to PERSISTENT_2.",
    sources=("FSx API model in botocore 1.44, KmsKeyId", "FSx for Lustre user guide, using-backups-fsx"),
)
def aws_fsx_scratch_no_backup(filesystem: View) -> Verdict:
    """A scratch file system has neither a KMS key of its own nor automatic backups."""
    if not deployment_type(filesystem).startswith("SCRATCH"):
        return NOT_APPLICABLE
    backups = filesystem.integer("automaticBackupRetentionDays")
    hint = "Leave it out, or set deploymentType to PERSISTENT_2."
    return together(
        (
            allow(
                "kmsKeyId" not in filesystem,
                "scratch file systems do not support a customer managed key",
                hint=hint,
                path="kmsKeyId",
            ),
            allow(
                not backups,
                "scratch file systems do not support backups",
                hint=hint,
                path="automaticBackupRetentionDays",
            ),
        )
    )


RULES.row(
    "aws-fsx-capacity-set",
    "A file system has a storage capacity, unless it is restored from a backup or is on Intelligent-Tiering.",
    on=FSX_LUSTRE_FILE_SYSTEM,
    check=Where(All(Absent("backupId"), IsNot("storageType", INTELLIGENT_TIERING)), Given("storageCapacity")),
    severity=HIGH,
    rationale="CreateFileSystem rejects a file system without a storage capacity.",
    fix="Set storageCapacity in GiB, such as 2400.",
    sources=("FSx API model in botocore 1.44, StorageCapacity",),
)


@RULES.rule(
    on=FSX_LUSTRE_FILE_SYSTEM,
    severity=HIGH,
    rationale="CreateFileSystem fails when the security groups do not admit Lustre traffic.",
    fix=(
        "Add ingress and egress rules for TCP 988 and 1018 to 1023, or for protocol -1 with EFA, that name the "
        "security group itself."
    ),
    joins=True,
    sources=("FSx for Lustre user guide, file system access control", "FSx for Lustre user guide, cannot-create-fs"),
)
def aws_fsx_lustre_sg_ports(filesystem: View) -> Verdict:
    """A file system's security groups admit TCP 988 and 1018 to 1023 among themselves; with EFA, all traffic."""
    if "securityGroupIds" not in filesystem:
        return NOT_APPLICABLE
    groups = filesystem.many("securityGroupIds", *GROUPS)
    efa = filesystem.flag("efaEnabled") is True
    own = {group.urn for group in groups}
    ways_in_and_out = [opening for group in groups for opening in openings(group)]

    def check(direction: str) -> Verdict:
        ways = [opening for opening in ways_in_and_out if opening.direction == direction]
        if efa:
            good = any(way.reach.protocol == ALL and way.peers & own for way in ways)
            wanted = "all protocols, named by the group's id"
        else:
            near = [way for way in ways if way.names_addresses or way.peers & own]
            good = all(any(way.reach.touches((port,)) for way in near) for port in _PORTS)
            wanted = "TCP 988 and 1018 to 1023"
        return allow(
            good,
            f"the file system's security groups do not admit {wanted}, from and to the group itself ({direction})",
            hint=f"Add a rule for {direction} of {wanted} that names the group itself.",
            path="securityGroupIds",
        )

    return together(check(direction) for direction in ("ingress", "egress"))


@RULES.rule(
    on=FSX_LUSTRE_FILE_SYSTEM,
    severity=MEDIUM,
    rationale="Access works, but traffic from other zones has a higher latency, and EFA does not cross zones.",
    fix="Set subnetIds of the file system to a subnet in a zone of the nodes.",
    joins=True,
    sources=("FSx for Lustre user guide, performance: zones",),
)
def aws_fsx_zone_of_nodes(filesystem: View) -> Verdict:
    """Some node group of the program is in the file system's zone; with EFA, one that has EFA interfaces."""
    efa = filesystem.flag("efaEnabled") is True
    used = filesystem.site.once(_zones_of_fabrics if efa else _zones_of_nodes)
    subnets = filesystem.many("subnetIds", EC2_SUBNET)
    if used is None:
        raise NotKnown
    if not used or not subnets:
        return NOT_APPLICABLE
    zone = zone_of(inside(subnets[0]))
    hint = f"Use a subnet in {' or '.join(sorted(used))}."
    message = f"no node group{' with EFA' if efa else ''} is in {zone}, where the file system is"
    return allow(zone in used, message, hint=hint, path="subnetIds")


def deployment_type(filesystem: View) -> str:
    """Return the deployment type of a file system, with FSx' default."""
    return filesystem.text("deploymentType") or "SCRATCH_1"


def storage_type(filesystem: View) -> str:
    """Return the storage type of a file system, with FSx' default."""
    return filesystem.text("storageType") or "SSD"


def _zones_of_nodes(site: Site) -> set[str] | None:
    """The zones of all node groups; None where one of them is not known yet."""
    try:
        return {zone for group in site.of_type(EKS_NODE_GROUP) for zone in zones_of(group)}
    except NotKnown:
        return None


def _zones_of_fabrics(site: Site) -> set[str] | None:
    """The zones of all machines with EFA; None where one of them is not known yet."""
    try:
        return {zone for starter in nodes.with_fabric(site) for zone in zones_of(starter)}
    except NotKnown:
        return None
