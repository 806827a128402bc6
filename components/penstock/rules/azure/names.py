"""Names of resources, on whatever has a form of its own."""

from __future__ import annotations

from penstock.catalog.name_forms import name_forms
from penstock.model.pools.azure import AGENT_POOL
from penstock.resources.verdict import NOT_APPLICABLE, Verdict, allow
from penstock.resources.view import View
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_FORMS = {type_: form for type_, form in name_forms("azure").items() if type_ != AGENT_POOL}
"""Those of node pools depend on their system: `node_pools`."""


@RULES.rule(
    "az-name-form",
    on=tuple(_FORMS),
    severity=HIGH,
    rationale="Azure rejects other names.",
    fix="Set the name to one of the resource's form: a storage account has 3 to 24 of a-z and 0-9.",
    reads=tuple(sorted({form.property for form in _FORMS.values()})),
    sources=("Azure Resource Manager documentation, naming rules and restrictions",),
)
def a_name_is_one_that_azure_takes(resource: View) -> Verdict:
    """A name has the form and length that its resource takes."""
    form = _FORMS[resource.type]
    name = resource.text(form.property)
    if name is None:
        return NOT_APPLICABLE
    message = f"{name!r} is not a valid name of a {resource.type.rpartition(':')[2]}"
    hint = f"Use {form.shortest} to {form.longest} characters, in a name such as {form.example}."
    return allow(form.allow(name), message, hint=hint, path=form.property)
