"""Identity and hardening on Google Cloud: what databases offer to their clients."""

from __future__ import annotations

from typing import Final

from penstock.gcp.policies.database_flags import MYSQL, SQL_SERVER, Flag
from penstock.gcp.types import SQL_DATABASE_INSTANCE, SQL_USER
from penstock.graph.verdict import NOT_APPLICABLE, PASS, Verdict, allow
from penstock.graph.view import View
from penstock.rules.checks import All
from penstock.rules.levels import HIGH, LOW, MEDIUM, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.IDENTITY)

_OFF: Final = ("off",)
_ON: Final = ("on",)
_WITHOUT_PASSWORD: Final = ("password", "passwordWo")

RULES.row(
    "gcp-sql-local-infile",
    "MySQL loads no files of its clients.",
    on=SQL_DATABASE_INSTANCE,
    check=Flag(MYSQL, "local_infile", _OFF),
    severity=MEDIUM,
    rationale="A client that is led to a hostile server, or to a hostile statement, sends any file that it can read.",
    fix="Set the flag local_infile in settings.databaseFlags to off.",
    peers="CKV_GCP_50 GCP-0026 KICS:51a2c34d",
    cis=("GCP 4.0: 6.1.3",),
)
RULES.row(
    "gcp-sql-show-database",
    "MySQL shows users only the databases that they have privileges on.",
    on=SQL_DATABASE_INSTANCE,
    check=Flag(MYSQL, "skip_show_database", _ON, unset="off"),
    severity=LOW,
    rationale="SHOW DATABASES lists the databases of other applications, a first step for an intruder.",
    fix="Set the flag skip_show_database in settings.databaseFlags to on, which restarts the instance.",
    peers="KICS:b5b70198",
    cis=("GCP 4.0: 6.1.2",),
)
RULES.row(
    "gcp-sqlserver-surface",
    "SQL Server runs no external scripts, and its databases share neither logins nor owners.",
    on=SQL_DATABASE_INSTANCE,
    check=All(
        *(
            Flag(SQL_SERVER, name, ("off", "0"))
            for name in (
                "contained database authentication",
                "cross db ownership chaining",
                "external scripts enabled",
            )
        )
    ),
    severity=HIGH,
    rationale=(
        "An owner of one database logs in without the server, reads the others through chained ownership, or runs "
        "programs beside the server."
    ),
    fix="Set contained database authentication, cross db ownership chaining and external scripts enabled in "
    "settings.databaseFlags to off, or remove them.",
    peers="CKV_GCP_58 CKV_GCP_59 GCP-0019 GCP-0023 KICS:1c329b9b KICS:5a8c5d26 KICS:c3655703",
    cis=("GCP 4.0: 6.3.1", "GCP 4.0: 6.3.2", "GCP 4.0: 6.3.7"),
)
RULES.row(
    "gcp-sqlserver-remote-access",
    "SQL Server runs no stored procedures for other servers.",
    on=SQL_DATABASE_INSTANCE,
    check=Flag(SQL_SERVER, "remote access", ("off", "0"), unset="on"),
    severity=MEDIUM,
    rationale="A server that was taken over starts procedures on this one, and uses it to attack others.",
    fix="Set the flag remote access in settings.databaseFlags to off, which restarts the instance.",
    sources=(
        (
            "[?] SQL Server documentation, remote access server configuration option: 1 by default "
            "<https://learn.microsoft.com/en-us/sql/database-engine/configure-windows/"
            "configure-the-remote-access-server-configuration-option>"
        ),
    ),
    peers="KICS:d4436ca8",
    cis=("GCP 4.0: 6.3.5",),
)
RULES.row(
    "gcp-sqlserver-masked-errors",
    "SQL Server hides the parameters of error messages from users who are not administrators.",
    on=SQL_DATABASE_INSTANCE,
    check=Flag(SQL_SERVER, "3625", _ON, unset="off"),
    severity=LOW,
    rationale="Error messages name objects and values that the user has no right to see.",
    fix="Set the flag 3625 in settings.databaseFlags to on.",
    peers="KICS:f5aff735",
    cis=("GCP 4.0: 6.3.6",),
)
RULES.row(
    "gcp-sqlserver-sessions",
    "SQL Server limits neither the number of connections nor the options of all sessions.",
    on=SQL_DATABASE_INSTANCE,
    check=All(Flag(SQL_SERVER, "user connections", ("0",)), Flag(SQL_SERVER, "user options", ("0",))),
    severity=LOW,
    rationale="A few idle clients reach a limit and keep administrators out; global options change what queries mean.",
    fix="Remove the flags user connections and user options from settings.databaseFlags, or set them to 0.",
    peers="KICS:18cb7d28 KICS:c8e4444e",
    cis=("GCP 4.0: 6.3.3", "GCP 4.0: 6.3.4"),
)


@RULES.rule(
    on=SQL_USER,
    joins=True,
    severity=HIGH,
    rationale="Whoever reaches the instance logs in as that user, with root's name as an administrator.",
    fix="Set passwordWo, or make the user of type CLOUD_IAM_USER or CLOUD_IAM_SERVICE_ACCOUNT.",
    peers="CKV2_GCP_7",
    cis=("GCP 4.0: 6.1.1",),
)
def gcp_sql_user_password(it: View) -> Verdict:
    """A user of MySQL has a password, unless IAM checks who it is."""
    if it.text("type") not in (None, "BUILT_IN"):
        return NOT_APPLICABLE
    if any(key in it for key in _WITHOUT_PASSWORD):
        return PASS
    instance = it.one("instance", SQL_DATABASE_INSTANCE)
    if instance is None or not (instance.text("databaseVersion") or "").startswith(MYSQL):
        return NOT_APPLICABLE
    return allow(holds=False, message="password is not set", path="password")
