"""Rules on APIs: nothing is created or looked up before its API is on."""

from __future__ import annotations

from penstock.gcp.model.apis import apis_needed, project_of, switches_of, waits_for_any
from penstock.gcp.types import BILLING_BUDGET, PROJECTS_SERVICE
from penstock.graph.graph import STACK_TYPE, Lookup
from penstock.graph.verdict import NOT_APPLICABLE, PASS, Verdict, allow, each, fail
from penstock.graph.view import Site, View
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_BILLING = "cloudbilling.googleapis.com"
_PROJECT = "gcp:organizations/getProject:getProject"
_SOURCES = ("Service Usage documentation, enabling services (catalogue, gcp_needs)",)


@RULES.rule(
    on="gcp:*",
    severity=HIGH,
    rationale=(
        "An API answers 403 accessNotConfigured until it is on. Without a dependency the engine creates the resource "
        "at the same time, so that the first `pulumi up` in a new project fails and only a second one succeeds."
    ),
    fix="Add the projects.Service that turns the API on to depends_on of the resource, or of its component.",
    joins=True,
    sources=_SOURCES,
)
def gcp_api_on_before_use(view: View) -> Verdict:
    """A resource waits for the API that it needs, where the program turns that API on."""
    if view.type == PROJECTS_SERVICE:
        return NOT_APPLICABLE
    return each(apis_needed(view.type, view.resource.inputs), lambda api: _awaited(view, api))


@RULES.rule(
    on=STACK_TYPE,
    severity=HIGH,
    rationale=(
        "A function of the provider asks an API at once. Before the API is on it fails, or answers with nothing where "
        "the provider takes that for a warning, as it does for the billing account of a project."
    ),
    fix=(
        "Call the form of the function that ends in _output with "
        "opts=pulumi.InvokeOutputOptions(depends_on=[the projects.Service])."
    ),
    joins=True,
    sources=_SOURCES,
)
def gcp_api_on_before_lookup(stack: View) -> Verdict:
    """A look-up waits for the API that it asks, where the program turns that API on."""
    site = stack.site
    asked = [(lookup, api) for lookup in site.graph.lookups for api in apis_needed(lookup.token, lookup.arguments)]
    return each(asked, lambda pair: _asked_after(site, *pair))


@RULES.rule(
    on=BILLING_BUDGET,
    severity=HIGH,
    rationale=(
        "The provider reads a project's billing account through cloudbilling.googleapis.com. Before that is on it "
        "warns and answers with an empty account, for which no budget can be created."
    ),
    fix=(
        "Look the project up by get_project_output with opts=pulumi.InvokeOutputOptions(depends_on=[the "
        "projects.Service of cloudbilling.googleapis.com])."
    ),
    joins=True,
    sources=("Terraform Google provider, resource_google_project.go: an API that is not on is a warning",),
)
def gcp_billing_account_known(budget: View) -> Verdict:
    """The billing account of a budget is looked up once the Cloud Billing API is on, where the program turns it on."""
    account = budget.text("billingAccount")
    switches = switches_of(budget.site, _BILLING, None)
    projects = [lookup for lookup in budget.site.graph.lookups if lookup.token == _PROJECT]
    lookups = [lookup for lookup in projects if lookup.answer.get("billingAccount") == account]
    if not account or not switches or not lookups:
        return NOT_APPLICABLE
    name = switches[0].name
    return allow(
        any(switch.urn in lookup.after for lookup in lookups for switch in switches),
        f"getProject reads the billing account before {name} has turned {_BILLING} on",
        hint=f"Call get_project_output with InvokeOutputOptions(depends_on=[…]) on {name}.",
        path="billingAccount",
    )


def _awaited(view: View, api: str) -> Verdict:
    switches = switches_of(view.site, api, project_of(view))
    if not switches:
        return NOT_APPLICABLE
    if waits_for_any(view, switches):
        return PASS
    name = switches[0].name
    return fail(
        f"{api} is turned on by {name}, and nothing makes this resource wait for it",
        hint=f"Add {name} to depends_on.",
    )


def _asked_after(site: Site, lookup: Lookup, api: str) -> Verdict:
    named = lookup.arguments.get("project")
    switches = switches_of(site, api, named if isinstance(named, str) else None)
    if not switches:
        return NOT_APPLICABLE
    if any(switch.urn in lookup.after for switch in switches):
        return PASS
    function, name = lookup.token.rpartition(":")[2], switches[0].name
    return fail(
        f"{function} asks {api} before {name} has turned that on",
        hint=f"Call the form of {function} that ends in _output, with InvokeOutputOptions(depends_on=[…]) on {name}.",
        urn=switches[0].urn,
    )
