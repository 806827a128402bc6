"""Service agents: the accounts of Google's own in a project, in whose name its services act.

A service that is to use a customer's key needs the right to it for its agent before anything is encrypted.
"""

from __future__ import annotations

from penstock.catalog.tables import row_of, rows


def services() -> tuple[str, ...]:
    """The services whose agents the catalogue knows: `lustre` stands for lustre.googleapis.com."""
    return tuple(row["service"] for row in rows("gcp/service_agents"))


def email(service: str, project_number: str) -> str:
    """The e-mail address of a service's agent in a project.

    Raises:
        UnknownFact: the catalogue does not know the service.
    """
    return _row(service)["email"].format(number=project_number)


def on_request(service: str) -> bool:
    """Whether the agent is made only when one asks for it, by a service identity, and not together with the API.

    Raises:
        UnknownFact: as `email`.
    """
    return _row(service)["on_request"] == "yes"


def _row(service: str) -> dict[str, str]:
    return row_of("gcp/service_agents", "service", service, "service with an agent of its own")
