"""What preparing a project promises: APIs that stay on, and the accounts that Google's services act as."""

from __future__ import annotations

import pytest

from penstock.gcp.components.handles import ProjectHandle
from penstock.gcp.components.project import Project
from penstock.graph.graph import Graph
from penstock.testing import rehearse

SERVICE = "gcp:projects/service:Service"
IDENTITY = "gcp:projects/serviceIdentity:ServiceIdentity"


def built(*apis: str, handles: list[ProjectHandle] | None = None) -> Graph:
    def program() -> None:
        handle = Project("project", project="my-ai-project", apis=apis).handle
        if handles is not None:
            handles.append(handle)

    return rehearse(program).graph


def test_what_is_asked_for_is_turned_on_and_never_off_again() -> None:
    services = built("container", "lustre").of_type(SERVICE)

    assert {service.inputs["service"] for service in services} == {"container.googleapis.com", "lustre.googleapis.com"}
    assert all(service.inputs["disableOnDestroy"] is False for service in services)
    assert all(service.inputs["project"] == "my-ai-project" for service in services)


def test_an_agent_that_google_makes_on_request_is_asked_for_once_its_api_is_on() -> None:
    graph = built("lustre")
    (identity,) = graph.of_type(IDENTITY)
    (lustre,) = (service for service in graph.of_type(SERVICE) if service.name == "project-lustre")

    assert identity.inputs["service"] == "lustre.googleapis.com"
    assert lustre.urn in identity.dependencies


@pytest.mark.parametrize("service", ["compute", "container"])
def test_an_agent_that_comes_some_time_after_its_api_is_asked_for_too(service: str) -> None:
    graph = built(service)
    (identity,) = graph.of_type(IDENTITY)

    assert identity.inputs["service"] == f"{service}.googleapis.com"


@pytest.mark.parametrize(
    ("api", "domain"),
    [
        ("container", "container-engine-robot.iam.gserviceaccount.com"),
        ("compute", "compute-system.iam.gserviceaccount.com"),
        ("storage", "gs-project-accounts.iam.gserviceaccount.com"),
        ("lustre", "gcp-sa-lustre.iam.gserviceaccount.com"),
    ],
)
def test_agents_are_those_of_this_project(api: str, domain: str) -> None:
    seen: dict[str, str] = {}

    def program() -> None:
        handle = Project("project", project="my-ai-project", apis=(api,)).handle
        handle.agents[api].apply(lambda email: seen.setdefault("email", email))

    rehearse(program)

    name, _, its_domain = seen["email"].partition("@")
    assert its_domain == domain
    assert name.startswith("service-")
    assert name.removeprefix("service-").isdecimal()


def test_a_resource_waits_for_its_own_api_alone() -> None:
    handles: list[ProjectHandle] = []
    built("container", "lustre", handles=handles)

    assert [resource.pulumi_resource_name for resource in handles[0].on("lustre")] == ["project-lustre"]
    assert handles[0].on("file") == []


def test_one_more_api_leaves_the_others_alone() -> None:
    before, after = built("container"), built("compute", "container")

    assert all(after[resource.urn].inputs == resource.inputs for resource in before)
