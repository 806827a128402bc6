"""APIs and service agents that nothing in the program turns on or asks for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from penstock.catalog.tables import rows
from penstock.core.wording import inflect
from penstock.gcp.facts import service_agents
from penstock.gcp.facts.image_projects import image_projects
from penstock.gcp.facts.service_agents import ServiceAgent
from penstock.gcp.model.apis import apis_needed, identities_of, project_numbered, switches_of
from penstock.gcp.preconditions.places import project_for, project_or_parents
from penstock.graph.verdict import NotKnown
from penstock.graph.view import Site, View
from penstock.preconditions import need
from penstock.preconditions.kind import Kinds
from penstock.preconditions.precondition import Precondition
from penstock.preconditions.texts import given_texts

KINDS = Kinds()

_ACCOUNT = "serviceAccount:"


@KINDS.kind("gcp-api", sources=("Service Usage documentation, enabling services",))
def apis_that_are_on(site: Site) -> Iterator[Precondition]:
    """The APIs that resources and look-ups need and that no projects.Service of the program turns on."""
    missing: dict[str, dict[str, str]] = {}
    for token, inputs, project, urn in _askers(site):
        for api in apis_needed(token, inputs):
            if not _is_on(site, api, project):
                missing.setdefault(project or project_for(site), {}).setdefault(api, urn)
    for project, apis in missing.items():
        names = sorted(apis)
        yield Precondition(
            f"{inflect(len(names), 'API', 'APIs')} {', '.join(names)} on in project {project}",
            "An API answers 403 accessNotConfigured until it is on, and no projects.Service here turns it on.",
            f"gcloud services enable {' '.join(names)} --project={project}",
            apis[names[0]],
            need.NamesNeed(tuple(names), project),
        )


@KINDS.kind("gcp-service-agent", sources=("IAM documentation, service agents",))
def agents_that_exist(site: Site) -> Iterator[Precondition]:
    """The service agents that a grant names and nothing in the program creates."""
    for given in given_texts(site):
        if not given.text.startswith(_ACCOUNT):
            continue
        agent = service_agents.agent_of(given.text.removeprefix(_ACCOUNT))
        if agent is None or _is_created(site, agent):
            continue
        api = f"{agent.service}.googleapis.com"
        project = project_numbered(site, agent.number) or project_for(site, given.urn)
        command = service_agents.command(agent.service) if agent.known else service_agents.identity_command(api)
        yield Precondition(
            f"Service agent of {api} in project {project}",
            "IAM refuses a member that does not exist; this one is created when it is asked for or first used.",
            command.format(project=project),
            given.urn,
            need.named("gcp-service-agent", {"name": given.text.removeprefix(_ACCOUNT), "project": project}),
        )


def _is_created(site: Site, agent: ServiceAgent) -> bool:
    """Return whether the program creates an agent: with its API, by asking for it, or by looking it up."""
    api, project = f"{agent.service}.googleapis.com", project_numbered(site, agent.number)
    try:
        if identities_of(site, api, project):
            return True
    except NotKnown:
        return True
    if not agent.known:
        return False
    lookup = service_agents.lookup(agent.service)
    if lookup and any(each.token == lookup for each in site.graph.lookups):
        return True
    return not service_agents.on_request(agent.service) and _is_on(site, api, project)


def _askers(site: Site) -> Iterator[tuple[str, Mapping[str, Any], str | None, str]]:
    for resource in site.graph:
        if resource.type.startswith("gcp:"):
            yield resource.type, resource.inputs, project_or_parents(View(resource, site)), resource.urn
    for lookup in site.graph.lookups:
        given = lookup.arguments.get("project")
        project = given if isinstance(given, str) and given not in image_projects() else None
        yield lookup.token, lookup.arguments, project, ""


def _is_on(site: Site, api: str, project: str | None) -> bool:
    """Return whether an API is on in every new project, or turned on by the program; where unknown, it may be."""
    try:
        return api in _default_apis() or bool(switches_of(site, api, project))
    except NotKnown:
        return True


def _default_apis() -> frozenset[str]:
    return frozenset(row["service"] for row in rows("gcp/default_apis"))
