"""Flags of Cloud SQL instances, which a program writes as a list of names and values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from typing_extensions import override

from penstock.graph.verdict import NOT_APPLICABLE, PASS, Verdict, allow, fail
from penstock.graph.view import Block
from penstock.rules.checks import Check

if TYPE_CHECKING:
    from penstock.rules.settings import Settings

MYSQL: Final = "MYSQL"
POSTGRES: Final = "POSTGRES"
SQL_SERVER: Final = "SQLSERVER"
_FLAGS: Final = "settings.databaseFlags"


@dataclass(frozen=True, slots=True)
class Flag(Check):
    """A flag of instances of an engine has one of these values.

    `unset` is the value without the flag, where that is a wrong one. Replicas have the flags of their primary.
    """

    engine: str
    name: str
    values: tuple[str, ...]
    unset: str | None = None

    @override
    def reads(self, type_: str) -> tuple[str, ...]:
        return ("databaseVersion", f"{_FLAGS}[].name", f"{_FLAGS}[].value")

    @override
    def judge(self, it: Block, settings: Settings) -> Verdict:
        instance = it.owner
        if not (instance.text("databaseVersion") or "").startswith(self.engine):
            return NOT_APPLICABLE
        if "settings" not in instance or "masterInstanceName" in instance:
            return NOT_APPLICABLE
        for flag in instance.blocks_at(f"{_FLAGS}[]"):
            if flag.text("name") == self.name:
                value, path = str(flag.value("value")), flag.at("value")
                return allow(value.casefold() in self.values, f"{path} of {self.name} is {value}", path=path)
        if self.unset is None:
            return PASS
        return fail(f"{_FLAGS} does not set {self.name}, so it is {self.unset}", path=_FLAGS)
