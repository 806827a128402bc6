"""The accounts in whose name Google's services act."""

from __future__ import annotations

import pytest

from penstock.core.errors import UnknownFact
from penstock.gcp.facts import service_agents


@pytest.mark.parametrize(
    ("service", "domain"),
    [
        ("storage", "gs-project-accounts"),
        ("compute", "compute-system"),
        ("container", "container-engine-robot"),
        ("file", "cloud-filer"),
        ("lustre", "gcp-sa-lustre"),
        ("sqladmin", "gcp-sa-cloud-sql"),
        ("secretmanager", "gcp-sa-secretmanager"),
        ("artifactregistry", "gcp-sa-artifactregistry"),
    ],
)
def test_an_agent_bears_the_number_of_its_project(service: str, domain: str) -> None:
    assert service_agents.email(service, "123456") == f"service-123456@{domain}.iam.gserviceaccount.com"


def test_agents_of_the_cluster_and_its_disks_come_with_their_apis() -> None:
    asked_for = {service for service in service_agents.services() if service_agents.on_request(service)}

    assert not asked_for & {"compute", "container"}
    assert {"lustre", "sqladmin", "secretmanager", "storage"} <= asked_for


@pytest.mark.parametrize(
    ("account", "service", "number"),
    [
        ("service-123@gcp-sa-lustre.iam.gserviceaccount.com", "lustre", "123"),
        ("bq-123@bigquery-encryption.iam.gserviceaccount.com", "bigquery", "123"),
        ("project-123@storage-transfer-service.iam.gserviceaccount.com", "storagetransfer", "123"),
        ("123-compute@developer.gserviceaccount.com", "compute", "123"),
        ("service-123@gcp-sa-somenew.iam.gserviceaccount.com", "somenew", "123"),
    ],
)
def test_an_account_is_that_of_a_service_by_its_address(account: str, service: str, number: str) -> None:
    agent = service_agents.agent_of(account)

    assert agent is not None
    assert (agent.service, agent.number) == (service, number)
    assert agent.known == (service in service_agents.services())


@pytest.mark.parametrize(
    "account",
    [
        "ci@my-project.iam.gserviceaccount.com",
        "123@cloudservices.gserviceaccount.com",
        "service-1@my-p.iam.gserviceaccount.com",
    ],
)
def test_an_account_of_somebody_is_that_of_no_service(account: str) -> None:
    assert service_agents.agent_of(account) is None


@pytest.mark.parametrize(
    ("service", "command"),
    [
        ("storage", "gcloud storage service-agent"),
        ("container", "gcloud services enable container.googleapis.com"),
        ("pubsub", "gcloud beta services identity create --service=pubsub.googleapis.com"),
    ],
)
def test_an_agent_has_the_command_that_creates_it(service: str, command: str) -> None:
    assert service_agents.command(service).startswith(command)


def test_an_unknown_service_names_its_neighbour() -> None:
    with pytest.raises(UnknownFact, match="Did you mean sqladmin"):
        service_agents.email("sqladmn", "1")
