"""Names of resources, on whatever has a form of its own."""

from __future__ import annotations

from penstock.azure.types import CONTAINERSERVICE_AGENT_POOL
from penstock.catalog.name_forms import name_forms
from penstock.graph.verdict import NOT_APPLICABLE, Verdict, allow
from penstock.graph.view import Site, View
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet
from penstock.rules.taken_names import Called, first_of_each

RULES = RuleSet(Category.PROVIDER)

_FORMS = {type_: form for type_, form in name_forms("azure").items() if type_ != CONTAINERSERVICE_AGENT_POOL}
"""Those of node pools depend on their system: `node_pools`."""
_EVERYWHERE = tuple(type_ for type_, form in _FORMS.items() if form.everywhere)


@RULES.rule(
    on=tuple(_FORMS),
    severity=HIGH,
    rationale="Azure rejects other names.",
    fix="Set the name to one of the resource's form: a storage account has 3 to 24 of a-z and 0-9.",
    sources=("Azure Resource Manager documentation, naming rules and restrictions",),
)
def az_name_form(resource: View) -> Verdict:
    """A name has the form and length that its resource takes."""
    form = _FORMS[resource.type]
    name = resource.text(form.property)
    if name is None:
        return NOT_APPLICABLE
    message = f"{name!r} is not a valid name of a {resource.type.rpartition(':')[2]}"
    hint = f"Use {form.shortest} to {form.longest} characters, in a name such as {form.example}."
    return allow(form.allow(name), message, hint=hint, path=form.property)


@RULES.rule(
    on=_EVERYWHERE,
    severity=HIGH,
    rationale="These names are host names of all of Azure, which rejects the second resource of a name.",
    fix="Set the name of one of them to another one, or leave it out so that Pulumi adds a unique suffix.",
    joins=True,
    sources=("Azure Resource Manager documentation, naming rules and restrictions",),
)
def az_name_once(resource: View) -> Verdict:
    """No two storage accounts, key vaults, registries or PostgreSQL servers have one name."""
    path = _FORMS[resource.type].property
    name = resource.text(path)
    if name is None:
        return NOT_APPLICABLE
    first = resource.site.once(_first)[_called(resource)]
    message = f"{resource.site.graph[first].name} has the name {name} already"
    return allow(first == resource.urn, message, hint="Use another name.", path=path)


def _called(resource: View) -> Called:
    return resource.type, (resource.text(_FORMS[resource.type].property) or resource.urn).casefold()


def _first(site: Site) -> dict[Called, str]:
    return first_of_each(site.of_type(*_EVERYWHERE), _called)
