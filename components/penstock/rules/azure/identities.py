"""Rules on identities: the roles that they have, and the tokens of others that count as theirs."""

from __future__ import annotations

from typing import Final

from penstock.catalog import limits
from penstock.resources.verdict import NOT_APPLICABLE, NotKnown, Verdict, allow
from penstock.resources.view import Site, View
from penstock.rules.levels import HIGH, MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.rules.taken_names import Called, first_of_each

RULES = RuleSet(Category.PROVIDER)

IDENTITY: Final = "azure-native:managedidentity:UserAssignedIdentity"
FEDERATED: Final = "azure-native:managedidentity:FederatedIdentityCredential"
ROLE_ASSIGNMENT: Final = "azure-native:authorization:RoleAssignment"

_GIVEN = ("scope", "roleDefinitionId", "principalId")
_TRUSTED = ("resourceName", "issuer", "subject")


@RULES.rule(
    "az-role-assignment-once",
    on=ROLE_ASSIGNMENT,
    severity=HIGH,
    rationale="Azure rejects the second assignment with RoleAssignmentExists.",
    fix="Leave one of the assignments out, or set its principalId, roleDefinitionId or scope to another one.",
    reads=_GIVEN,
    joins=True,
    sources=("Azure RBAC documentation, troubleshoot: RoleAssignmentExists",),
)
def a_principal_has_a_role_once_in_a_scope(assignment: View) -> Verdict:
    """A principal has a role once in a scope."""
    if any(key not in assignment for key in _GIVEN):
        return NOT_APPLICABLE
    first = assignment.site.once(_first_assignments)[_assigned(assignment)]
    message = f"{assignment.site.graph[first].name} gives the same role already"
    return allow(first == assignment.urn, message, hint="Leave this one out.", path="roleDefinitionId")


@RULES.rule(
    "az-role-principal-type",
    on=ROLE_ASSIGNMENT,
    severity=MEDIUM,
    rationale="Entra ID shows a new identity late in some regions, and Azure then fails with PrincipalNotFound.",
    fix="Set principalType to ServicePrincipal.",
    reads=("principalId", "principalType"),
    joins=True,
    sources=("Azure RBAC documentation, troubleshoot: PrincipalNotFound",),
)
def a_new_identity_is_given_a_role_by_its_type(assignment: View) -> Verdict:
    """A role assignment to an identity of the same program has its principalType."""
    if not assignment.sources("principalId", IDENTITY):
        return NOT_APPLICABLE
    message = "principalType is not set for an identity that this program creates"
    return allow(assignment.text("principalType"), message, hint="Use ServicePrincipal.", path="principalType")


@RULES.rule(
    "az-federated-credentials",
    on=IDENTITY,
    severity=HIGH,
    rationale="Azure rejects the twenty-first credential of an identity.",
    fix="Set resourceName of some of its federated credentials to another identity.",
    joins=True,
    sources=("AKS documentation, workload identity",),
)
def an_identity_has_at_most_twenty_credentials(identity: View) -> Verdict:
    """An identity has at most 20 federated credentials."""
    count = len(identity.referrers(FEDERATED, "resourceName"))
    if not count:
        return NOT_APPLICABLE
    most = limits.find_limit("federated_credentials", "azure").most
    return allow(count <= most, f"the identity has {count} federated credentials", hint=f"Use {most} at most.")


@RULES.rule(
    "az-federated-once",
    on=FEDERATED,
    severity=HIGH,
    rationale="Azure rejects a second credential of an identity with the same issuer and subject.",
    fix="Leave one of the credentials out, or set its subject to another service account.",
    reads=_TRUSTED,
    joins=True,
    sources=("Entra ID documentation, considerations for federated credentials",),
)
def an_identity_trusts_a_subject_once(credential: View) -> Verdict:
    """The federated credentials of an identity have different issuers or subjects."""
    if any(key not in credential for key in _TRUSTED):
        return NOT_APPLICABLE
    first = credential.site.once(_first_credentials)[_trusted(credential)]
    message = f"{credential.site.graph[first].name} trusts the same issuer and subject already"
    return allow(first == credential.urn, message, hint="Leave this one out.", path="subject")


def _assigned(assignment: View) -> Called:
    """The scope, the GUID of the role and the principal of an assignment."""
    scope, role, principal = (_required(assignment, key).casefold() for key in _GIVEN)
    return scope, role.rpartition("/")[2], principal


def _trusted(credential: View) -> Called:
    return _required(credential, "resourceGroupName"), *(_required(credential, key) for key in _TRUSTED)


def _required(view: View, key: str) -> str:
    text = view.text(key)
    if text is None:
        raise NotKnown
    return text


def _first_assignments(site: Site) -> dict[Called, str]:
    return first_of_each(site.of_type(ROLE_ASSIGNMENT), _assigned)


def _first_credentials(site: Site) -> dict[Called, str]:
    return first_of_each(site.of_type(FEDERATED), _trusted)
