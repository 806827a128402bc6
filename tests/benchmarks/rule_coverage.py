"""Prints for how many resource types of each SDK a provider rule or an API limit judges values; asserts nothing."""

from __future__ import annotations

import csv

from tools import aws_api_limits, azure_api_limits, gcp_ids

from penstock.catalog.tables import CATALOGUE
from penstock.providers import room_of
from penstock.rules import registry
from penstock.rules.levels import RuleKind


def limited(package: str) -> set[str]:
    """The types whose APIs publish limits of single fields."""
    folder = CATALOGUE / room_of(package) / "data" / "api_limits"
    files = (file.read_text(encoding="utf-8").splitlines() for file in folder.glob("*.csv"))
    return {f"{package}:{row['type']}" for lines in files for row in csv.DictReader(lines)}


def main() -> None:
    judged = {type_ for rule in registry.rules_of(RuleKind.PROVIDER) for type_ in rule.on if not type_.endswith("*")}
    declared = {
        "aws": set(aws_api_limits._types()),  # noqa: SLF001
        "gcp": set(gcp_ids.types()),
        "azure-native": set(azure_api_limits.types()),
    }
    for package, types in declared.items():
        limits = limited(package) & types
        print(
            f"{package:14} {len(types):5} types, {len(limits):5} with API limits, "
            f"{len(judged & types):3} with rules of their own, {len((limits | judged) & types):5} with either"
        )


if __name__ == "__main__":
    main()
