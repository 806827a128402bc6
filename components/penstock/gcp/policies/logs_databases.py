"""Logs on Google Cloud: what databases write down of their clients."""

from __future__ import annotations

from typing import Final

from penstock.gcp.policies.database_flags import POSTGRES, Flag
from penstock.gcp.types import SQL_DATABASE_INSTANCE
from penstock.rules.checks import All
from penstock.rules.levels import LOW, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.LOGS)

_ON: Final = ("on",)
_OFF: Final = ("off",)
_DETAILED: Final = ("debug5", "debug4", "debug3", "debug2", "debug1", "info", "notice", "warning", "error")
"""Levels at which PostgreSQL writes errors down."""

RULES.row(
    "gcp-sql-pg-connections",
    "PostgreSQL logs connections, disconnections, waits for locks, checkpoints and temporary files.",
    on=SQL_DATABASE_INSTANCE,
    check=All(
        Flag(POSTGRES, "log_connections", _ON, unset="off"),
        Flag(POSTGRES, "log_disconnections", _ON, unset="off"),
        Flag(POSTGRES, "log_lock_waits", _ON, unset="off"),
        Flag(POSTGRES, "log_checkpoints", _ON),
        Flag(POSTGRES, "log_temp_files", ("0",)),
    ),
    severity=LOW,
    rationale="After a break-in nothing shows who connected from where, or when; a stalled database leaves no trace.",
    fix="Set log_connections, log_disconnections and log_lock_waits in settings.databaseFlags to on; leave "
    "log_checkpoints on and log_temp_files at 0 where they are set.",
    peers="CKV_GCP_51 CKV_GCP_52 CKV_GCP_53 CKV_GCP_54 CKV_GCP_56 GCP-0014 GCP-0016 GCP-0020 GCP-0022 GCP-0025 "
    "KICS:8895abb4 KICS:fc7187e5",
    cis=("GCP 4.0: 6.2.2", "GCP 4.0: 6.2.3"),
)
RULES.row(
    "gcp-sql-pg-statements",
    "PostgreSQL logs changes of the schema and errors, and no statement for its duration only.",
    on=SQL_DATABASE_INSTANCE,
    check=All(
        Flag(POSTGRES, "log_statement", ("ddl", "mod", "all"), unset="none"),
        Flag(POSTGRES, "log_min_messages", _DETAILED),
        Flag(POSTGRES, "log_min_error_statement", _DETAILED),
        Flag(POSTGRES, "log_min_duration_statement", ("-1",)),
        *(Flag(POSTGRES, f"log_{stage}_stats", _OFF) for stage in ("executor", "parser", "planner", "statement")),
    ),
    severity=LOW,
    rationale="Changed tables and failed statements leave no trace, while slow ones put values of rows into the log.",
    fix="Set log_statement in settings.databaseFlags to ddl, log_min_messages to warning and log_min_error_statement "
    "to error; remove log_min_duration_statement and the log_*_stats flags.",
    peers="CKV2_GCP_14 CKV2_GCP_15 CKV2_GCP_16 CKV2_GCP_17 CKV_GCP_55 CKV_GCP_57 CKV_GCP_109 CKV_GCP_111 GCP-0018 "
    "GCP-0021 KICS:00335e17",
    cis=("GCP 4.0: 6.2.4", "GCP 4.0: 6.2.5", "GCP 4.0: 6.2.6", "GCP 4.0: 6.2.7"),
)
RULES.row(
    "gcp-sql-pgaudit",
    "PostgreSQL has an audit log.",
    on=SQL_DATABASE_INSTANCE,
    check=Flag(POSTGRES, "cloudsql.enable_pgaudit", _ON, unset="off"),
    severity=LOW,
    rationale="Nothing shows which user read or changed which table.",
    fix="Set cloudsql.enable_pgaudit in settings.databaseFlags to on, create the pgaudit extension in each database, "
    "and set pgaudit.log to what is to be recorded.",
    peers="CKV_GCP_110 KICS:245eb024",
    cis=("GCP 4.0: 6.2.8",),
)
