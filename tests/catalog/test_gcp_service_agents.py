"""The accounts in whose name Google's services act."""

from __future__ import annotations

import pytest

from penstock.catalog.gcp import service_agents
from penstock.errors import UnknownFact


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

    assert not asked_for & {"compute", "container", "storage"}
    assert {"lustre", "sqladmin", "secretmanager"} <= asked_for


def test_an_unknown_service_names_its_neighbour() -> None:
    with pytest.raises(UnknownFact, match="Did you mean sqladmin"):
        service_agents.email("sqladmn", "1")
