"""What access logs promise: each read and write of the project's buckets is on record, as long as there is one."""

from __future__ import annotations

import pytest
from tests.gcphandles import PROJECT

from penstock.gcp.components.access_logs import AccessLogs
from penstock.graph.graph import Resource
from penstock.testing import rehearse


@pytest.fixture(scope="module")
def config() -> Resource:
    graph = rehearse(lambda: AccessLogs("access-logs", project=PROJECT)).graph
    (resource,) = graph.of_type("gcp:projects/iAMAuditConfig:IAMAuditConfig")
    return resource


def test_reads_and_writes_of_buckets_are_logged_whoever_does_them(config: Resource) -> None:
    assert (config.inputs["project"], config.inputs["service"]) == (PROJECT.id, "storage.googleapis.com")
    assert config.inputs["auditLogConfigs"] == [{"logType": "DATA_READ"}, {"logType": "DATA_WRITE"}]


def test_they_stay_on_for_others_in_the_project_when_the_stack_goes(config: Resource) -> None:
    assert config.options.retain_on_delete


def test_the_cloud_has_nothing_to_object() -> None:
    assert rehearse(lambda: AccessLogs("access-logs", project=PROJECT)).findings == ()
