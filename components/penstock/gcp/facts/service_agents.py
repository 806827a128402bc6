"""Service agents: the accounts of Google's own in a project, in whose name its services act.

A service that is to use a customer's key needs the right to it for its agent before anything is encrypted.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from penstock.catalog.records import keyed, record_of

_AGENT = re.compile(r"(?P<prefix>[a-z]+-)?(?P<number>\d+)@(?P<domain>[\w.-]+\.gserviceaccount\.com)")
_DEFAULT = re.compile(r"(?P<number>\d+)-compute@developer\.gserviceaccount\.com")
_BY_SERVICE = re.compile(r"gcp-sa-(?P<service>[a-z][a-z0-9]*)\.iam\.gserviceaccount\.com")


@dataclass(frozen=True, slots=True)
class _Agent:
    service: str
    email: str
    on_request: bool
    lookup: str
    command: str


def services() -> tuple[str, ...]:
    """The services whose agents the catalogue knows: `lustre` represents lustre.googleapis.com."""
    return tuple(keyed(_Agent, "gcp/service_agents"))


def email(service: str, project_number: str) -> str:
    """The e-mail address of a service's agent in a project.

    Raises:
        UnknownFact: the catalogue does not know the service.
    """
    return _agent(service).email.format(number=project_number)


def on_request(service: str) -> bool:
    """Return whether the agent is created only on request, by a service identity, and not together with the API.

    Raises:
        UnknownFact: as `email`.
    """
    return _agent(service).on_request


def lookup(service: str) -> str:
    """Return the function of Pulumi's provider that has a service create its agent; empty where none does.

    Raises:
        UnknownFact: as `email`.
    """
    return _agent(service).lookup


def command(service: str) -> str:
    """Return the template of the command that has a service create its agent; it names the `project`.

    Raises:
        UnknownFact: as `email`.
    """
    agent = _agent(service)
    if agent.command:
        return agent.command
    api = f"{service}.googleapis.com"
    if not agent.on_request:
        return f"gcloud services enable {api} --project={{project}}"
    return identity_command(api)


def identity_command(api: str) -> str:
    """Return the template of the command that asks for the agent of an API."""
    return f"gcloud beta services identity create --service={api} --project={{project}}"


class ServiceAgent(NamedTuple):
    """A service agent: its service, such as lustre, and the number of its project; `known` if the catalogue has it."""

    service: str
    number: str
    known: bool


def agent_of(account: str) -> ServiceAgent | None:
    """Return the service agent that an account is, by its e-mail address; None for any other account.

    The default account of Compute Engine, which comes with its API as the agent does, counts as one.

    Google calls most agents after their service: gcp-sa-SERVICE, which is taken for one that the catalogue lacks.
    """
    default = _DEFAULT.fullmatch(account)
    if default is not None:
        return ServiceAgent("compute", default["number"], known=True)
    found = _AGENT.fullmatch(account)
    if found is None:
        return None
    named = _services_by_form().get((found["prefix"] or "", found["domain"]))
    if named is not None:
        return ServiceAgent(named, found["number"], known=True)
    guessed = _BY_SERVICE.fullmatch(found["domain"]) if found["prefix"] == "service-" else None
    return None if guessed is None else ServiceAgent(guessed["service"], found["number"], known=False)


@cache
def _services_by_form() -> dict[tuple[str, str], str]:
    """The services by what is before the number in the address of their agent, and by the domain."""
    parts = {service: email(service, " ").partition("@") for service in services()}
    return {(name.partition(" ")[0], domain): service for service, (name, _, domain) in parts.items()}


def _agent(service: str) -> _Agent:
    return record_of(_Agent, "gcp/service_agents", service, "service with an agent of its own")
