"""Service agents: the accounts of Google's own in a project, in whose name its services act.

A service that is to use a customer's key needs the right to it for its agent before anything is encrypted.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from penstock.catalog.records import keyed, record_of


@dataclass(frozen=True, slots=True)
class _Agent:
    service: str
    email: str
    on_request: bool


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


def service_of(account: str) -> str | None:
    """Return the service whose agent an account is, by its e-mail address; None for any other account."""
    name, _, domain = account.partition("@")
    return _services_by_domain().get(domain) if name.startswith("service-") else None


@cache
def _services_by_domain() -> dict[str, str]:
    return {email(service, "").partition("@")[2]: service for service in services()}


def _agent(service: str) -> _Agent:
    return record_of(_Agent, "gcp/service_agents", service, "service with an agent of its own")
