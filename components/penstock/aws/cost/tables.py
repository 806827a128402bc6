"""The cost of tables of DynamoDB."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from penstock.aws.cost.storage import service
from penstock.aws.types import APPAUTOSCALING_TARGET, DYNAMODB_TABLE
from penstock.catalog.prices import Price
from penstock.cost.bill import HOURS_A_MONTH, Line, Unpriced, line
from penstock.cost.stored import Held, stored_items
from penstock.graph.view import View

_Items = Iterator[Line | Unpriced]

_MILLION: Final = 1_000_000


def table_items(view: View) -> _Items:
    """Yield the cost of a table: capacity that it is given, or requests as declared, and what it holds."""
    suffix = "" if (view.text("tableClass") or "STANDARD") == "STANDARD" else ", infrequent access"

    def price(item: str) -> Price | None:
        return service(view, "dynamodb", item + suffix)

    stored = Held("gb", "items", price("storage"), optional=False)
    backups = Held("backup_gb", "backups on demand", price("backup"))
    if (view.text("billingMode") or "PROVISIONED") == "PROVISIONED":
        for way, words in (("write", "writes"), ("read", "reads")):
            yield from _capacity(view, f"{way}Capacity", f"capacity units for {words}", price(f"{way} capacity unit"))
        yield from stored_items(view, (stored, backups))
    else:
        writes = Held("writes", "requests that write", price("write requests"), per=_MILLION, optional=False)
        reads = Held("reads", "requests that read", price("read requests"), per=_MILLION, optional=False)
        yield from stored_items(view, (stored, backups, writes, reads))


def _capacity(view: View, key: str, what: str, price: Price | None) -> _Items:
    """The units of a table and of its global indexes together, of which each copy in another region writes as many."""
    units = sum(block.integer(key) or 0 for block in (view, *view.blocks("globalSecondaryIndexes")))
    copies = 1 + view.count("replicas") if key.startswith("write") else 1
    scaled = _scaled(view)
    note = "autoscaling changes them" if scaled else ""
    yield line(view.resource, f"{units * copies} {what}", units * copies * HOURS_A_MONTH, price, assumes=note)


def _scaled(view: View) -> bool:
    """Return whether a target of autoscaling names the table."""
    name = view.text("name") or view.outputs.text("name")
    targets = view.site.of_type(APPAUTOSCALING_TARGET)
    return bool(name) and any(each.given("resourceId") == f"table/{name}" for each in targets)


PRICED: Final[Mapping[str, Callable[[View], _Items]]] = {DYNAMODB_TABLE: table_items}
"""The functions that price them, by type token."""
