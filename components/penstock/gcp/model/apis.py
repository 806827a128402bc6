"""The APIs of a project: which resources and look-ups need one, and which wait until the program turns it on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from penstock.catalog.conditions import applies
from penstock.catalog.needs import needs_of
from penstock.gcp.types import CONTAINER_CLUSTER, ORGANIZATIONS_PROJECT, PROJECTS_SERVICE, PROJECTS_SERVICE_IDENTITY
from penstock.graph.graph import in_order
from penstock.graph.verdict import NotKnown
from penstock.graph.view import Site, View

_PROJECT_DATA: Final = "gcp:organizations/getProject:getProject"
_AWAITED: Final = (PROJECTS_SERVICE, PROJECTS_SERVICE_IDENTITY, CONTAINER_CLUSTER)
_BY_NAME: Final = "service"


def apis_needed(token: str, inputs: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the APIs without which Google Cloud refuses a resource or a look-up, such as compute.googleapis.com."""
    named = inputs.get(_BY_NAME)
    if token == PROJECTS_SERVICE_IDENTITY:
        return (named,) if isinstance(named, str) else ()
    return tuple(
        api
        for need in needs_of(token)
        if len(need.steps) == 1 and need.steps[0].type == PROJECTS_SERVICE
        if need.where is not None and need.where.path == _BY_NAME
        if applies(need.when, inputs)
        for api in need.where.texts
    )


def switches_of(site: Site, api: str, project: str | None) -> list[View]:
    """Return the resources that turn an API on in a project; where one does not name its project, in any.

    Raises:
        NotKnown: none does, but it is not known which API another turns on.
    """
    found, unknown = site.once(_switches)
    alike = [each for each in found.get(api, ()) if _share(project, project_of(each))]
    if unknown and not alike:
        raise NotKnown
    return alike


def identities_of(site: Site, api: str, project: str | None) -> list[View]:
    """Return the resources that ask for the service agent of an API in a project; as `switches_of`."""
    return [
        each
        for each in site.of_type(PROJECTS_SERVICE_IDENTITY)
        if each.text(_BY_NAME) == api and _share(project, project_of(each))
    ]


def project_of(view: View) -> str | None:
    """Return the project of a resource: its own, or that of its provider; None where neither is known."""
    for block in (view, view.provider):
        given = block.given("project")
        if given is not None:
            return given if isinstance(given, str) else None
    return None


def project_numbered(site: Site, number: str) -> str | None:
    """Return the id of the project that has a number, by the project data that a program creates or looks up."""
    return site.once(_projects_by_number).get(number)


def has_number_in_program(site: Site, project: str | None) -> bool:
    """Return whether a program creates a project or looks it up, so that it has the number as a value."""
    return project in site.once(_projects_with_number)


def waits_for_any(view: View, earlier: Iterable[View]) -> bool:
    """Return whether a resource is created only after one of these.

    They turn an API on, ask for its agent, or are the cluster that comes with an identity pool.
    """
    awaited = view.site.once(_awaited)
    return any(each.urn in awaited[view.urn] for each in earlier)


def _switches(site: Site) -> tuple[dict[str, list[View]], bool]:
    """All that turn an API on, by API, and whether there are some of which it is not known."""
    found: dict[str, list[View]] = {}
    unknown = False
    for view in site.of_type(PROJECTS_SERVICE):
        try:
            found.setdefault(view.text(_BY_NAME) or "", []).append(view)
        except NotKnown:
            unknown = True
    return found, unknown


def _projects_by_number(site: Site) -> dict[str, str]:
    return {
        number: name
        for data in _project_data(site)
        if isinstance(number := data.get("number"), str) and isinstance(name := data.get("projectId"), str)
    }


def _projects_with_number(site: Site) -> frozenset[str]:
    return frozenset(name for data in _project_data(site) if isinstance(name := data.get("projectId"), str))


def _project_data(site: Site) -> Iterator[Mapping[str, Any]]:
    yield from ({**view.resource.inputs, **view.resource.outputs} for view in site.of_type(ORGANIZATIONS_PROJECT))
    yield from (each.answer for each in site.graph.lookups if each.token == _PROJECT_DATA)


def _awaited(site: Site) -> dict[str, frozenset[str]]:
    """The switches, identities and clusters that each resource waits for, directly or not, in one pass."""
    awaited: dict[str, frozenset[str]] = {}
    nothing: frozenset[str] = frozenset()
    for resource in in_order(site.graph.resources).values():
        needs = (resource.parent, resource.provider_urn, *resource.dependencies)
        sets = {awaited[need] for need in needs if need in awaited} - {nothing}
        before = next(iter(sets)) if len(sets) == 1 else nothing.union(*sets)
        awaited[resource.urn] = before | {resource.urn} if resource.type in _AWAITED else before
    return awaited


def _share(one: str | None, other: str | None) -> bool:
    return one is None or other is None or one == other
