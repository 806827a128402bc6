"""Cloud SQL: instances that Google makes, and that one can reach."""

from __future__ import annotations

import re

from penstock.catalog import limits
from penstock.gcp.types import SQL_DATABASE_INSTANCE
from penstock.graph.verdict import NOT_APPLICABLE, PASS, Verdict, allow, fail
from penstock.graph.view import Block, View
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_CUSTOM = re.compile(r"db-custom-([0-9]{1,4})-([0-9]{1,7})")
_PLUS = "ENTERPRISE_PLUS"


@RULES.rule(
    on=SQL_DATABASE_INSTANCE,
    severity=HIGH,
    rationale="Cloud SQL refuses availability type REGIONAL without backups and logs (binary logs for MySQL).",
    fix=(
        "Set backupConfiguration.enabled to true, and binaryLogEnabled for MySQL or pointInTimeRecoveryEnabled "
        "otherwise."
    ),
    sources=("Pulumi Google Cloud 10.2, sql.DatabaseInstance, settings.availability_type",),
)
def gcp_sql_ha_backup(database: View) -> Verdict:
    """A Cloud SQL instance in two zones has backups and point-in-time recovery."""
    settings = database.block("settings")
    if settings is None or settings.text("availabilityType") != "REGIONAL":
        return NOT_APPLICABLE
    backups = settings.block("backupConfiguration")
    path = settings.at("backupConfiguration")
    if backups is None or not backups.flag("enabled"):
        message, hint = "an instance in two zones needs backups", "Set backupConfiguration.enabled to true."
        return fail(message, hint=hint, path=path)
    key = (
        "binaryLogEnabled"
        if (database.text("databaseVersion") or "").startswith("MYSQL")
        else "pointInTimeRecoveryEnabled"
    )
    message, hint = f"an instance in two zones needs {key}", f"Set backupConfiguration.{key} to true."
    return allow(backups.flag(key), message, hint=hint, path=backups.at(key))


@RULES.rule(
    on=SQL_DATABASE_INSTANCE,
    severity=HIGH,
    rationale="The API requires at least one of the three.",
    fix="Set ipConfiguration.privateNetwork to a network, or enable pscEnabled in pscConfigs.",
    sources=("Cloud SQL Admin API: at least one of public IP, private IP and PSC",),
)
def gcp_sql_ip_configuration(database: View) -> Verdict:
    """A Cloud SQL instance has a public address, a private address or an endpoint of Private Service Connect."""
    settings = database.block("settings")
    addresses = settings.block("ipConfiguration") if settings is not None else None
    if addresses is None or addresses.flag("ipv4Enabled") is not False:
        return NOT_APPLICABLE
    connected = any(block.flag("pscEnabled") for block in addresses.blocks("pscConfigs"))
    hint = "Name the network in ipConfiguration.privateNetwork."
    return allow(
        "privateNetwork" in addresses or connected,
        "the instance has neither a public nor a private address",
        hint=hint,
        path=addresses.at("privateNetwork"),
    )


@RULES.rule(
    on=SQL_DATABASE_INSTANCE,
    severity=HIGH,
    rationale="Cloud SQL rejects other tiers, and custom tiers with an odd number of CPUs above 1.",
    fix="Set tier to one such as db-custom-2-7680.",
    sources=("Cloud SQL for PostgreSQL documentation, instance settings: machine type and memory",),
)
def gcp_sql_tier(database: View) -> Verdict:
    """A Cloud SQL tier is a named one, or db-custom-CPUS-MEBIBYTES with memory in steps of 256 MiB."""
    settings = database.block("settings")
    tier = settings.text("tier") if settings is not None else None
    if settings is None or tier is None:
        return NOT_APPLICABLE
    path, custom = settings.at("tier"), _CUSTOM.fullmatch(tier)
    if custom is None:
        named = tier.startswith("db-") and not tier.startswith("db-custom")
        hint = "Write one such as db-custom-2-7680, for 2 CPUs and 7680 MiB."
        return allow(named, f"{tier!r} is not a tier of Cloud SQL", hint=hint, path=path)
    cpus, memory = int(custom[1]), int(custom[2])
    if cpus < 1 or (cpus > 1 and cpus % 2):
        hint = f"Write db-custom-{max(1, cpus + 1)}-{memory}."
        return fail(f"{cpus} CPUs are not offered; use 1 or an even number", hint=hint, path=path)
    step = limits.find_limit("database_memory_step_mib", "gcp").most
    better = max(1, round(memory / step)) * step
    message, hint = f"{memory} MiB are not a multiple of {step}", f"Write db-custom-{cpus}-{better}."
    return allow(memory and memory % step == 0, message, hint=hint, path=path)


@RULES.rule(
    on=SQL_DATABASE_INSTANCE,
    severity=HIGH,
    rationale="Cloud SQL rejects a tier of the other edition.",
    fix="Set edition to ENTERPRISE_PLUS for optimised tiers and to ENTERPRISE for db-custom tiers, or change tier.",
    sources=("terraform-provider-google-beta 93c65b2, sql_database_instance, tier and edition",),
)
def gcp_sql_tier_edition(database: View) -> Verdict:
    """Performance-optimised and memory-optimised tiers go with Enterprise Plus, and custom tiers with Enterprise."""
    settings = database.block("settings")
    tier = settings.text("tier") if settings is not None else None
    if settings is None or tier is None:
        return NOT_APPLICABLE
    edition = settings.text("edition")
    optimised = "-optimized-" in tier
    if edition is None or not (optimised or _CUSTOM.fullmatch(tier)):
        return NOT_APPLICABLE
    wanted = _PLUS if optimised else "ENTERPRISE"
    hint = f"Set edition to {wanted}, or take another tier."
    return allow(
        edition == wanted, f"tier {tier} is not a tier of the edition {edition}", hint=hint, path=settings.at("edition")
    )


@RULES.rule(
    on=SQL_DATABASE_INSTANCE,
    severity=HIGH,
    rationale="PostgreSQL and SQL Server have no binary logs, and Cloud SQL rejects the setting for them.",
    fix="Leave binaryLogEnabled out and set pointInTimeRecoveryEnabled to true.",
    sources=("Cloud SQL Admin API v1, discovery document, BackupConfiguration.binaryLogEnabled",),
)
def gcp_sql_binary_log(database: View) -> Verdict:
    """Binary logs are enabled only for MySQL."""
    version, backups = database.text("databaseVersion") or "", _backups(database)
    if backups is None or not backups.flag("binaryLogEnabled"):
        return NOT_APPLICABLE
    if version.startswith("MYSQL"):
        return PASS
    hint = "Set pointInTimeRecoveryEnabled to true instead."
    return fail(f"{version} has no binary logs", hint=hint, path=backups.at("binaryLogEnabled"))


@RULES.rule(
    on=SQL_DATABASE_INSTANCE,
    severity=MEDIUM,
    rationale="Cloud SQL sells no disks of other sizes; the upper limit is documented for some machine types only.",
    fix="Set diskSize to 10 to 65536.",
    sources=(
        "Cloud SQL Admin API v1, discovery document, Settings.dataDiskSizeGb: from 10 GB (catalogue, gcp_limits)",
    ),
)
def gcp_sql_disk_size(database: View) -> Verdict:
    """The disk of a Cloud SQL instance has at least 10 GB, and no more than Cloud SQL gives an instance."""
    settings = database.block("settings")
    size = settings.integer("diskSize") if settings is not None else None
    if settings is None or size is None:
        return NOT_APPLICABLE
    least, most = (limits.find_limit(name, "gcp").most for name in ("database_disk_gib_least", "database_disk_gib"))
    hint = f"Use {least} to {most} GB."
    return allow(least <= size <= most, f"diskSize {size} GB is not offered", hint=hint, path=settings.at("diskSize"))


def _backups(database: View) -> Block | None:
    settings = database.block("settings")
    return settings.block("backupConfiguration") if settings is not None else None
