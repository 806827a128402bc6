"""Rules on PostgreSQL servers: sizes, disks, networks, standbys and who signs in."""

from __future__ import annotations

from penstock.azure.types import (
    DBFORPOSTGRESQL_CONFIGURATION,
    DBFORPOSTGRESQL_FIREWALL_RULE,
    DBFORPOSTGRESQL_SERVER,
    NETWORK_SUBNET,
    PRIVATEDNS_PRIVATE_ZONE,
)
from penstock.graph.verdict import NOT_APPLICABLE, Verdict, allow, together
from penstock.graph.view import View
from penstock.rules.checks import (
    Absent,
    All,
    AtLeast,
    AtMost,
    Each,
    Either,
    Given,
    Is,
    IsNot,
    Matches,
    NoneOf,
    Unlike,
    Where,
)
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_SERVICE = "Microsoft.DBforPostgreSQL/flexibleServers"
_DOMAIN = ".postgres.database.azure.com"
_KEPT_LOGINS = ("azure_superuser", "azure_pg_admin", "admin", "administrator", "root", "guest", "public")

RULES.row(
    "az-postgres-private-zone",
    "A PostgreSQL server in a subnet has a private DNS zone.",
    on=DBFORPOSTGRESQL_SERVER,
    check=Each("network", Where(Given("delegatedSubnetResourceId"), Given("privateDnsZoneArmResourceId"))),
    severity=HIGH,
    rationale="Azure rejects a server in a network without the zone that holds its name.",
    fix="Set network.privateDnsZoneArmResourceId to a zone that the virtual network is linked to.",
    sources=("Azure Database for PostgreSQL documentation, private access",),
)
RULES.row(
    "az-postgres-tier",
    "The size of a PostgreSQL server is one of its tier: B, D or E.",
    on=DBFORPOSTGRESQL_SERVER,
    check=All(
        Where(Is("sku.tier", "Burstable"), Matches("sku.name", r"Standard_B\w+")),
        Where(Is("sku.tier", "GeneralPurpose"), Matches("sku.name", r"Standard_D\w+")),
        Where(Is("sku.tier", "MemoryOptimized"), Matches("sku.name", r"Standard_E\w+")),
    ),
    severity=HIGH,
    rationale="Azure rejects a size of another tier.",
    fix="Set sku.tier to Burstable for sizes B, GeneralPurpose for D, or MemoryOptimized for E.",
    sources=("Azure Database for PostgreSQL documentation, compute options",),
)
RULES.row(
    "az-postgres-burstable",
    "A burstable PostgreSQL server has no standby.",
    on=DBFORPOSTGRESQL_SERVER,
    check=Where(
        Is("sku.tier", "Burstable"),
        Either(Absent("highAvailability.mode"), Is("highAvailability.mode", "Disabled")),
    ),
    severity=HIGH,
    rationale="Azure rejects high availability in this tier.",
    fix="Set sku.tier to GeneralPurpose, or highAvailability.mode to Disabled.",
    sources=("Azure Database for PostgreSQL documentation, high availability",),
)
RULES.row(
    "az-postgres-login",
    "The administrator of a PostgreSQL server has a name that the server does not keep.",
    on=DBFORPOSTGRESQL_SERVER,
    check=Where(
        Given("administratorLogin"),
        All(NoneOf("administratorLogin", _KEPT_LOGINS), Unlike("administratorLogin", r"(?i)pg_.*")),
    ),
    severity=HIGH,
    rationale="Azure rejects the names of its own roles, and those that begin with pg_.",
    fix="Set administratorLogin to another name.",
    sources=("Pulumi Azure Native, dbforpostgresql.Server: administrator login",),
)
RULES.row(
    "az-postgres-password-of-login",
    "A PostgreSQL server has a password for an administrator whom it names.",
    on=DBFORPOSTGRESQL_SERVER,
    check=Where(Given("administratorLoginPassword"), Given("administratorLogin")),
    severity=HIGH,
    rationale="Azure rejects a server with one of the two.",
    fix="Set administratorLogin, or leave administratorLoginPassword out.",
    sources=("Pulumi Azure Native, dbforpostgresql.Server: administrator login",),
)
RULES.row(
    "az-postgres-sign-in",
    "Somebody can sign in to a PostgreSQL server, by password or by Entra ID.",
    on=DBFORPOSTGRESQL_SERVER,
    check=Where(
        Given("authConfig"),
        Either(IsNot("authConfig.passwordAuth", "Disabled"), Is("authConfig.activeDirectoryAuth", "Enabled")),
    ),
    severity=HIGH,
    rationale="Azure rejects a server that nobody can sign in to.",
    fix="Set authConfig.activeDirectoryAuth to Enabled.",
    sources=("Azure Database for PostgreSQL documentation, authentication with Entra ID",),
)
RULES.row(
    "az-postgres-backup-days",
    "A PostgreSQL server keeps backups for 7 to 35 days.",
    on=DBFORPOSTGRESQL_SERVER,
    check=All(AtLeast("backup.backupRetentionDays", 7), AtMost("backup.backupRetentionDays", 35)),
    severity=HIGH,
    rationale="Azure rejects other numbers.",
    fix="Set backup.backupRetentionDays to a number from 7 to 35.",
    sources=("Azure Database for PostgreSQL documentation, backup and restore",),
)
RULES.row(
    "az-postgres-key-identity",
    "A PostgreSQL server with a key of its owner's has an identity for it.",
    on=DBFORPOSTGRESQL_SERVER,
    check=Each("dataEncryption", Where(Is("type", "AzureKeyVault"), Given("primaryUserAssignedIdentityId"))),
    severity=HIGH,
    rationale="Azure reads the key as a user-assigned identity, and rejects the server without.",
    fix="Set dataEncryption.primaryUserAssignedIdentityId and identity.userAssignedIdentities to one that has the key.",
    sources=("Azure Database for PostgreSQL documentation, data encryption",),
)


@RULES.rule(
    on=DBFORPOSTGRESQL_SERVER,
    severity=HIGH,
    rationale="A server has one of the two for its whole life, and Azure rejects both.",
    fix="Leave network.publicNetworkAccess out, or network.delegatedSubnetResourceId.",
    sources=("Azure Database for PostgreSQL documentation, private access",),
)
def az_postgres_private_or_public(server: View) -> Verdict:
    """A PostgreSQL server in a subnet has no public access."""
    network = server.block("network")
    if network is None or "delegatedSubnetResourceId" not in network:
        return NOT_APPLICABLE
    public = (network.text("publicNetworkAccess") or "").casefold() == "enabled"
    path = network.at("publicNetworkAccess")
    return allow(not public, "the server is in a subnet, and public", hint="Leave it out.", path=path)


@RULES.rule(
    on=DBFORPOSTGRESQL_SERVER,
    severity=HIGH,
    rationale="Azure rejects a standby for the loss of a zone that is in the same zone.",
    fix="Set highAvailability.standbyAvailabilityZone to another zone than availabilityZone.",
    sources=("Azure Database for PostgreSQL documentation, high availability",),
)
def az_postgres_standby_zone(server: View) -> Verdict:
    """A zone-redundant standby is in another zone than its server, and one of the same zone is not."""
    standby = server.block("highAvailability")
    first = server.text("availabilityZone")
    second = standby.text("standbyAvailabilityZone") if standby is not None else None
    mode = (standby.text("mode") or "").casefold() if standby is not None else ""
    if standby is None or first is None or second is None or mode not in ("zoneredundant", "samezone"):
        return NOT_APPLICABLE
    message = f"the server is in zone {first}, and its standby in zone {second}"
    path = standby.at("standbyAvailabilityZone")
    return allow((first == second) == (mode == "samezone"), message, hint="Use the zone of the mode.", path=path)


@RULES.rule(
    on=DBFORPOSTGRESQL_SERVER,
    severity=HIGH,
    rationale="Azure creates a server in a subnet that is delegated to PostgreSQL only.",
    fix="Set delegations of the subnet to one entry with serviceName Microsoft.DBforPostgreSQL/flexibleServers.",
    joins=True,
    sources=("Azure Database for PostgreSQL documentation, private access",),
)
def az_postgres_subnet(server: View) -> Verdict:
    """The subnet of a PostgreSQL server is delegated to PostgreSQL."""
    network = server.block("network")
    subnet = network.one("delegatedSubnetResourceId", NETWORK_SUBNET) if network is not None else None
    if network is None or subnet is None:
        return NOT_APPLICABLE
    services = {(each.text("serviceName") or "").casefold() for each in subnet.blocks("delegations")}
    path = network.at("delegatedSubnetResourceId")
    message = f"{subnet.name} is not delegated to {_SERVICE}"
    return allow(_SERVICE.casefold() in services, message, hint="Delegate the subnet to PostgreSQL.", path=path)


@RULES.rule(
    on=DBFORPOSTGRESQL_SERVER,
    severity=HIGH,
    rationale="Azure rejects other zones, and one whose name would be that of the server.",
    fix="Set privateZoneName to a name such as training.private.postgres.database.azure.com.",
    joins=True,
    sources=("Azure Database for PostgreSQL documentation, private access",),
)
def az_postgres_zone_name(server: View) -> Verdict:
    """The private DNS zone of a PostgreSQL server ends with the domain of PostgreSQL, and has another name than it."""
    network = server.block("network")
    zone = network.one("privateDnsZoneArmResourceId", PRIVATEDNS_PRIVATE_ZONE) if network is not None else None
    name = zone.text("privateZoneName") if zone is not None else None
    if network is None or name is None:
        return NOT_APPLICABLE
    path = network.at("privateDnsZoneArmResourceId")
    hint = f"Use a name that ends with {_DOMAIN}, and is not the server's."
    ends = allow(name.casefold().endswith(_DOMAIN), f"{name} is not a zone of PostgreSQL", hint=hint, path=path)
    own = f"{server.text('serverName') or ''}{_DOMAIN}".casefold()
    return together((ends, allow(name.casefold() != own, f"{name} is the name of the server", hint=hint, path=path)))


@RULES.rule(
    on=DBFORPOSTGRESQL_CONFIGURATION,
    severity=HIGH,
    rationale="Servers of the tier Burstable have no PgBouncer, and Azure rejects the value.",
    fix="Set value to false, or sku.tier of the server to GeneralPurpose.",
    joins=True,
    sources=("Azure Database for PostgreSQL documentation, PgBouncer",),
)
def az_postgres_pool_tier(configuration: View) -> Verdict:
    """PgBouncer is on for servers of the tiers General Purpose and Memory Optimized only."""
    name, value = configuration.text("configurationName") or "", configuration.text("value") or ""
    server = configuration.one("serverName", DBFORPOSTGRESQL_SERVER) if name.casefold() == "pgbouncer.enabled" else None
    sku = server.block("sku") if server is not None else None
    tier = sku.text("tier") if sku is not None else None
    if server is None or tier is None or value.casefold() not in ("true", "on"):
        return NOT_APPLICABLE
    message = f"{server.name} is a server of the tier {tier}"
    return allow(tier.casefold() != "burstable", message, hint="Use false.", path="value")


@RULES.rule(
    on=DBFORPOSTGRESQL_FIREWALL_RULE,
    severity=MEDIUM,
    rationale="A server in a network of one's own has no firewall: Azure rejects the rule, or it lets nobody in.",
    fix="Leave the rule out, and open the security group of the server's subnet.",
    joins=True,
    sources=("Azure Database for PostgreSQL documentation, private access",),
)
def az_postgres_firewall_public(rule: View) -> Verdict:
    """Rules of a firewall are for PostgreSQL servers with public access."""
    server = rule.one("serverName", DBFORPOSTGRESQL_SERVER)
    network = server.block("network") if server is not None else None
    if server is None:
        return NOT_APPLICABLE
    private = network is not None and "delegatedSubnetResourceId" in network
    return allow(not private, f"{server.name} is in a subnet", hint="Leave it out.", path="serverName")
