"""Rules on identities: the roles that they have, and the tokens of others that count as theirs."""

from __future__ import annotations

import re
from typing import Final

from penstock.azure.types import (
    AUTHORIZATION_ROLE_ASSIGNMENT,
    AUTHORIZATION_ROLE_DEFINITION,
    COMPUTE_DISK_ENCRYPTION_SET,
    COMPUTE_VIRTUAL_MACHINE,
    COMPUTE_VIRTUAL_MACHINE_SCALE_SET,
    CONTAINERREGISTRY_REGISTRY,
    CONTAINERSERVICE_MANAGED_CLUSTER,
    DBFORPOSTGRESQL_SERVER,
    MANAGEDIDENTITY_FEDERATED_IDENTITY_CREDENTIAL,
    MANAGEDIDENTITY_USER_ASSIGNED_IDENTITY,
    STORAGE_ACCOUNT,
    STORAGECACHE_AML_FILESYSTEM,
)
from penstock.catalog import limits
from penstock.graph.verdict import NOT_APPLICABLE, Verdict, allow
from penstock.graph.view import Site, View
from penstock.rules.checks import All, Given, Matches, Where
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.taken_names import Called, first_of_each, required, whose

RULES = RuleSet(Category.PROVIDER)


_BEARERS: Final = (
    COMPUTE_DISK_ENCRYPTION_SET,
    COMPUTE_VIRTUAL_MACHINE,
    COMPUTE_VIRTUAL_MACHINE_SCALE_SET,
    CONTAINERREGISTRY_REGISTRY,
    CONTAINERSERVICE_MANAGED_CLUSTER,
    DBFORPOSTGRESQL_SERVER,
    STORAGE_ACCOUNT,
    STORAGECACHE_AML_FILESYSTEM,
)
"""The types whose identity may be one of the user's own."""

GUID: Final = r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_ROLE_ID = re.compile(rf"(?i)/.*providers/Microsoft\.Authorization/roleDefinitions/{GUID}")
_GIVEN = ("scope", "roleDefinitionId", "principalId")
_TRUSTED = ("resourceName", "issuer", "subject")

RULES.row(
    "az-role-principal-id",
    "A role is given to an object id of Entra ID.",
    on=AUTHORIZATION_ROLE_ASSIGNMENT,
    check=Matches("principalId", GUID),
    severity=HIGH,
    rationale="Azure rejects names and ids of resources.",
    fix="Set principalId to the object id, which is principalId of an identity, not its id.",
    sources=("Azure RBAC documentation, role assignments",),
)
RULES.row(
    "az-role-scope",
    "A role is given on the id of a resource, group, subscription or management group.",
    on=AUTHORIZATION_ROLE_ASSIGNMENT,
    check=Matches("scope", r"/|/?(?i:subscriptions|providers)/.+"),
    severity=HIGH,
    rationale="Azure has nothing by other texts.",
    fix="Set scope to the id of the resource.",
    sources=("Azure RBAC documentation, scope",),
)
RULES.row(
    "az-role-assignment-name",
    "A role assignment is named by a GUID.",
    on=AUTHORIZATION_ROLE_ASSIGNMENT,
    check=Where(Given("roleAssignmentName"), Matches("roleAssignmentName", GUID)),
    severity=HIGH,
    rationale="Azure rejects other names.",
    fix="Leave roleAssignmentName out, or set it to a GUID.",
    sources=("Azure RBAC documentation, role assignments",),
)
RULES.row(
    "az-role-condition",
    "A condition of a role assignment has its version.",
    on=AUTHORIZATION_ROLE_ASSIGNMENT,
    check=Where(Given("condition"), Given("conditionVersion")),
    severity=HIGH,
    rationale="Azure rejects a condition whose version it does not know.",
    fix="Set conditionVersion to 2.0.",
    sources=("Azure RBAC documentation, format of conditions",),
)
RULES.row(
    "az-federated-issuer",
    "A federated credential has an issuer with https.",
    on=MANAGEDIDENTITY_FEDERATED_IDENTITY_CREDENTIAL,
    check=Matches("issuer", r"https://.+"),
    severity=HIGH,
    rationale="Entra ID reads the keys of the issuer there, and trusts no other way.",
    fix="Set issuer to the address of the issuer, such as oidcIssuerProfile.issuerURL of a cluster.",
    sources=("Entra ID documentation, considerations for federated credentials",),
)
RULES.row(
    "az-federated-subject",
    "A federated credential names one subject, and a service account with its namespace.",
    on=MANAGEDIDENTITY_FEDERATED_IDENTITY_CREDENTIAL,
    check=All(
        Matches("subject", r"[^*]+"),
        Where(
            Matches("subject", r"system:serviceaccount:.*"), Matches("subject", r"system:serviceaccount:[^:]+:[^:]+")
        ),
    ),
    severity=HIGH,
    rationale="No token has a subject with a wildcard, or a service account without its namespace.",
    fix="Set subject to system:serviceaccount:NAMESPACE:NAME.",
    sources=(
        "Entra ID documentation, considerations for federated credentials",
        "AKS documentation, workload identity",
    ),
)


@RULES.rule(
    on=_BEARERS,
    severity=HIGH,
    rationale="Azure rejects the type UserAssigned without an identity.",
    fix="Set identity.userAssignedIdentities to the ids of the identities, or identity.type to SystemAssigned.",
    sources=("Managed identities documentation, overview",),
)
def az_identity_named(bearer: View) -> Verdict:
    """A resource with an identity of the user's own names it."""
    identity = bearer.block("identity")
    kind = identity.text("type") if identity is not None else None
    if identity is None or kind is None or "userassigned" not in kind.casefold():
        return NOT_APPLICABLE
    path = identity.at("userAssignedIdentities")
    named = identity.given("userAssignedIdentities")
    return allow(named, f"no identity is named for the type {kind}", hint="Name one by its id.", path=path)


@RULES.rule(
    on=AUTHORIZATION_ROLE_ASSIGNMENT,
    severity=HIGH,
    rationale="Azure finds no role by its name.",
    fix="Set roleDefinitionId to /providers/Microsoft.Authorization/roleDefinitions/ and the GUID of the role.",
    joins=True,
    sources=("Azure RBAC documentation, role assignments",),
)
def az_role_definition_id(assignment: View) -> Verdict:
    """A role that the program does not define itself is given by the id of its definition."""
    if assignment.sources("roleDefinitionId", AUTHORIZATION_ROLE_DEFINITION):
        return NOT_APPLICABLE
    given = assignment.text("roleDefinitionId")
    if given is None:
        return NOT_APPLICABLE
    hint = "Use the id that `az role definition list --name` prints."
    return allow(_ROLE_ID.fullmatch(given), f"{given!r} is not the id of a role", hint=hint, path="roleDefinitionId")


@RULES.rule(
    on=MANAGEDIDENTITY_FEDERATED_IDENTITY_CREDENTIAL,
    severity=HIGH,
    rationale="Entra ID takes one, and rejects more.",
    fix="Set audiences to api://AzureADTokenExchange alone.",
    sources=("Entra ID documentation, considerations for federated credentials",),
)
def az_federated_audience(credential: View) -> Verdict:
    """A federated credential has one audience."""
    if "audiences" not in credential:
        return NOT_APPLICABLE
    count = credential.count("audiences")
    return allow(count == 1, f"audiences has {count} entries", hint="Use api://AzureADTokenExchange.", path="audiences")


@RULES.rule(
    on=AUTHORIZATION_ROLE_ASSIGNMENT,
    severity=HIGH,
    rationale="Azure rejects the second assignment with RoleAssignmentExists.",
    fix="Leave one of the assignments out, or set its principalId, roleDefinitionId or scope to another one.",
    joins=True,
    sources=("Azure RBAC documentation, troubleshoot: RoleAssignmentExists",),
)
def az_role_assignment_once(assignment: View) -> Verdict:
    """A principal has a role once in a scope."""
    if any(key not in assignment for key in _GIVEN):
        return NOT_APPLICABLE
    first = assignment.site.once(_first_assignments)[_assigned(assignment)]
    message = f"{assignment.site.graph[first].name} gives the same role already"
    return allow(first == assignment.urn, message, hint="Leave this one out.", path="roleDefinitionId")


@RULES.rule(
    on=AUTHORIZATION_ROLE_ASSIGNMENT,
    severity=HIGH,
    rationale="The name is the id of the assignment in its scope, and Azure rejects the second one.",
    fix="Set roleAssignmentName of one of them to another GUID, or leave it out.",
    joins=True,
    sources=("Azure RBAC documentation, role assignments",),
)
def az_role_assignment_name_once(assignment: View) -> Verdict:
    """No two role assignments of a scope have one name."""
    if "roleAssignmentName" not in assignment:
        return NOT_APPLICABLE
    first = assignment.site.once(_first_names)[_named(assignment)]
    message = f"{assignment.site.graph[first].name} has the same name in this scope already"
    return allow(first == assignment.urn, message, hint="Use another GUID.", path="roleAssignmentName")


@RULES.rule(
    on=AUTHORIZATION_ROLE_ASSIGNMENT,
    severity=MEDIUM,
    rationale="Entra ID shows a new identity late in some regions, and Azure then fails with PrincipalNotFound.",
    fix="Set principalType to ServicePrincipal.",
    joins=True,
    sources=("Azure RBAC documentation, troubleshoot: PrincipalNotFound",),
)
def az_role_principal_type(assignment: View) -> Verdict:
    """A role assignment to an identity of the same program has its principalType."""
    if not assignment.sources("principalId", MANAGEDIDENTITY_USER_ASSIGNED_IDENTITY):
        return NOT_APPLICABLE
    message = "principalType is not set for an identity that this program creates"
    return allow(assignment.text("principalType"), message, hint="Use ServicePrincipal.", path="principalType")


@RULES.rule(
    on=AUTHORIZATION_ROLE_ASSIGNMENT,
    severity=HIGH,
    rationale="Azure rejects the assignment with UnmatchedPrincipalType: identities are service principals.",
    fix="Set principalType to ServicePrincipal.",
    joins=True,
    sources=("Azure RBAC documentation, troubleshoot: UnmatchedPrincipalType",),
)
def az_role_principal_kind(assignment: View) -> Verdict:
    """A role assignment to an identity of the same program does not call it a user or a group."""
    kind, to = (
        assignment.text("principalType"),
        assignment.sources("principalId", MANAGEDIDENTITY_USER_ASSIGNED_IDENTITY, *_BEARERS),
    )
    if kind is None or not to:
        return NOT_APPLICABLE
    message = f"the identity of {to[0].name!r} is a service principal, not a {kind}"
    return allow(kind == "ServicePrincipal", message, hint="Use ServicePrincipal.", path="principalType")


@RULES.rule(
    on=MANAGEDIDENTITY_USER_ASSIGNED_IDENTITY,
    severity=HIGH,
    rationale="Azure rejects the twenty-first credential of an identity.",
    fix="Set resourceName of some of its federated credentials to another identity.",
    joins=True,
    sources=("AKS documentation, workload identity",),
)
def az_federated_credentials(identity: View) -> Verdict:
    """An identity has at most 20 federated credentials."""
    count = len(identity.referrers(MANAGEDIDENTITY_FEDERATED_IDENTITY_CREDENTIAL, "resourceName"))
    if not count:
        return NOT_APPLICABLE
    most = limits.find_limit("federated_credentials", "azure").most
    return allow(count <= most, f"the identity has {count} federated credentials", hint=f"Use {most} at most.")


@RULES.rule(
    on=MANAGEDIDENTITY_FEDERATED_IDENTITY_CREDENTIAL,
    severity=HIGH,
    rationale="Azure rejects a second credential of an identity with the same issuer and subject.",
    fix="Leave one of the credentials out, or set its subject to another service account.",
    joins=True,
    sources=("Entra ID documentation, considerations for federated credentials",),
)
def az_federated_once(credential: View) -> Verdict:
    """The federated credentials of an identity have different issuers or subjects."""
    if any(key not in credential for key in _TRUSTED):
        return NOT_APPLICABLE
    first = credential.site.once(_first_credentials)[_trusted(credential)]
    message = f"{credential.site.graph[first].name} trusts the same issuer and subject already"
    return allow(first == credential.urn, message, hint="Leave this one out.", path="subject")


def _assigned(assignment: View) -> Called:
    """The scope, the GUID of the role and the principal of an assignment."""
    scope, role = (required(assignment, key).casefold() for key in _GIVEN[:2])
    return scope, role.rpartition("/")[2], whose(assignment, "principalId").casefold()


def _trusted(credential: View) -> Called:
    return (
        required(credential, "resourceGroupName"),
        required(credential, "resourceName"),
        whose(credential, "issuer"),
        required(credential, "subject"),
    )


def _first_assignments(site: Site) -> dict[Called, str]:
    return first_of_each(site.of_type(AUTHORIZATION_ROLE_ASSIGNMENT), _assigned)


def _named(assignment: View) -> Called:
    return required(assignment, "scope").casefold(), required(assignment, "roleAssignmentName").casefold()


def _first_names(site: Site) -> dict[Called, str]:
    return first_of_each(site.of_type(AUTHORIZATION_ROLE_ASSIGNMENT), _named)


def _first_credentials(site: Site) -> dict[Called, str]:
    return first_of_each(site.of_type(MANAGEDIDENTITY_FEDERATED_IDENTITY_CREDENTIAL), _trusted)
