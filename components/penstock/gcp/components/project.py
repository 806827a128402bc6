"""The project that everything is built in: its APIs, its number, and the accounts that Google's services act as."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import partial

import pulumi
from pulumi_gcp import organizations, projects, storage

from penstock.gcp.components.handles import ProjectHandle
from penstock.gcp.facts import service_agents

_ASKED = ("storage", "compute", "container", "file", "lustre", "sqladmin", "secretmanager", "artifactregistry")
"""The services whose agents get rights from components: to keys, and to buckets."""


class Project(pulumi.ComponentResource):
    """A project that is already there, with the APIs turned on that the platform uses.

    Each resource waits for its own API alone (`ProjectHandle.on`). Nothing is turned off again when the stack goes:
    others in the project may use it. Services whose agents the keys let in are asked for them: IAM refuses an agent
    that is not there yet.

    Two APIs must be on before, or nothing can be turned on or looked up: serviceusage, which new projects have, and
    cloudresourcemanager.
    """

    handle: ProjectHandle

    def __init__(
        self,
        name: str,
        *,
        project: str,
        apis: Collection[str],
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Prepare the project.

        Args:
            name: The start of every name in it.
            project: The project's id.
            apis: What to turn on, without `.googleapis.com`: container, lustre, …
            opts: Pulumi's options.
        """
        super().__init__("penstock:gcp:Project", name, None, opts)

        found = organizations.get_project_output(project_id=project, opts=pulumi.InvokeOptions(parent=self))
        on = {api: self._turn_on(name, project, api) for api in sorted(apis)}
        self.handle = ProjectHandle(
            id=project, number=found.number, apis=on, agents=self._agents(name, project, found.number, on)
        )
        self.register_outputs({"number": found.number})

    def _turn_on(self, name: str, project: str, api: str) -> pulumi.Resource:
        return projects.Service(
            f"{name}-{api}",
            project=project,
            service=f"{api}.googleapis.com",
            disable_on_destroy=False,
            opts=pulumi.ResourceOptions(parent=self),
        )

    def _agents(
        self, name: str, project: str, number: pulumi.Output[str], on: Mapping[str, pulumi.Resource]
    ) -> dict[str, pulumi.Output[str]]:
        """The service agents by service. Some exist on request only, others come some time after their API."""
        agents: dict[str, pulumi.Output[str]] = {}
        for service in (each for each in _ASKED if each in on):
            if service == "storage":  # made as one looks it up for the first time
                found = storage.get_project_service_account_output(
                    project=project, opts=pulumi.InvokeOutputOptions(parent=self, depends_on=[on[service]])
                )
                agents[service] = found.email_address
            else:
                identity = projects.ServiceIdentity(
                    f"{name}-{service}",
                    project=project,
                    service=f"{service}.googleapis.com",
                    opts=pulumi.ResourceOptions(parent=self, depends_on=[on[service]]),
                )
                # Some services answer without the address, which follows from the project's number.
                agents[service] = pulumi.Output.all(number, identity.id).apply(partial(_email, service))
        return agents


def _email(service: str, known: tuple[str, str]) -> str:
    number, _ = known
    return service_agents.email(service, number)
