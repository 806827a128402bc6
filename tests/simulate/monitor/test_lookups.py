"""Look-ups are kept, with the APIs that the program had waited for by then."""

from __future__ import annotations

from collections.abc import Callable

import pulumi
import pytest
from pulumi_gcp import compute, projects, storage

from penstock.graph.graph import Graph
from penstock.testing import rehearse

Program = Callable[[], object]
FUNCTION = "gcp:compute/getZones:getZones"


def switch() -> projects.Service:
    """The API, turned on."""
    return projects.Service("compute", project="p", service="compute.googleapis.com")


def plain_at_the_start() -> None:
    """A look-up that blocks the program, behind the line that turns the API on."""
    switch()
    compute.get_zones(project="p", region="us-central1")


def output_without_a_dependency() -> None:
    """The other form of a look-up, which waits for its arguments only."""
    switch()
    compute.get_zones_output(project="p", region="us-central1")


def output_that_depends_on_it() -> None:
    """A look-up that waits for the API."""
    on = switch()
    compute.get_zones_output(project="p", region="us-central1", opts=pulumi.InvokeOutputOptions(depends_on=[on]))


def output_of_its_value() -> None:
    """A look-up with an argument that the API's resource answers."""
    compute.get_zones_output(project=switch().project, region="us-central1")


def plain_in_apply() -> None:
    """A look-up that blocks, but only once the API is on."""
    switch().id.apply(lambda _: compute.get_zones(project="p", region="us-central1").names)


def output_behind_what_waits() -> None:
    """A look-up that depends on a resource that depends on the API."""
    network = compute.Network("net", project="p", opts=pulumi.ResourceOptions(depends_on=[switch()]))
    compute.get_zones_output(project="p", region="us-central1", opts=pulumi.InvokeOutputOptions(depends_on=[network]))


def apis_on(graph: Graph) -> list[str]:
    """The APIs that were on when the zones were looked up."""
    (lookup,) = (each for each in graph.lookups if each.token == FUNCTION)
    return [graph[urn].inputs["service"] for urn in lookup.after]


@pytest.mark.parametrize("program", [plain_at_the_start, output_without_a_dependency])
def test_a_lookup_that_does_not_wait_overtakes_the_api(program: Program) -> None:
    rehearsed = rehearse(program)

    assert apis_on(rehearsed.graph) == []
    assert "gcp-api-on-before-lookup" in {finding.code for finding in rehearsed.findings}


@pytest.mark.parametrize(
    "program", [output_that_depends_on_it, output_of_its_value, plain_in_apply, output_behind_what_waits]
)
def test_a_lookup_that_waits_comes_after_the_api(program: Program) -> None:
    rehearsed = rehearse(program)

    assert apis_on(rehearsed.graph) == ["compute.googleapis.com"]
    assert "gcp-api-on-before-lookup" not in {finding.code for finding in rehearsed.findings}


def test_a_lookup_keeps_what_it_asked_and_what_was_answered() -> None:
    (lookup,) = rehearse(lambda: storage.get_project_service_account(project="p")).graph.lookups

    assert lookup.token == "gcp:storage/getProjectServiceAccount:getProjectServiceAccount"
    assert lookup.arguments == {"project": "p"}
    assert lookup.answer["emailAddress"].endswith("@gs-project-accounts.iam.gserviceaccount.com")
