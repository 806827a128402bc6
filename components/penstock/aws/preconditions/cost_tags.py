"""Tags that AWS shows costs by only once the payer of the account has activated them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from penstock.aws.types import BUDGETS_BUDGET
from penstock.core.wording import inflect, listed
from penstock.graph.view import Site
from penstock.preconditions.kind import Kinds
from penstock.preconditions.need import NamesNeed
from penstock.preconditions.precondition import Precondition

KINDS = Kinds()

_ACTIVATED = "aws:costexplorer/costAllocationTag:CostAllocationTag"
_TAG_FILTER = "TagKeyValue"
_OPERATORS = ("ands", "ors", "not")


@KINDS.kind(
    "aws-cost-allocation-tag", sources=("AWS Billing user guide, activating user-defined cost allocation tags",)
)
def tags_that_a_budget_counts_by(site: Site) -> Iterator[Precondition]:
    """Tags that a budget counts costs by are activated as cost allocation tags by the payer of the account."""
    activated = {tag.given("tagKey") for tag in site.of_type(_ACTIVATED) if tag.given("status") == "Active"}
    for budget in site.of_type(BUDGETS_BUDGET):
        keys = [key for key in _tag_keys(budget.resource.inputs) if key not in activated]
        if keys:
            tags, its_keys = (inflect(len(keys), word, f"{word}s") for word in ("tag", "key"))
            yield Precondition(
                f"Cost allocation {tags} activated by the payer of the account: {listed(keys)}",
                f"AWS counts no cost by a tag before that, so the budget stays at 0 and sends no alert. AWS offers "
                f"the {its_keys} up to a day after the first use: activate as soon as it does.",
                "aws ce update-cost-allocation-tags-status --cost-allocation-tags-status "
                + " ".join(f"'TagKey={key},Status=Active'" for key in keys),
                budget.urn,
                NamesNeed(tuple(keys)),
            )


def _tag_keys(budget: Mapping[str, Any]) -> list[str]:
    """The keys of the tags in both forms of a budget's filters, each once, in order."""
    found: list[str] = []
    for each in _items(budget.get("costFilters")):
        if each.get("name") == _TAG_FILTER:
            values = each.get("values")
            texts = values if isinstance(values, list | tuple) else ()
            found += (text.partition("$")[0] for text in texts if isinstance(text, str))
    found += (key for each in _items(budget.get("filterExpression")) for key in _expression_keys(each))
    return list(dict.fromkeys(key.removeprefix("user:") for key in found if key))


def _expression_keys(expression: Mapping[str, Any]) -> Iterator[str]:
    for tags in _items(expression.get("tags")):
        if isinstance(key := tags.get("key"), str):
            yield key
    for operator in _OPERATORS:
        for each in _items(expression.get(operator)):
            yield from _expression_keys(each)


def _items(value: Any) -> list[Mapping[str, Any]]:
    """What a property holds, one block or a list of them; nothing where it is not known."""
    return [each for each in (value if isinstance(value, list | tuple) else [value]) if isinstance(each, Mapping)]
