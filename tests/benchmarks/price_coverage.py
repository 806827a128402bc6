"""Prints the share of resource types that are priced, named or silent in a bill, for each cloud.

The types are those that Infracost prices. A type is priced if its resource has a line with a price, by use if the bill
has the price of a unit and declared usage makes it a line, named if the bill says only that it costs something, and
silent otherwise. `--each` lists all types.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal

import yaml
from tests.programs import IT, Program, Ref, graph_of, urn_of

from penstock.cost import Cost, cost_of

Coverage = Literal["priced", "by use", "named", "silent"]
COVERAGES: Final[tuple[Coverage, ...]] = ("priced", "by use", "named", "silent")
TABLE: Final = Path(__file__).with_name("priced_types.yaml")
PROVIDERS: Final[Mapping[str, tuple[str, Mapping[str, Any]]]] = {
    "aws": ("pulumi:providers:aws", {"region": "us-east-1"}),
    "azure": ("pulumi:providers:azure-native", {"location": "eastus"}),
    "gcp": ("pulumi:providers:gcp", {"region": "us-central1", "zone": "us-central1-a"}),
}


@cache
def priced_types() -> Mapping[str, Mapping[str, Mapping[str, Any]]]:
    """Return the resources by cloud and Terraform name; each is a mapping of types to inputs, the priced one first."""
    found: Mapping[str, Mapping[str, Mapping[str, Any]]] = yaml.safe_load(TABLE.read_text())
    return found


def program_of(cloud: str, resources: Mapping[str, Any]) -> Program:
    """Return the program of one entry; the priced resource is `it`, `{of: TYPE}` refers to another."""
    names = {type_: IT if number == 0 else f"other-{number}" for number, type_ in enumerate(resources)}
    program = {name: (type_, _linked(resources[type_], names)) for type_, name in names.items()}
    return {"provider": PROVIDERS[cloud], **program}


def bill_of(cloud: str, resources: Mapping[str, Any]) -> tuple[Cost, str]:
    """Return the bill of one entry and the URN of the priced resource."""
    program = program_of(cloud, resources)
    return cost_of(graph_of(program)), urn_of(IT, program)


def coverage_of(cloud: str, resources: Mapping[str, Any]) -> Coverage:
    """Return how a bill covers one entry."""
    bill, urn = bill_of(cloud, resources)
    if any(line.urn == urn and line.unit_usd for line in bill.lines):
        return "priced"
    named = [each for each in bill.unpriced if each.urn == urn]
    if any(each.unit_usd for each in named):
        return "by use"
    return "named" if named else "silent"


def _linked(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, Mapping):
        if set(value) == {"of"}:
            return Ref(names[value["of"]])
        return {key: _linked(item, names) for key, item in value.items()}
    return [_linked(item, names) for item in value] if isinstance(value, list) else value


def main() -> None:
    """Print the table."""
    for cloud, entries in priced_types().items():
        found = {name: coverage_of(cloud, resources) for name, resources in entries.items()}
        counts = Counter(found.values())
        shares = "  ".join(f"{each} {counts[each]:3} ({counts[each] / len(found):4.0%})" for each in COVERAGES)
        print(f"{cloud:8} {len(found):4} types  {shares}")
        if "--each" in sys.argv:
            for name, coverage in sorted(found.items(), key=lambda each: (each[1], each[0])):
                print(f"    {coverage:8} {name}")


if __name__ == "__main__":
    main()
