"""Service agents: a right is given to an account that exists."""

from __future__ import annotations

import re

from penstock.gcp.facts import service_agents
from penstock.gcp.model.apis import (
    has_number_in_program,
    identities_of,
    project_numbered,
    project_of,
    switches_of,
    waits_for_any,
)
from penstock.graph.verdict import NOT_APPLICABLE, PASS, Verdict, each, fail
from penstock.graph.view import View
from penstock.rules.levels import HIGH, Category
from penstock.rules.rule import RuleSet

RULES = RuleSet(Category.PROVIDER)

_GRANT = re.compile(r"gcp:[^:]+:\w*I(?:AM|am)(?:Member|Binding)")


@RULES.rule(
    on="gcp:*",
    severity=HIGH,
    rationale=(
        "IAM refuses a member that does not exist. A service agent is created with its API, or by the first request "
        "for it, so a grant that waits for neither fails in a new project."
    ),
    fix=(
        "Add the projects.Service of the API to depends_on and, for an agent that exists on request only, the "
        "projects.ServiceIdentity of the service."
    ),
    joins=True,
    sources=("IAM documentation, service agents (catalogue, gcp_service_agents)",),
)
def gcp_iam_service_agent_exists(grant: View) -> Verdict:
    """A grant to a service agent waits for what creates it, where the program does: its API or a service identity."""
    if not _GRANT.fullmatch(grant.type):
        return NOT_APPLICABLE
    member = grant.text("member")
    members = grant.texts("members") if member is None else [member]
    return each(members, lambda text: _exists_before(grant, text))


def _exists_before(grant: View, member: str) -> Verdict:
    agent = service_agents.agent_of(member.removeprefix("serviceAccount:"))
    if agent is None or not agent.known:
        return NOT_APPLICABLE
    api, project = f"{agent.service}.googleapis.com", project_numbered(grant.site, agent.number)
    creators = identities_of(grant.site, api, project)
    if not creators or not service_agents.on_request(agent.service):
        creators += switches_of(grant.site, api, project)
    if project is None:  # a number in clear is of no project whose number the program has as a value
        creators = [creator for creator in creators if not has_number_in_program(grant.site, project_of(creator))]
    if not creators:
        return NOT_APPLICABLE
    if waits_for_any(grant, creators):
        return PASS
    return fail(
        f"the service agent of {api} comes with {creators[0].name}, and the grant does not wait for that",
        hint=f"Add {creators[0].name} to depends_on.",
        path="member" if "member" in grant else "members",
    )
